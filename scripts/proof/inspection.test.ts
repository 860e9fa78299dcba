/** Lines of Prism that count as a violation, and lines that do not. */
import { expect, test } from 'vitest'
import {
  checkedAnswerCounts,
  inspectProxiedExchange,
  type ProxiedExchange,
  unseenAnswersOf,
} from './inspection.ts'

const query = (name: string) => ({ location: ['request', 'query', name], message: 'must be string' })
const response = { location: ['response', 'body', 'credits'], message: 'must be number' }
const request = { location: ['request', 'body'], message: 'must have required property text' }
const scheme = { location: ['request'], message: 'Invalid security scheme used' }
const type = { location: ['request'], message: 'Supported content types: application/json', code: 415 }
const unknown = { location: ['request'], message: 'Selected route not found' }

const exchange = (finding?: object, given: Partial<ProxiedExchange> = {}) =>
  inspectProxiedExchange({
    operation: 'whoami',
    status: 200,
    upstream: 200,
    url: 'http://proxy.test/api/cli/whoami',
    authorization: 'Bearer k',
    mediaType: undefined,
    violations: finding ? JSON.stringify([finding]) : null,
    ...given,
  })

const cut = 'Too many violations! [{"loc'
const refused = { status: 400, upstream: 400 }
const asked = (query: string) => ({ url: `http://proxy.test/api/documents?${query}` })

test.each<[string, object | undefined, Partial<ProxiedExchange>, boolean]>([
  ['in an answer', response, {}, true],
  ['in an answer that refuses', response, refused, true],
  ['in a request that is accepted', request, {}, true],
  ['in a request that is refused', request, refused, false],
  ['in another case of the scheme', scheme, { authorization: 'bearer k' }, false],
  ['in the scheme as it is', scheme, {}, true],
  ['in another scheme', scheme, { authorization: 'Basic k' }, true],
  ['in JSON that was sent as a text', type, { mediaType: 'text/plain' }, false],
  ['in JSON that was sent as JSON', type, { mediaType: 'application/json' }, true],
  ['in a parameter that was sent twice', query('all'), asked('all=1&all=1'), false],
  ['in one that was sent once', query('all'), asked('all=1'), true],
  ['in another one', query('folder_id'), asked('all=1&all=1'), true],
  ['in an answer to it', { ...response, location: ['response', 'query', 'all'] }, asked('all=1&all=1'), true],
  ['in a header that was cut off', undefined, { violations: cut }, true],
])('what is found %s is a violation, or none', (_, finding, given, isViolation) => {
  const told = finding ?? { location: ['response'], message: cut }
  expect(exchange(finding, given).violations).toEqual(isViolation ? [told] : [])
})

test('an answer of the proxy itself, and a route that it does not know, are not inspected', () => {
  const inspected = [
    exchange(undefined, { status: 400, upstream: undefined }),
    exchange(undefined, { status: 502 }),
    exchange(unknown),
    exchange(),
  ]
  expect(inspected.map(({ isInspected }) => isInspected)).toEqual([false, false, false, true])
})

test('a status of the document that was not inspected is a gap', () => {
  const responses = { 200: {}, 401: {}, 429: {} }
  const document = { paths: { '/api/cli/whoami': { get: { operationId: 'whoami', responses } } } } as const
  const seen = checkedAnswerCounts([
    exchange(),
    exchange(),
    exchange(undefined, { status: 429, upstream: undefined }),
  ])
  expect(seen).toEqual({ 'whoami 200': 2 })
  expect(unseenAnswersOf(document, seen)).toEqual(['whoami 401', 'whoami 429'])
})
