/**
 * Input that no client should send: what the mock promises beyond what the suite asks of every service. http.test.ts
 * tests that it arrives whole over a connection; scripts/abuse, that nothing ends the mock.
 */
import { expect, test } from 'vitest'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { checkedClientOf, testOrigin } from '../testing/client.ts'
import { createFrozenMock } from '../testing/mock.ts'

const mebibyte = 1_048_576

async function post(path: string, body?: BodyInit, headers: Record<string, string> = {}): Promise<number> {
  const mock = createFrozenMock({ variant: 'second' })
  const authorization = `Bearer ${mock.credentials().apiKey}`
  const init = { method: 'POST', headers: { authorization, ...headers }, body, duplex: 'half' } as RequestInit
  return (await mock.fetch(new Request(`${testOrigin}/api/cli/${path}`, init))).status
}

const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part)] : part)))

const gone = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(mebibyte)) })
const nested = (depth: number) => `{"spec":${'['.repeat(depth)}${']'.repeat(depth)}}`
const sized = (length: number) => `{"text":"${'a'.repeat(length - 11)}"}`

test.each<[name: string, status: number, path: string, body: BodyInit, headers?: Record<string, string>]>([
  ['blank', 400, 'tasks', ' \r\n\t'],
  ['invalid UTF-8', 400, 'tasks', bytes('{"text":"', 0xff, 0xc3, 0x28, '"}')],
  ['a surrogate in UTF-8', 400, 'tasks', bytes('{"text":"', 0xed, 0xa0, 0x80, '"}')],
  ['UTF-16', 400, 'tasks', Uint8Array.from(Buffer.from('{"text":"a"}', 'utf16le'))],
  ['gzip', 400, 'tasks', bytes(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)],
  ['nested 100 levels deep', 200, 'landing-pages', nested(99)],
  ['nested 101 levels deep', 400, 'landing-pages', nested(100)],
  ['100,000 arrays deep', 400, 'tasks', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['20,000 objects deep', 400, 'tasks', `${'{"text":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ['exactly 1 MiB long', 200, 'tasks', sized(mebibyte)],
  ['one byte longer', 400, 'tasks', sized(mebibyte + 1)],
  ['longer than it is said to be', 400, 'tasks', sized(2 * mebibyte), { 'content-length': '5' }],
  ['broken off', 400, 'tasks', gone],
  ['endless', 400, 'tasks', endless],
])('a body that is %s is %i', async (_, status, path, body, headers) => {
  expect(await post(path, body, headers)).toBe(status)
})

const withId = operationIds.filter((id) => routeOf(id).path.includes(':id'))

test.each([
  ...'%2f a%2fb %2e%2e%2fkeys %252f %00 %0d%0aSet-Cookie:%20a=b %20 % %zz %c3%28 %ed%a0%80 -1 ;'.split(' '),
  ...['\ud800', '__proto__', 'hasOwnProperty', 'NaN', 'x'.repeat(10_240)],
])('an id that nothing has is 404, as written: %j', async (id) => {
  const mock = createFrozenMock()
  const { apiKey, sessionCookie } = mock.credentials()
  const headers = { authorization: `Bearer ${apiKey}`, cookie: sessionCookie }
  for (const operation of withId) {
    const { method, path } = routeOf(operation)
    const { status } = await mock.fetch(testOrigin + path.replace(':id', () => id), { method, headers })
    expect([operation, status]).toEqual([operation, 404])
  }
})

test.each<[operation: OperationId, query: string, status: number]>([
  ['listDocuments', '?&&&=', 200],
  ['listDocuments', '?all=1&all=2', 200],
  ['listDocuments', '?all=2', 400],
  ['listDocuments', '?all', 400],
  ['listDocuments', '?folder_id=%zz&__proto__=1&constructor=2', 200],
  ['listDocuments', '?folder_id=%00', 200],
  ['getInsights', '?range=\ud800', 200],
  ['getInsights', `?range=__proto__&${'a=1&'.repeat(2_000)}`, 200],
])('%s with an unusual query: %j', async (operation, query, status) => {
  const mock = createFrozenMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  expect((await mock.fetch(testOrigin + routeOf(operation).path + query, { headers })).status).toBe(status)
})

test('slow bodies are handled in the order in which they complete', async () => {
  const mock = createFrozenMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const init = { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit
  const pending = mock.fetch(new Request(`${testOrigin}/api/cli/tasks`, init))
  const { newTask, call } = checkedClientOf(mock)
  await newTask('quick')
  const writer = writable.getWriter()
  await writer.write(new TextEncoder().encode('{"text":"slow"}'))
  await writer.close()
  expect((await pending).status).toBe(200)
  const { items } = (await call('listTasks')).body
  expect(items.slice(0, 2).map(({ text }) => text)).toEqual(['slow', 'quick'])
})

test.each([
  [{}, 'title: is missing; it takes a text'],
  [{ title: '' }, 'title: takes a text that is not empty'],
  [{ title: 'a', kind: null }, 'kind: takes a text'],
])('the body %j is refused in words of people', async (body, message) => {
  const { call } = checkedClientOf(createFrozenMock())
  expect((await call('createDocument', { body })).body.message).toBe(message)
})
