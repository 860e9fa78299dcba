/** Odd input is sent as it is, and known again; and the bounds of foreign JSON. */
import { expect, test } from 'vitest'
import { jsonBounds, jsonBoundsProblem } from './json-bounds.ts'
import {
  bodyBytesOf,
  decodedPathId,
  mayBeRejectedUpstream,
  pathAndQueryOf,
  requestOddityOf,
} from './malformed-input.ts'

const url = (path: string) => `http://service.test/v1/api/cli${path}`
const asked = (path: string, requestBody?: string) =>
  ({
    operation: path.startsWith('/tasks') ? 'getTask' : 'listDocuments',
    url: url(path),
    requestBody,
  }) as const

test('half a pair of surrogates stands for a byte, and nothing else changes', () => {
  expect(bodyBytesOf('ü🚀')).toBe('ü🚀')
  expect(bodyBytesOf('ü\udcff\udc80🚀')).toEqual(
    new Uint8Array([...Buffer.from('ü'), 0xff, 0x80, ...Buffer.from('🚀')]),
  )
})

test('an id is read from the end of its path; one that cannot be decoded is none', () => {
  expect(decodedPathId(asked('/tasks/a%2Fb'))).toBe('a/b')
  expect(decodedPathId({ operation: 'runTask', url: url('/tasks/t%201/run') })).toBe('t 1')
  expect(decodedPathId(asked('/tasks/%ff'))).toBeUndefined()
  expect(decodedPathId(asked('/documents'))).toBeUndefined()
})

test.each([
  ['/tasks/%', 400, true],
  ['/tasks/%ff', 414, true],
  ['/tasks/a%00', 404, true],
  ['/tasks/a%2fb', 431, true],
  ['/tasks/%25', 400, true],
  ['/tasks/%ff', 401, false],
  ['/tasks/%ff', 422, false],
  ['/tasks/%ff', 500, false],
  ['/tasks/a%20b', 404, false],
  [`/tasks/${'x'.repeat(300)}`, 414, true],
  [`/tasks/${'x'.repeat(300)}`, 422, false],
  ['/documents', 400, false],
  ['/documents?folder_id=%ff', 400, true],
  ['/documents?folder_id=%ff', 500, false],
  ['/documents?folder_id=a%00', 400, true],
])('%s answered %i may come from a server in front: %s', (path, status, expected) => {
  expect(mayBeRejectedUpstream({ ...asked(path), status } as never)).toBe(expected)
})

test.each([
  ['{"text":"\udcff"}', 400, true],
  ['{"text":"\udcff"}', 500, false],
  [JSON.stringify({ text: 'x'.repeat(20_000) }), 413, true],
  [JSON.stringify({ text: 'x'.repeat(20_000) }), 400, false],
  ['{"text":"x"}', 413, false],
])('a body answered by a server in front', (body, status, expected) => {
  expect(mayBeRejectedUpstream({ ...asked('/documents', body), status } as never)).toBe(expected)
})

test.each([
  ['Bearer k', 400, false],
  ['Bearer \xe9', 400, true],
  ['Bearer \xe9', 500, false],
])('a request with the header %j answered by a server in front', (authorization, status, expected) => {
  expect(
    mayBeRejectedUpstream({ ...asked('/documents'), requestHeaders: { authorization }, status } as never),
  ).toBe(expected)
})

test.each([
  ['/documents?folder_id=a&folder_id=b', undefined, 'repeated-parameter'],
  ['/documents?folder_id=%', undefined, 'undecodable-query'],
  ['/documents?folder_id=a&all=1', undefined, undefined],
  ['/documents', '{"title":"\udcff"}', 'odd-text'],
  ['/documents', '{"title":"\\ud800"}', 'odd-text'],
  ['/documents', '{"title":{"in":["\\u0000"]}}', 'odd-text'],
  ['/documents', '{"title":"\\ud83d\\ude80"}', undefined],
  ['/documents', '{"title":"\\\\u0000"}', undefined],
  ['/documents', '{"title":"\\u0000', undefined],
  ['/documents', '['.repeat(501), 'excessive-body'],
])('%s with %s is odd: %s', (path, body, expected) => {
  expect(requestOddityOf(asked(path, body))).toBe(expected)
})

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

test('nesting counts up to its bound, in arrays and objects, and not in strings', () => {
  expect(jsonBoundsProblem(nested(jsonBounds.depth))).toBeUndefined()
  expect(jsonBoundsProblem(nested(jsonBounds.depth + 1))).toBe('is nested deeper than 500 levels')
  expect(jsonBoundsProblem('{"a":'.repeat(jsonBounds.depth + 1))).toBe('is nested deeper than 500 levels')
  expect(jsonBoundsProblem(JSON.stringify(`"\\${nested(9_999)}`))).toBeUndefined()
  expect(jsonBoundsProblem(`[${'[],'.repeat(9_999)}[]]`)).toBeUndefined()
})

test('values count up to their bound', () => {
  const list = (length: number) => `[${Array(length).fill(0)}]`
  expect(jsonBoundsProblem(list(jsonBounds.values - 1))).toBeUndefined()
  expect(jsonBoundsProblem(list(jsonBounds.values + 1))).toBe('holds more than 1,000,000 values')
})

test.each([
  'http://mock.test/api/cli/tasks/t_1/run?all=1&folder_id=f.1',
  'https://api.example:8443/v1/api/cli/tasks/a%2Fb',
  'http://mock.test/api/../cli/./tasks/%2e%2e/x',
  'http://mock.test/api/cli/tasks/.hidden/..',
  'http://mock.test/api//cli/tasks/?',
  'http://mock.test/api/cli/tasks?#part',
  'http://mock.test',
  'http://mock.test/api\\cli/tasks/é',
  'http://10.0.0.1/api/cli/tasks/t1',
])('the path and the query of %s are those that a parser has', (url) => {
  const { pathname, search } = new URL(url)
  expect(pathAndQueryOf(url)).toMatchObject({ pathname, search })
})

test('what is no URL has no path', () => {
  expect(pathAndQueryOf('/api/cli/tasks')).toBeUndefined()
})
