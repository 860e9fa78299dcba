/** Every fault, requested in every way, as a client over a connection observes it. */
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import type { Mock } from '../app.ts'
import type { FaultRuleText } from '../faults/rule-text.ts'
import { clientOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { listening, type ReceivedResponse } from '../testing/listening.ts'
import { frozenMock } from '../testing/mock.ts'

/** A request for a fault on the run of a task. */
interface FaultRequest {
  readonly mock: Mock
  readonly name: string
  readonly text: string
  readonly headers: Record<string, string>
  readonly reason: string
}

type RequestFault = (fault: string) => Promise<FaultRequest>

const plain = { name: 'ada', text: 'Say hello', headers: {} }

const preferred = (fault: string) =>
  fault.startsWith('delay ') ? `delay=${Number.parseFloat(fault.slice(6)) / 1_000}` : `fault="${fault}"`

const ways: Record<string, RequestFault> = {
  'a rule by control call': async (fault) => {
    const mock = frozenMock()
    const { apiKey } = mock.credentials('ada')
    await controlOf(mock, apiKey).done('POST /faults', { body: { operation: 'runTask', faults: [fault] } })
    return { ...plain, mock, reason: `rule=f_${mock.organization('ada').id.slice(4, 12)}_1` }
  },
  'a rule in one line': async (fault) => {
    const mock = frozenMock()
    mock.faults.add(`runTask=${fault}` as FaultRuleText)
    return { ...plain, mock, reason: 'rule=f1' }
  },
  'an option': async (fault) => ({
    ...plain,
    mock: frozenMock({ fault: `runTask=${fault}` }),
    reason: 'rule=f1',
  }),
  'a header': async (fault) => ({
    ...plain,
    mock: frozenMock(),
    headers: { prefer: preferred(fault) },
    reason: 'prefer',
  }),
  'the text of the task': async (fault) => ({
    ...plain,
    mock: frozenMock(),
    text: `Say hello [[mock:${fault}]]`,
    reason: 'magic',
  }),
  'the key': async (fault) => {
    const mock = frozenMock()
    const name = `ada.fault=runTask=${fault.replaceAll(' ', ':')}`
    return { ...plain, mock, name, reason: `rule=f_${mock.organization(name).id.slice(4, 12)}_1` }
  },
}

/** Requests a run with a fault over one connection. */
async function run({ mock, name, text, headers }: FaultRequest, timeout?: number) {
  const { send, url } = await listening(mock)
  const { newTask, credits, poll, call } = clientOf(mock, name)
  const before = await credits()
  const id = await newTask(text)
  const key = mock.credentials(name).apiKey
  const path = `/api/cli/tasks/${id}/run`
  const response = await send('POST', path, { key, headers, ...(timeout === undefined ? {} : { timeout }) })
  return { mock, response, send, url, key, path, id, poll, call, headers, paid: before - (await credits()) }
}

type RunResult = Awaited<ReturnType<typeof run>>

const bodyOf = ({ text }: ReceivedResponse) => JSON.parse(text) as { error?: string; status?: string }

/** Expects the reason in the response and in the journal. */
function expectReason({ response, mock }: RunResult, request: FaultRequest, fault: string): void {
  const reason = response.headers['x-mock-reason']
  expect(reason).toMatch(new RegExp(`^${request.reason}; fault=${fault}`))
  expect(mock.journal.entries({ operation: 'runTask' })[0]?.reason).toBe(reason)
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

describe.each(Object.entries(ways))('by %s', (_, faultRequest) => {
  test.each(Object.entries(codes))('%s is returned', async (code, [status, paid]) => {
    const request = await faultRequest(code)
    const result = await run(request)
    expect([result.response.status, bodyOf(result.response).error, result.paid]).toEqual([status, code, paid])
    expectReason(result, request, code)
    expect(result.response.headers['retry-after']).toBe(code === 'rate_limited' ? '1' : undefined)
  })

  test('a delay precedes the response', async () => {
    const request = await faultRequest('delay 20ms')
    const started = performance.now()
    const result = await run(request)
    expect(performance.now() - started).toBeGreaterThanOrEqual(19)
    expect([result.response.status, result.paid]).toEqual([200, 1])
    expectReason(result, request, 'delay 20ms')
  })

  test.each(['reset', 'empty'])('%s: no response and no effect', async (fault) => {
    const { response, paid, mock } = await run(await faultRequest(fault))
    expect([response.error, paid]).toEqual([expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/), 0])
    const [entry] = mock.journal.entries({ operation: 'runTask' })
    expect(entry).toMatchObject({ status: 0, wire: fault, error: null, answer: { body: '' } })
  })

  test('hang: no response ever, and no effect', async () => {
    const { response, paid } = await run(await faultRequest('hang'), 40)
    expect([response.error, paid]).toEqual(['UND_ERR_HEADERS_TIMEOUT', 0])
  })

  test.each(['lost', 'lost empty', 'lost reset'])('%s: the effect, but no response', async (fault) => {
    const { response, paid, poll, id, mock } = await run(await faultRequest(fault))
    expect([response.error, paid]).toEqual([expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/), 1])
    expect((await poll(id)).status).toBe('in_progress')
    const [entry] = mock.journal.entries({ operation: 'runTask' })
    expect(entry).toMatchObject({ status: 0, answer: { body: expect.stringContaining('in_progress') } })
    const entries = mock.ledgers().find(({ org_id }) => org_id === entry?.org_id)?.entries
    expect(entries?.at(-1)).toMatchObject({ kind: 'reserve', amount: -1, request_id: entry?.id })
  })

  test('truncate: the effect, and half a response', async () => {
    const { response, paid } = await run(await faultRequest('truncate'))
    expect([response.error, paid]).toEqual([expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/), 1])
  })

  test('malformed: the effect, and a response that is not JSON', async () => {
    const request = await faultRequest('malformed')
    const result = await run(request)
    expect([result.response.status, result.paid]).toEqual([200, 1])
    expect(() => bodyOf(result.response)).toThrow(SyntaxError)
    expectReason(result, request, 'malformed')
  })

  test('dribble: the effect, and a slow response', async () => {
    const request = await faultRequest('dribble 30ms')
    const result = await run(request)
    expect([result.response.status, bodyOf(result.response).status, result.paid]).toEqual([
      200,
      'in_progress',
      1,
    ])
    expectReason(result, request, 'dribble 30ms')
  })

  test('stale: a response, then the next request on the connection is reset', async () => {
    const request = await faultRequest('stale')
    const result = await run(request)
    expect([result.response.status, result.paid]).toEqual([200, 1])
    expectReason(result, request, 'stale')
    const next = () => result.send('GET', '/api/cli/whoami', { key: result.key })
    expect((await next()).error).toMatch(/ECONNRESET|UND_ERR_SOCKET/)
    expect((await next()).status).toBe(200)
  })

  test('fail: the accepted run fails and is refunded', async () => {
    const request = await faultRequest('fail')
    const result = await run(request)
    expect([result.response.status, result.paid]).toEqual([200, 1])
    expectReason(result, request, 'fail')
    result.mock.clock.advance(2_000)
    expect((await result.poll(result.id)).status).toBe('failed')
    const entries = result.mock.organization(request.name).ledgers()[0]?.entries
    expect(entries?.at(-1)).toMatchObject({ kind: 'refund', amount: 1, request_id: null })
  })

  test('slow: the accepted run takes the given time', async () => {
    const request = await faultRequest('slow 1h')
    const result = await run(request)
    expectReason(result, request, 'slow 3600000ms')
    result.mock.clock.advance(3_599_999)
    expect((await result.poll(result.id)).finished).toBe(false)
    result.mock.clock.advance(1)
    expect((await result.poll(result.id)).finished).toBe(true)
  })

  test('ok: no fault', async () => {
    const { response, paid } = await run(await faultRequest('ok'))
    expect([response.status, paid]).toEqual([200, 1])
  })
})
