/**
 * Input that no client should send: the mock refuses it as the contract says and changes nothing, however it arrives.
 * What every service must refuse, the suite asks of the mock too; here are the inputs that only the mock promises.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { createMock } from '../app.ts'
import { type Listener, listen } from '../edges/http.ts'
import { clientOf, origin, violationsOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

/** A named body; undefined: no body. */
type BadBody = readonly [name: string, body: string | Uint8Array<ArrayBuffer> | undefined]

const mebibyte = 1_048_576

/** Bodies that are not a JSON object, for any route. */
const unreadableBodies: readonly BadBody[] = [
  ['no body', undefined],
  ['an empty body', ''],
  ['blank', ' \r\n\t'],
  ['half an object', '{"text":"a"'],
  ['an array', '[{"text":"a"}]'],
  ['a string', '"text"'],
  ['null', 'null'],
  ['invalid UTF-8', Uint8Array.from([...Buffer.from('{"text":"'), 0xff, 0xc3, 0x28, ...Buffer.from('"}')])],
  [
    'a UTF-8 surrogate',
    Uint8Array.from([...Buffer.from('{"text":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
  ],
  ['UTF-16', Uint8Array.from(Buffer.from('{"text":"a"}', 'utf16le'))],
  ['gzip', Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
  ['2 MiB of one field', `{"text":"${'a'.repeat(2 * mebibyte)}"}`],
  ['arrays 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['objects 20,000 deep', `${'{"text":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
]

/** Ids that do not exist, as written in a path, percent-encoded or not. */
const badIds: readonly string[] = [
  ..."%2f a%2fb %2e%2e%2f%2e%2e%2fkeys %252f %00 a%00b %0d%0aSet-Cookie:%20a=b %20 '%20OR%201=1".split(' '),
  ...'% %zz %c3%28 %ff %ed%a0%80 \ud800 a\udc00b \u{1f600} -1 0 * ; :id'.split(' '),
  ...'__proto__ constructor hasOwnProperty NaN undefined'.split(' '),
  'x'.repeat(10_240),
  '%41'.repeat(3_400),
]

/** Unusual queries; a route may accept them or reject them as invalid. */
const oddQueries: readonly string[] = [
  '?',
  '?=',
  '?&&&',
  '?all',
  '?all=2',
  '?all=1&all=2',
  '?all[]=1',
  '?%',
  '?folder_id=%zz',
  '?folder_id=%ff%fe&range=%ff',
  '?folder_id=%00&range=%00',
  '?folder_id=\ud800&range=\ud800',
  '?__proto__=1&constructor=2&hasOwnProperty=3',
  '?folder_id=__proto__&range=__proto__',
  `?folder_id=${'x'.repeat(10_240)}&range=${'x'.repeat(10_240)}`,
  `?${'a=1&'.repeat(2_000)}`,
]

/** Unusual headers, sent with a valid credential. */
const oddHeaders: readonly Record<string, string>[] = [
  { prefer: 'variant=__proto__' },
  { prefer: 'variant=;;,=,"' },
  { prefer: 'x'.repeat(10_240) },
  { accept: 'text/plain' },
  { 'content-type': 'text/plain; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { cookie: '=; ;; a=%; b="; work_agent_sessions=x; work_agent_session' },
]

const withId = operationIds.filter((id) => routeOf(id).path.includes(':id'))

describe.each(['in process', 'over a listener'])('%s', (edge) => {
  const mock = createMock({ rateLimit: 'off', variant: 'second', now: Date.UTC(2026, 2, 1) })
  mock.clock.freeze()
  const client = clientOf(mock)
  const { apiKey, sessionCookie } = mock.credentials()
  let listener: Listener | undefined

  beforeAll(async () => {
    if (edge === 'over a listener') listener = await listen(mock, { host: '127.0.0.1', port: 0 })
  })
  afterAll(() => listener?.close())

  /** Sends a request to a path as written; returns the status if the contract allows the response. */
  async function send(
    operation: OperationId,
    { id = 'none', query = '', ...init }: RequestInit & { id?: string; query?: string } = {},
  ): Promise<number> {
    const { method, path, auth } = routeOf(operation)
    const credential = auth === 'key' ? { authorization: `Bearer ${apiKey}` } : { cookie: sessionCookie }
    const url = (listener?.url ?? origin) + path.replace(':id', () => id) + query
    const request = new Request(url, { method, headers: credential, ...init })
    const response = listener ? await fetch(request) : await mock.fetch(request)
    const { status, headers } = response
    const answer = { operation, variant: 'second', status, body: await response.json() } as const
    expect(violationsOf({ ...answer, reason: headers.get('x-mock-reason') })).toEqual([])
    return status
  }

  /** Returns all data of the organization, without times of last use, which reads change. */
  async function everything(): Promise<unknown[]> {
    return [
      (await client.call('whoami')).body,
      (await client.call('listTasks')).body,
      (await client.call('listDocuments', { query: { all: '1' } })).body,
      (await client.call('listNotifications')).body,
      (await client.call('listLandingPages')).body,
      (await client.call('listKeys')).body.keys.map(({ last_used_at: _, ...key }) => key),
    ]
  }

  async function changesNothing(act: () => Promise<void>): Promise<void> {
    const before = await everything()
    await act()
    expect(await everything()).toEqual(before)
    expect(mock.bugs).toEqual([])
  }

  test('a body that is no JSON object is 400', async () => {
    await changesNothing(async () => {
      for (const [what, body] of unreadableBodies)
        expect([what, await send('createTask', body === undefined ? {} : { body })]).toEqual([what, 400])
    })
  })

  test('an id of any characters that nothing has is 404', async () => {
    await changesNothing(async () => {
      for (const [i, id] of badIds.entries()) {
        const operation = withId[i % withId.length] as OperationId
        expect([id.slice(0, 40), await send(operation, { id })]).toEqual([id.slice(0, 40), 404])
      }
    })
  })

  test('unusual queries and headers are tolerated, or refused as the contract says', async () => {
    await changesNothing(async () => {
      for (const query of oddQueries)
        for (const operation of ['listDocuments', 'getInsights'] as const)
          expect([200, 400, 422]).toContain(await send(operation, { query }))
      for (const odd of oddHeaders) {
        const key = { authorization: `Bearer ${apiKey}`, ...odd }
        expect([400, 404]).toContain(await send('createTask', { headers: key, body: '[]' }))
        const cookie = `${odd.cookie ?? 'a=b'}; ${sessionCookie}`
        expect([200, 400]).toContain(await send('listKeys', { headers: { ...odd, cookie } }))
      }
    })
  })

  test('a body nested 99 levels deep is returned, one deeper than 100 is rejected', async () => {
    const nested = (depth: number) => `{"spec":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(await send('createLandingPage', { body: nested(99) })).toBe(200)
    expect(await send('createLandingPage', { body: nested(100) })).toBe(400)
  })

  test('a body of exactly 1 MiB is accepted, one byte more is rejected', async () => {
    const sized = (bytes: number) => `{"text":"${'a'.repeat(bytes - 11)}"}`
    expect(await send('createTask', { body: sized(1_048_576) })).toBe(200)
    expect(await send('createTask', { body: sized(1_048_577) })).toBe(400)
  })
})

async function create(body: BodyInit, headers: Record<string, string> = {}): Promise<number> {
  const mock = frozenMock()
  const authorization = `Bearer ${mock.credentials().apiKey}`
  const init = { method: 'POST', headers: { authorization, ...headers }, body, duplex: 'half' } as RequestInit
  return (await mock.fetch(new Request(`${origin}/api/cli/tasks`, init))).status
}

test('a wrong content length does not allow a longer body', async () => {
  expect(await create(`{"text":"${'a'.repeat(2_000_000)}"}`, { 'content-length': '5' })).toBe(400)
})

test('an incomplete body is rejected without an internal error', async () => {
  const gone = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  expect(await create(gone)).toBe(400)
})

test('an endless body is cut off', async () => {
  const block = new Uint8Array(1_048_576)
  expect(await create(new ReadableStream({ pull: (controller) => controller.enqueue(block) }))).toBe(400)
})

test('slow bodies are handled in the order in which they complete', async () => {
  const mock = frozenMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const init = { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit
  const pending = mock.fetch(new Request(`${origin}/api/cli/tasks`, init))
  const { newTask, call } = clientOf(mock)
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
  const { call } = clientOf(frozenMock())
  expect((await call('createDocument', { body })).body.message).toBe(message)
})
