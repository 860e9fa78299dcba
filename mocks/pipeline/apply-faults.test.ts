/** What each fault does to an answer and to the state, in process; edges/faults.test.ts has those of a connection. */
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { clientOf } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'
import { rawClient } from '../testing/raw-client.ts'

/** Runs a task under a fault of that run; returns the answer and how many credits it took. */
async function run(fault: string) {
  const mock = frozenMock({ fault: `runTask=${fault}` })
  const client = clientOf(mock)
  const before = await client.credits()
  const id = await client.newTask()
  const response = await rawClient(mock).call('runTask', { id })
  const error = 'error' in response.body ? response.body.error : undefined
  const reason = response.headers.get('x-mock-reason')
  return { ...client, mock, id, response, error, reason, paid: before - (await client.credits()) }
}

const codes: Record<ErrorCode, [status: number, paid: number]> = {
  unauthorized: [401, 0],
  not_found: [404, 0],
  invalid_request: [409, 0],
  no_credits: [402, 0],
  busy: [409, 1],
  rate_limited: [429, 0],
  unavailable: [503, 0],
  internal_error: [500, 0],
}

test.each(Object.entries(codes))('%s is returned, with its effect', async (code, [status, paid]) => {
  const result = await run(code)
  expect([result.response.status, result.error, result.paid]).toEqual([status, code, paid])
  expect(result.response.headers.get('retry-after')).toBe(code === 'rate_limited' ? '1' : null)
})

test.each([
  ['ok', 0, null],
  ['delay 20ms', 19, 'rule=f1; fault=delay 20ms'],
  ['delay 5ms..8ms', 4, 'rule=f1; fault=delay 5ms..8ms'],
  ['delay lognormal 20ms 0.01', 15, 'rule=f1; fault=delay lognormal 20ms 0.01'],
])('%s precedes an ordinary answer', async (fault, ms, reason) => {
  const started = performance.now()
  const result = await run(fault)
  expect(performance.now() - started).toBeGreaterThanOrEqual(ms)
  expect([result.response.status, result.paid, result.reason]).toEqual([200, 1, reason])
})

test('fail: the accepted run fails and is refunded', async () => {
  const { response, paid, mock, poll, id } = await run('fail')
  expect([response.status, paid]).toEqual([200, 1])
  mock.clock.advance(2_000)
  expect((await poll(id)).status).toBe('failed')
  const entries = mock.organization('demo').ledgers()[0]?.entries
  expect(entries?.at(-1)).toMatchObject({ kind: 'refund', amount: 1, request_id: null })
})

test('fail: a generation fails and is refunded', async () => {
  const { call, credits } = clientOf(frozenMock({ fault: 'generateCreative=fail', credits: 3 }))
  expect((await call('generateCreative', { body: { prompt: 'a' } })).status).toBe(503)
  expect(await credits()).toBe(3)
})

test('slow: the accepted run takes the given time', async () => {
  const { mock, poll, id, reason } = await run('slow 1h')
  expect(reason).toBe('rule=f1; fault=slow 3600000ms')
  mock.clock.advance(3_599_999)
  expect((await poll(id)).finished).toBe(false)
  mock.clock.advance(1)
  expect((await poll(id)).finished).toBe(true)
})

const start = (...fault: string[]) => {
  const mock = frozenMock({ fault })
  return { mock, ...rawClient(mock) }
}

describe('faults of one answer', () => {
  test('bad_gateway is a 502 that is not JSON, and the request has no effect', async () => {
    const { mock, call, newTask } = start('createTask=bad_gateway;times=1')
    await expect(newTask()).rejects.toThrow(SyntaxError)
    const [refusal] = mock.journal.entries()
    expect(refusal).toMatchObject({ status: 502, error: null })
    const { items } = (await call('listTasks')).body
    expect(items).not.toContainEqual(expect.objectContaining({ text: 'Say hello' }))
  })

  test('other_variant changes the shape of one answer', async () => {
    const { call } = start('listTasks=other_variant;times=1')
    const shapeOf = async () => Object.keys((await call('listTasks')).body).sort()
    expect([await shapeOf(), await shapeOf()]).toEqual([
      ['items', 'limit', 'remaining', 'usedToday'],
      ['credits', 'items'],
    ])
  })

  test('other_variant applies to operations with two shapes only', () => {
    expect(() => start('whoami=other_variant')).toThrow(
      'cannot apply "other_variant" to whoami; it applies to listTasks, createTask, runTask',
    )
  })

  test('quirks make one answer unusual, and leave the values that a client sent', async () => {
    const { call } = start('createTask=quirks;times=1', 'whoami=quirks;times=1')
    const created = await call('createTask', { body: { text: 'Say hello' } })
    expect([created.status, created.body.task?.text]).toEqual([201, 'Say hello'])
    expect((await call('whoami')).body).toMatchObject({ org: { name: null }, plan: { seats: null } })
    expect(typeof (await call('whoami')).body.plan).toBe('string')
  })

  test('rate_limited date gives Retry-After as a date', async () => {
    const { call } = start('whoami=rate_limited date,rate_limited')
    const waitOf = async () => (await call('whoami')).headers.get('retry-after')
    expect([await waitOf(), await waitOf()]).toEqual([new Date(noon + 1_000).toUTCString(), '1'])
  })
})
