/** The client waits out limits, never repeats paid requests, and identifies itself; answers are read within bounds. */
import { expect, test, vi } from 'vitest'
import { errorAnswer, type FakeTargetRequest, jsonAnswer, lostRequestError } from '../testing/fake-target.ts'
import { readResponseBody } from './answer.ts'
import { NotExercised, Unreachable, Violation } from './check-errors.ts'
import { retryAfterTooLongError } from './client.ts'
import { retryAfterMs } from './rate-limits.ts'
import { Recorder } from './recorder.ts'
import { clientForFakeService } from './testing/client.ts'

/** Returns the answers in order, then the last one repeatedly. */
function inTurn(...answers: (() => Response)[]) {
  let i = 0
  return () => (answers[Math.min(i++, answers.length - 1)] as () => Response)()
}

const ok = () => jsonAnswer(200)
const gateway = () => new Response('<html>', { status: 502 })
const limited =
  (headers: Record<string, string> = {}) =>
  () =>
    errorAnswer(429, 'rate_limited', headers)
const drop = () => {
  throw lostRequestError()
}
const silent = ({ signal }: FakeTargetRequest) =>
  new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

/** Answers of a service that knows nothing but `whoami`. */
const onlyWhoami =
  (otherwise: (sent: FakeTargetRequest) => Response | Promise<Response>) =>
  (sent: FakeTargetRequest): Response | Promise<Response> =>
    sent.path.endsWith('whoami') ? jsonAnswer(401) : otherwise(sent)

test('a body that is not JSON is recorded as text', async () => {
  const { client, recorder } = clientForFakeService(gateway)
  expect(await client.call('whoami')).toMatchObject({ status: 502, text: '<html>', json: undefined })
  expect(recorder.exchanges.map(({ status }) => status)).toEqual([502, 502])
})

test.each([
  502, 503, 504,
])('a %i that is not of this API is repeated once and only counted', async (status) => {
  const { client, target, recorder } = clientForFakeService(
    inTurn(() => new Response('<html>', { status }), ok),
  )
  expect(await client.call('whoami')).toMatchObject({ status: 200 })
  expect(recorder.exchanges.map(({ status }) => status)).toEqual([200])
  expect(target.sent).toHaveLength(2)
  expect(recorder.disturbances).toEqual({ dropped: 0, gateway: 1, waits: 1, waited_ms: 500, repeats: 1 })
})

test('a paid request that a gateway answers is not repeated: once it shows nothing, twice it is judged', async () => {
  const { client, target, recorder, charges } = clientForFakeService(onlyWhoami(gateway))
  await expect(client.call('runTask', { id: '1' })).rejects.toThrow(
    new NotExercised(
      'the service was away: no answer of its own to POST /base/api/cli/tasks/1/run (502 of a gateway)',
    ),
  )
  // The balance is read, which shows what it has cost.
  expect(recorder.exchanges.map(({ operation }) => operation)).toEqual(['whoami'])
  expect(await client.call('runTask', { id: '2' })).toMatchObject({ status: 502 })
  expect(target.sent.filter(({ method }) => method === 'POST')).toHaveLength(2)
  expect(recorder.exchanges.at(-1)).toMatchObject({ status: 502 })
  expect(recorder).toMatchObject({ disturbances: { gateway: 2, repeats: 0 } })
  expect(charges.open).toBe(2)
})

test('a gateway that answers paid requests again and again convicts no service that has answered one itself', async () => {
  const { client, recorder } = clientForFakeService(({ path }) =>
    /own|whoami/.test(path) ? ok() : gateway(),
  )
  await client.call('runTask', { id: 'own' })
  for (const id of ['1', '2', '3'])
    await expect(client.call('runTask', { id })).rejects.toThrow(/502 of a gateway/)
  expect(recorder.exchanges.map(({ status }) => status)).not.toContain(502)
})

test.each([
  ['a refused connection', drop],
  ['a gateway', gateway],
])('a service that is away for some seconds is waited for (%s)', async (_, away) => {
  const { client, target, recorder } = clientForFakeService(({ at }) => (at < 8_000 ? away() : ok()))
  expect(await client.call('whoami')).toMatchObject({ status: 200 })
  expect(target.now()).toBeLessThan(9_000)
  expect(recorder.exchanges.map(({ status }) => status)).toEqual([200])
})

test('a run that nobody listened to is sent again, and costs nothing', async () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const { client, recorder, charges } = clientForFakeService(({ at }) =>
    at < 8_000 ? Promise.reject(refused) : ok(),
  )
  expect(await client.call('runTask', { id: '1' })).toMatchObject({ status: 200 })
  expect(recorder.sent).toHaveLength(1)
  expect(charges.open).toBe(0)
})

test('dropped connections, waits and repeats are counted', async () => {
  const { client, recorder } = clientForFakeService(inTurn(drop, limited({ 'retry-after': '7' }), ok))
  await client.call('whoami')
  expect(recorder.disturbances).toEqual({ dropped: 1, gateway: 0, waits: 2, waited_ms: 7_500, repeats: 2 })
})

test('of waits at the same time, the time counts once', () => {
  const recorder = new Recorder()
  for (const now of [0, 100, 200]) recorder.repeatAfter(5_000, now)
  recorder.repeatAfter(1_000, 9_000)
  expect(recorder.disturbances).toMatchObject({ waits: 4, waited_ms: 6_200, repeats: 4 })
})

/** A date of Retry-After is compared with the clock of the service. */
const dated = { date: 'Sun, 01 Mar 2026 09:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 09:00:05 GMT' }

test.each<['whoami' | 'createTask' | 'runTask', Record<string, string>, number]>([
  ['whoami', { 'retry-after': '7' }, 7_000],
  ['createTask', { 'retry-after': '7' }, 7_000],
  ['runTask', { 'retry-after': '7' }, 7_000],
  ['whoami', dated, 5_000],
])('%s waits exactly as long as Retry-After says, then retries (%j)', async (operation, headers, ms) => {
  const { client, target } = clientForFakeService(inTurn(limited(headers), ok))
  expect(await client.call(operation, { id: '1' })).toMatchObject({ status: 200 })
  expect(target.slept).toEqual([ms])
})

test('if waiting does not help it waits longer, and finally returns the 429', async () => {
  const { client, target } = clientForFakeService(limited({ 'retry-after': '0' }))
  expect(await client.call('whoami')).toMatchObject({ status: 429 })
  expect(target.sent).toHaveLength(21)
  expect(target.slept[0]).toBe(0)
  expect(target.slept).toEqual(target.slept.toSorted((a, b) => a - b))
})

test('a 429 without Retry-After is retried for about half a minute', async () => {
  const { client, target } = clientForFakeService(limited())
  await client.call('whoami')
  const slept = target.slept.reduce((a, b) => a + b, 0)
  expect(slept).toBeGreaterThan(30_000)
  expect(slept).toBeLessThan(60_000)
})

test('a free request is retried after a 503, a paid one is not', async () => {
  const free = clientForFakeService(inTurn(() => errorAnswer(503, 'unavailable', { 'retry-after': '2' }), ok))
  expect(await free.client.call('createTask', { body: { text: 'a' } })).toMatchObject({ status: 200 })
  expect(free.target.slept).toEqual([2_000])
  const paid = clientForFakeService(() => errorAnswer(503, 'unavailable'))
  expect(await paid.client.call('runTask', { id: '1' })).toMatchObject({ status: 503 })
  expect(paid.target.sent).toHaveLength(1)
})

test('a service that stops answering is given up after one more request, and named by the last that it answered', async () => {
  let isSilent = false
  const { client, target } = clientForFakeService((sent) => (isSilent ? silent(sent) : ok()), { timeout: 5 })
  await client.call('createTask', { body: { text: 'a' } })
  isSilent = true
  const calls = [client.call('whoami'), client.call('listTasks')]
  for (const result of await Promise.allSettled(calls))
    expect(String((result as PromiseRejectedResult).reason)).toContain(
      'http://service.test/base stopped answering after POST /base/api/cli/tasks at 0.0 s',
    )
  const { length } = target.sent
  expect(length).toBeLessThanOrEqual(5)
  await expect(client.call('whoami')).rejects.toThrow(Unreachable)
  expect(target.sent).toHaveLength(length)
})

test.each([
  'runTask',
  'generateCreative',
] as const)('%s is never retried when its answer was lost, and may have cost a credit', async (operation) => {
  const { client, target, charges } = clientForFakeService(onlyWhoami(drop))
  const call = () => client.call(operation, { id: '1', body: { prompt: 'a' } })
  await expect(call()).rejects.toThrow(NotExercised)
  expect(target.sent.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(charges.open).toBe(1)
  await expect(call()).rejects.toThrow(Violation)
})

test('no answer from a service that answers other requests is a violation that names the request', async () => {
  const { client, target } = clientForFakeService(onlyWhoami(drop), { outage: 1_500 })
  const error: unknown = await client.call('getTask', { id: '1' }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(Violation)
  expect(error).toMatchObject({
    expected: 'an answer',
    actual: 'none to GET /base/api/cli/tasks/1: ECONNRESET',
  })
  expect(target.sent).toHaveLength(5)
})

test('a service that answers no request is unreachable', async () => {
  const { client } = clientForFakeService(drop)
  const error: unknown = await client.call('getTask', { id: '1' }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(Unreachable)
  expect(String(error)).toContain('http://service.test/base does not answer: ECONNRESET')
})

test('a deletion that is repeated because its answer was lost may find nothing', async () => {
  const { client, recorder } = clientForFakeService(inTurn(drop, () => errorAnswer(404, 'not_found')))
  await expect(client.call('deleteKey', { id: '1' })).rejects.toThrow(NotExercised)
  expect(recorder.exchanges).toMatchObject([{ status: 404 }])
})

test('an answer that takes too long is lost', async () => {
  const { client } = clientForFakeService(onlyWhoami(silent), { timeout: 5, runTimeout: 5 })
  await expect(client.call('runTask', { id: '1' })).rejects.toThrow('no answer in time')
})

test('an interrupted run sends no more requests and does not wait for a paid answer', async () => {
  const controller = new AbortController()
  const interrupted = (sent: FakeTargetRequest) => {
    const answer = silent(sent)
    controller.abort()
    return answer
  }
  const { client, target, charges } = clientForFakeService(interrupted, { signal: controller.signal })
  await expect(client.call('runTask', { id: '1' })).rejects.toThrow(NotExercised)
  await expect(client.call('whoami')).rejects.toThrow('the run was interrupted')
  expect(target.sent).toHaveLength(1)
  expect(charges.open).toBe(1)
})

test('a long body is read again with the same text and value', async () => {
  const value = { items: Array.from({ length: 5_000 }, (_, i) => ({ id: i, text: 'ü'.repeat(20) })) }
  const body = await readResponseBody(jsonAnswer(200, value))
  expect(body.kept).toBeGreaterThan(0)
  expect([body.text, body.json]).toEqual([JSON.stringify(value), value])
  // Others in between, so that it is no longer remembered.
  for (let i = 0; i < 3; i++)
    expect((await readResponseBody(new Response(' '.repeat(11 * 2 ** 20)))).text).toHaveLength(11 * 2 ** 20)
  expect([body.text, body.json]).toEqual([JSON.stringify(value), value])
  expect(body.json).toBe(body.json)
})

test('a short body is kept as it is, and an empty one is no JSON', async () => {
  expect(await readResponseBody(jsonAnswer(200, { a: 1 }))).toEqual({
    text: '{"a":1}',
    json: { a: 1 },
    kept: 0,
  })
  expect(await readResponseBody(new Response(null, { status: 204 }))).toEqual({
    text: '',
    json: undefined,
    kept: 0,
  })
})

test('a body that is too large is a violation of whoever asked, and is recorded with its start', async () => {
  const { client, recorder, charges } = clientForFakeService(
    () => new Response(`[${'1'.repeat(17 * 2 ** 20)}]`),
  )
  const error = await client.call('runTask', { id: '1' }).catch((error) => error)
  expect(error).toBeInstanceOf(Violation)
  expect(error.actual).toBe(
    'the answer to POST /base/api/cli/tasks/1/run is larger than 16 MB; the rest was not read',
  )
  expect(recorder.exchanges).toMatchObject([{ excess: 'is larger than 16 MB; the rest was not read' }])
  expect(recorder.exchanges[0]?.text).toHaveLength(4_097)
  expect(charges.open).toBe(1)
})

test('a service whose answers are too large together is not asked any more', async () => {
  const { client, recorder } = clientForFakeService(() => jsonAnswer(200))
  recorder.keptBytes = 256 * 2 ** 20
  expect((await client.call('whoami')).status).toBe(200)
  recorder.keptBytes++
  await expect(client.call('whoami')).rejects.toThrow(Unreachable)
})

test('a wait that is longer than the limit is not waited for, said once, and not exercised, unless it is taken', async () => {
  const { client, target, said } = clientForFakeService(() =>
    errorAnswer(429, 'rate_limited', { 'retry-after': '999999999' }),
  )
  for (let i = 0; i < 2; i++) await expect(client.call('listTasks')).rejects.toThrow(NotExercised)
  expect((await client.call('listTasks', { takes: [429] })).status).toBe(429)
  expect([target.slept, target.sent.length]).toEqual([[], 3])
  expect(said).toEqual([
    'not waited for as long as the service asks after GET /base/api/cli/tasks (Retry-After: 999999999), which is longer than --retry-limit 120s',
  ])
})

test('waits for one answer count together', async () => {
  const { client, target } = clientForFakeService(
    () => errorAnswer(429, 'rate_limited', { 'retry-after': '3' }),
    {
      retryLimit: 10_000,
    },
  )
  await expect(client.call('whoami')).rejects.toThrow('--retry-limit 10s')
  expect(target.slept).toEqual([3_000, 3_000, 3_000])
})

const date = 'Sun, 01 Mar 2026 09:00:00 GMT'

test.each([
  ['0', 0],
  ['1', 1_000],
  ['0120', 120_000],
  ['Sun, 01 Mar 2026 09:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 09:00:30 GMT', 30_000],
  ['Sun Mar  1 09:00:30 2026', 30_000],
  ['Sun, 01 Mar 2026 08:59:30 GMT', 0],
])('%s is %i ms', (value, ms) => {
  expect(retryAfterMs(value, date)).toBe(ms)
})

test('no form depends on where the suite runs', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  expect(new Date(0).getHours(), 'the time zone is in effect').toBe(9)
  expect(retryAfterMs('Sun Mar  1 09:00:30 2026', date)).toBe(30_000)
  vi.unstubAllEnvs()
})

test.each([
  undefined,
  '',
  ' ',
  '1.5',
  '-1',
  '1s',
  '1e3',
  '٣',
  'soon',
  '2026-03-01T09:00:30Z',
  'Sun, 32 Mar 2026 09:00:30 GMT',
])('%j is neither form', (value) => {
  expect(retryAfterMs(value, date)).toBeUndefined()
})

test('without a Date that can be read, a date is read against our own clock', () => {
  const soon = new Date(Date.now() + 3_600_000).toUTCString()
  for (const unusable of [undefined, 'yesterday']) {
    const wait = retryAfterMs(soon, unusable)
    expect(wait).toBeGreaterThan(3_500_000)
    expect(wait).toBeLessThanOrEqual(3_600_000)
  }
})

test('a wait beyond the window of a limit that was set is said to be one in milliseconds', () => {
  const limited = {
    operation: 'whoami',
    method: 'GET',
    url: 'http://host/api/cli/whoami',
    headers: { 'retry-after': '1382' },
  } as const
  const { message } = retryAfterTooLongError(limited, { retryLimit: 120_000 }, new Set(), 2)
  expect(message).toMatch(
    /120s; the limit that was set ends after 2 s: Retry-After takes seconds, not milliseconds$/,
  )
})
