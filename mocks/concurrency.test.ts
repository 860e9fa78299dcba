/** Concurrent requests never spend a credit twice or lose one. */
import { expect, test } from 'vitest'
import { listen } from './edges/http.ts'
import { clientOf, requestFor, type Served } from './testing/client.ts'
import { frozenMock } from './testing/mock.ts'

const codeOf = (body: object) => Reflect.get(body, 'error')

/** Runs a number of tasks concurrently; returns how many were accepted and how many failed with no_credits. */
async function runAtOnce(served: Served, tasks: number) {
  const { call, newTask } = clientOf(served)
  const ids: string[] = []
  for (let i = 0; i < tasks; i++) ids.push(await newTask(`Task ${i}`))
  const replies = await Promise.all(ids.map((id) => call('runTask', { id })))
  const accepted = replies.filter(({ status, body }) => status === 200 || codeOf(body) === 'busy')
  const refused = replies.filter(({ status, body }) => status === 402 && codeOf(body) === 'no_credits')
  return { ids, accepted: accepted.length, refused: refused.length }
}

test('500 concurrent run requests reserve exactly the 10 available credits', async () => {
  const mock = frozenMock({ credits: 10, rateLimit: 'off', variant: 'second' })
  const { ids, accepted, refused } = await runAtOnce(mock, 500)
  expect([accepted, refused]).toEqual([10, 490])
  const { call, credits } = clientOf(mock)
  expect(await credits()).toBe(0)
  expect((await call('listTasks')).body).toMatchObject({ usedToday: 10, limit: 10, remaining: 0 })
  mock.clock.advance(60_000)
  const statuses = (await call('listTasks')).body.items.filter(({ id }) => ids.includes(String(id)))
  expect(statuses.filter(({ status }) => status === 'completed')).toHaveLength(10)
  expect(statuses.filter(({ status }) => status === 'pending')).toHaveLength(490)
})

test('500 concurrent run requests over connections reserve exactly the available credits', async () => {
  const mock = frozenMock({ credits: 10, rateLimit: 'off' })
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  const overHttp: Served = {
    settings: mock.settings,
    credentials: mock.credentials,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url)
      return fetch(new Request(url + pathname + search, request))
    },
  }
  const { accepted, refused } = await runAtOnce(overHttp, 500)
  await close()
  expect([accepted, refused]).toEqual([10, 490])
  expect(await clientOf(mock).credits()).toBe(0)
})

test('500 concurrent run requests for one task reserve one credit', async () => {
  const mock = frozenMock({ credits: 10, rateLimit: 'off' })
  const { call, newTask, credits } = clientOf(mock)
  const id = await newTask()
  const replies = await Promise.all(Array.from({ length: 500 }, () => call('runTask', { id })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ body }) => codeOf(body) === 'invalid_request')).toHaveLength(499)
  expect(await credits()).toBe(9)
})

test('concurrent runs and creatives share the available credits', async () => {
  const mock = frozenMock({ credits: 7, rateLimit: 'off' })
  const { call, newTask, credits } = clientOf(mock)
  const ids = await Promise.all(Array.from({ length: 20 }, () => newTask()))
  const replies = await Promise.all([
    ...ids.map((id) => call('runTask', { id })),
    ...ids.map(() => call('generateCreative', { body: { prompt: 'a' } })),
  ])
  expect(replies.filter(({ body }) => codeOf(body) === 'no_credits')).toHaveLength(33)
  expect(await credits()).toBe(0)
})

test('concurrent reads at the end of a failed run refund its credit once', async () => {
  const mock = frozenMock({ credits: 5, runOutcome: 'failed', rateLimit: 'off' })
  const { call, newTask, credits } = clientOf(mock)
  const id = await newTask()
  await call('runTask', { id })
  mock.clock.advance(60_000)
  await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      call((['getTask', 'whoami', 'listTasks'] as const)[i % 3] ?? 'whoami', { id }),
    ),
  )
  expect(await credits()).toBe(5)
})

test('slow bodies are handled in the order in which they complete', async () => {
  const mock = frozenMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const slow = new Request(requestFor('createTask', {}, headers).url, {
    method: 'POST',
    headers,
    body: readable,
    duplex: 'half',
  } as RequestInit)
  const pending = mock.fetch(slow)
  const { newTask, call } = clientOf(mock)
  await newTask('quick')
  const writer = writable.getWriter()
  await writer.write(new TextEncoder().encode('{"text":"slow"}'))
  await writer.close()
  expect((await pending).status).toBe(200)
  const { items } = (await call('listTasks')).body
  expect(items.slice(0, 2).map(({ text }) => text)).toEqual(['slow', 'quick'])
})
