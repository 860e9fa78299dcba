/** Waiting for requests, over control routes and in process. */
import { expect, test } from 'vitest'
import type { WaitTimeout } from '../../journal/reader.ts'
import { busyMock } from '../../testing/busy-mock.ts'
import { clientOf } from '../../testing/client.ts'
import { controlOf } from '../../testing/control.ts'
import { curl, listening } from '../../testing/listening.ts'
import { frozenMock } from '../../testing/mock.ts'

test('a wait ends as soon as the expected requests have arrived', async () => {
  const mock = frozenMock()
  const { send } = await listening(mock)
  const key = mock.credentials().apiKey
  const body = { match: { operation: 'createTask' }, count: 2, timeout: '30s' }
  const waiting = send('POST', '/__admin/requests/wait', { body, timeout: 30_000 })
  const inProcess = mock.journal.wait({ match: { operation: 'createTask' }, count: 2, timeout: '30s' })
  const { call, newTask } = clientOf(mock)
  await newTask('one')
  await call('whoami')
  await newTask('two')
  const { status, text } = await waiting
  const { requests } = JSON.parse(text)
  expect(status).toBe(200)
  expect(requests).toEqual(await inProcess)
  expect(requests.map((one: { request: { body: string } }) => one.request.body)).toEqual([
    '{"text":"one"}',
    '{"text":"two"}',
  ])
  expect((await send('GET', '/api/cli/whoami', { key })).status).toBe(200)
})

test('requests already in the journal are returned immediately', async () => {
  const { mock } = await busyMock()
  const control = controlOf(mock)
  const body = { match: { status: '4xx' }, count: 3, timeout: 0 }
  expect((await control.done('POST /requests/wait', { body })).requests).toHaveLength(3)
  expect(await mock.journal.wait({ match: { status: '4xx' }, count: 3, timeout: 0 })).toHaveLength(3)
  expect((await control.done('POST /requests/wait')).requests).toHaveLength(7)
})

test('a timeout is a problem that lists the requests that arrived', async () => {
  const { mock } = await busyMock()
  const body = { match: { error: 'no_credits' }, count: 2, timeout: '20ms' }
  const { status, body: problem } = await controlOf(mock).call('POST /requests/wait', { body })
  expect(status).toBe(408)
  expect(problem).toMatchObject({ status: 408, title: '1 of 2 matching requests arrived within 20 ms.' })
  expect(problem.matched.map(({ number }: { number: number }) => number)).toEqual([4])
  expect(problem.seen.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7])
  const unmet = await mock.journal
    .wait({ ...body, count: 9, timeout: 1 })
    .catch((error: WaitTimeout) => error)
  expect(unmet).toMatchObject({ matched: [{ number: 4 }] })
})

test.each([
  { timeout: 'long' },
  { timeout: '1h' },
  { count: 0 },
  { match: { operation: 'nope' } },
  { until: 1 },
])('a wait for %j is rejected', async (body) => {
  expect((await controlOf(frozenMock()).call('POST /requests/wait', { body })).status).toBe(400)
})

test('a wait ends when its client disconnects', async () => {
  const mock = frozenMock()
  const { send } = await listening(mock)
  const gone = new AbortController()
  const waiting = send('POST', '/__admin/requests/wait', { body: { timeout: '10m' }, signal: gone.signal })
  await curl('--version')
  gone.abort()
  expect((await waiting).status).toBe(0)
})

test('a wait works with a journal of size zero', async () => {
  const mock = frozenMock({ journal: 0 })
  const waiting = mock.journal.wait({ timeout: '10s' })
  await clientOf(mock).call('whoami')
  expect(await waiting).toMatchObject([{ operation: 'whoami' }])
  expect(mock.journal.entries()).toEqual([])
})
