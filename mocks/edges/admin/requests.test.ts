/** The journal over control routes and in process: the same filters, the same results, no secrets; and waiting for requests. */

import { expect, test } from 'vitest'
import type { RequestFilter, WaitTimeout } from '../../journal/reader.ts'
import { clientOf } from '../../testing/client.ts'
import { controlOf } from '../../testing/control.ts'
import { curl, listening } from '../../testing/listening.ts'
import { frozenMock, noon } from '../../testing/mock.ts'

/** Creates a mock with requests of two organizations and of an unauthenticated caller. */
async function busyMock() {
  const mock = frozenMock({ credits: 1 })
  const ada = clientOf(mock, 'ada')
  const id = await ada.newTask('first')
  await ada.call('runTask', { id })
  mock.clock.advance(10_000)
  await ada.call('runTask', { id: await ada.newTask('second') })
  await clientOf(mock, 'bob').call('getTask', { id })
  await ada.call('whoami', { as: 'nobody' })
  await ada.call('whoami', { headers: { prefer: 'code=503' } })
  return { mock, ada, id }
}

const later = new Date(noon + 10_000).toISOString()

test.each<[string, RequestFilter, number[]]>([
  ['nothing', {}, [1, 2, 3, 4, 5, 6, 7]],
  ['an operation', { operation: 'runTask' }, [2, 4]],
  ['operations', { operation: ['runTask', 'getTask'] }, [2, 4, 5]],
  ['operations in one text', { operation: 'runTask,getTask' }, [2, 4, 5]],
  ['a status', { status: 402 }, [4]],
  ['a class of status', { status: '4xx' }, [4, 5, 6]],
  ['statuses', { status: ['2xx', 503] }, [1, 2, 3, 7]],
  ['an error', { error: 'no_credits' }, [4]],
  ['a method', { method: 'get' }, [5, 6, 7]],
  ['a path', { path: '/api/cli/tasks' }, [1, 3]],
  ['a path pattern', { path: '/api/cli/tasks/*/run' }, [2, 4]],
  ['text in the body', { body: 'second' }, [3]],
  ['faults', { faulted: true }, [7]],
  ['no fault', { faulted: 'false', status: '5xx' }, []],
  ['since a number', { since: 5 }, [6, 7]],
  ['since a time', { since: later, operation: 'createTask' }, [3]],
  ['a limit', { limit: 2 }, [6, 7]],
  ['a limit of zero', { limit: '0' }, []],
  ['several fields', { method: 'POST', status: '2xx', since: 1 }, [2, 3]],
])('%s: filters alike over HTTP and in process', async (_, filter, numbers) => {
  const { mock } = await busyMock()
  const control = controlOf(mock)
  expect(mock.journal.entries(filter).map(({ number }) => number)).toEqual(numbers)
  expect(mock.journal.find(filter)).toEqual(mock.journal.entries(filter))
  const found = await control.done('POST /requests/find', { body: filter })
  expect(found.requests).toEqual(mock.journal.entries(filter))
  const words = Object.entries(filter).map(([word, value]) => [word, String(value)])
  const query = `?${new URLSearchParams(words)}`
  expect(await control.done('GET /requests', { query })).toEqual(found)
  const { limit, ...rest } = filter
  const matching = mock.journal.entries(rest).length
  expect(mock.journal.count(rest)).toBe(matching)
  expect(await control.done('POST /requests/count', { body: rest })).toEqual({ count: matching })
})

test('an entry contains the request, its caller, time and response', async () => {
  const { mock, ada } = await busyMock()
  const [entry] = mock.journal.entries({ status: 503 })
  expect(entry).toEqual({
    number: 7,
    id: expect.stringMatching(/^req_[a-z0-9]{8}_5$/),
    at: later,
    duration_ms: 0,
    org_id: await ada.orgId(),
    key_id: expect.stringMatching(/^key_/),
    operation: 'whoami',
    status: 503,
    error: 'unavailable',
    variant: 'first',
    reason: 'prefer; fault=unavailable',
    wire: null,
    request: {
      method: 'GET',
      url: 'http://mock.test/api/cli/whoami',
      headers: { authorization: 'Bearer [redacted]', prefer: 'code=503' },
      body: null,
    },
    answer: {
      headers: expect.objectContaining({ 'x-mock-reason': 'prefer; fault=unavailable' }),
      body: expect.stringContaining('"unavailable"'),
    },
  })
})

test.each([
  [{ operation: 'nope' }, 'operation: takes whoami, createKey'],
  [{ status: 'many' }, 'status: takes statuses'],
  [
    { since: 'yesterday' },
    'since: takes an ISO 8601 date such as 2026-03-01T09:00:00Z, or the number of a request',
  ],
  [{ limit: -1 }, 'limit: takes a whole number, 0 or more'],
  [{ limit: '-1' }, 'limit: takes a whole number, 0 or more'],
  [{ nope: 1 }, 'nope'],
])('%j is rejected with advice', async (filter, advice) => {
  const mock = frozenMock()
  const { status, body } = await controlOf(mock).call('POST /requests/find', { body: filter })
  expect([status, body.title]).toEqual([400, expect.stringContaining(advice)])
  expect(() => mock.journal.entries(filter as RequestFilter)).toThrow(advice)
})

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

test('a wait ends when its client disconnects', async () => {
  const mock = frozenMock()
  const { send } = await listening(mock)
  const gone = new AbortController()
  const waiting = send('POST', '/__admin/requests/wait', { body: { timeout: '10m' }, signal: gone.signal })
  await curl('--version')
  gone.abort()
  expect((await waiting).status).toBe(0)
})
