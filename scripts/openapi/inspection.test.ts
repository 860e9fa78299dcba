/** What counts as a violation in what Prism tells, and what does not. */
import { expect, test } from 'vitest'
import { gapsIn, inspect, type Passed, seenIn } from './inspection.ts'

const told = (...findings: { location: string[]; message: string }[]) => JSON.stringify(findings)
const response = { location: ['response', 'body', 'credits'], message: 'must be number' }
const request = { location: ['request', 'body'], message: 'must have required property text' }
const scheme = { location: ['request'], message: 'Invalid security scheme used' }

const exchange = (given: Partial<Passed> = {}) =>
  inspect({
    operation: 'whoami',
    status: 200,
    upstream: 200,
    url: 'http://proxy.test/api/cli/whoami',
    authorization: 'Bearer k',
    violations: null,
    ...given,
  })

test('what is found in an answer is a violation, whatever its status', () => {
  expect(exchange({ violations: told(response) }).violations).toEqual([response])
  expect(exchange({ status: 401, upstream: 401, violations: told(response) }).violations).toEqual([response])
})

test('what is found in a request is a violation where the service has accepted it', () => {
  expect(exchange({ violations: told(request) }).violations).toEqual([request])
  expect(exchange({ status: 400, upstream: 400, violations: told(request) }).violations).toEqual([])
})

test('another case of the scheme is none, another scheme is', () => {
  expect(exchange({ authorization: 'bearer k', violations: told(scheme) }).violations).toEqual([])
  expect(exchange({ authorization: 'Bearer k', violations: told(scheme) }).violations).toEqual([scheme])
  expect(exchange({ authorization: 'Basic k', violations: told(scheme) }).violations).toEqual([scheme])
})

test('a parameter that was sent twice is none, the same sent once and another are', () => {
  const found = (name: string) => told({ location: ['request', 'query', name], message: 'must be string' })
  const of = (query: string, violations: string) =>
    exchange({ url: `http://proxy.test/api/documents?${query}`, violations }).violations
  expect(of('all=1&all=1', found('all'))).toEqual([])
  expect(of('all=1', found('all'))).toHaveLength(1)
  expect(of('all=1&all=1', found('folder_id'))).toHaveLength(1)
  expect(of('all=1&all=1', told({ location: ['response', 'query', 'all'], message: '' }))).toHaveLength(1)
})

test('a header that was cut off is a violation', () => {
  expect(exchange({ violations: 'Too many violations! [{"loc' }).violations).toHaveLength(1)
})

test('an answer of the proxy itself, and a route that it does not know, are not inspected', () => {
  expect(exchange({ status: 400, upstream: undefined }).isInspected).toBe(false)
  expect(exchange({ status: 502 }).isInspected).toBe(false)
  const unknown = told({ location: ['request'], message: 'Selected route not found' })
  expect(exchange({ violations: unknown }).isInspected).toBe(false)
  expect(exchange().isInspected).toBe(true)
})

test('a status of the document that was not inspected is a gap', () => {
  const document = {
    paths: {
      '/api/cli/whoami': { get: { operationId: 'whoami', responses: { 200: {}, 401: {}, 429: {} } } },
    },
  } as const
  const seen = seenIn([exchange(), exchange(), exchange({ status: 429, upstream: undefined })])
  expect(seen).toEqual({ 'whoami 200': 2 })
  expect(gapsIn(document, seen)).toEqual(['whoami 401', 'whoami 429'])
})
