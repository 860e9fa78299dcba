/** Effect of each fault on the answer, the state and the connection, as undici, curl and clients in process observe it. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import type { OperationId } from '#contract/operation.ts'
import { faultRows } from '../faults/fault.ts'
import { buildRequest, checkedClientOf, type RequestParts, uncheckedClientOf } from '../testing/client.ts'
import { listenUntilTestEnd, runCurl } from '../testing/listening.ts'
import { createFrozenMock, createFrozenMockWithClient, noonMs } from '../testing/mock.ts'

/** Runs a task under a fault of that run; returns the answer and how many credits it took. */
async function run(fault: string) {
  const mock = createFrozenMock({ fault: `runTask=${fault}` })
  const client = checkedClientOf(mock)
  const before = await client.credits()
  const id = await client.newTask()
  const response = await uncheckedClientOf(mock).call('runTask', { id })
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

test.each(
  faultRows.filter(({ before, kind }) => before && kind !== 'wire').map((row) => [row.keyword, row] as const),
)('%s is no answer of its own, or other faults of its request are applied first', async (keyword, row) => {
  const mock = createFrozenMock({ fault: `runTask=${row.example ?? keyword}` })
  const id = await checkedClientOf(mock).newTask()
  const { apiKey } = mock.credentials()
  const { status } = await mock.fetch(buildRequest('runTask', { id }, { authorization: `Bearer ${apiKey}` }))
  expect(row.isDecisive === true || status < 300).toBe(true)
})

const start = (...fault: string[]) => {
  const mock = createFrozenMock({ fault })
  return { mock, ...uncheckedClientOf(mock) }
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

  test('quirks make one answer unusual, and leave the values that a client sent', async () => {
    const { call } = start('createTask=quirks;times=1', 'whoami=quirks;times=1')
    const created = await call('createTask', { body: { text: 'Say hello' } })
    expect([created.status, created.body.task?.text]).toEqual([201, 'Say hello'])
    expect((await call('whoami')).body).toMatchObject({ org: { name: null }, plan: { seats: null } })
    expect(typeof (await call('whoami')).body.plan).toBe('string')
  })

  test('each fault of a rule with a delay comes late, and what the rule lets pass does not', async () => {
    const { call } = start('whoami=503,ok,429;delay=40ms')
    const answers = []
    for (const _ of [1, 2, 3]) {
      const { status, headers } = await call('whoami')
      answers.push([status, headers.get('x-mock-reason')])
    }
    expect(answers).toEqual([
      [503, 'rule=f1; fault=delay 40ms, unavailable; remaining=2'],
      [200, null],
      [429, 'rule=f1; fault=delay 40ms, rate_limited; remaining=0'],
    ])
  })

  test('rate_limited date gives Retry-After as a date', async () => {
    const { call } = start('whoami=rate_limited date,rate_limited')
    const waitOf = async () => (await call('whoami')).headers.get('retry-after')
    expect([await waitOf(), await waitOf()]).toEqual([new Date(noonMs + 1_000).toUTCString(), '1'])
  })
})

const echoed = (reply: { status: number; headers: Headers }) => [
  reply.status,
  reply.headers.get('preference-applied'),
]

const ofRun = 'variant=second, fault="slow 5s", fault=fail'

test.each<
  [prefer: string, operation: OperationId, input: RequestParts, status: number, claimed: string | null]
>([
  [ofRun, 'runTask', { id: 'none' }, 404, 'variant=second'],
  ['variant=first, code=422', 'createTask', { body: { text: 'x' } }, 400, 'variant=first'],
  ['variant=second, code=422', 'createTask', { body: { text: 'x' } }, 422, 'variant=second, code=422'],
  ['error=unavailable, error=rate_limited', 'whoami', {}, 503, 'error=unavailable'],
  ['respond-async, wait=10', 'whoami', {}, 200, null],
  ['delay=0.001', 'whoami', {}, 200, 'delay=0.001'],
  ['wait=0.001', 'whoami', {}, 200, 'wait=0.001'],
  ['wait=1ms', 'whoami', {}, 200, 'wait=1ms'],
])('of Prefer: %s, only what %s did is claimed', async (prefer, operation, input, status, claimed) => {
  const began = performance.now()
  const reply = await uncheckedClientOf(createFrozenMock()).call(operation, { ...input, headers: { prefer } })
  expect(echoed(reply)).toEqual([status, claimed])
  // Beside respond-async, a wait is that of RFC 7240, and delays nothing.
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('what a run is to do is claimed, also if it waits', async () => {
  const { call, newTask } = uncheckedClientOf(createFrozenMock())
  const run = async (prefer: string) =>
    echoed(await call('runTask', { id: await newTask(), headers: { prefer } }))
  expect([await run(ofRun), await run('fault=fail')]).toEqual([
    [200, ofRun],
    [409, 'fault=fail'],
  ])
})

test('a failed generation is claimed, one that is refused is not', async () => {
  const { call, state, credits } = checkedClientOf(createFrozenMock({ credits: 1 }))
  const input = { body: { prompt: 'sea' }, headers: { prefer: 'fault=fail' } }
  expect(echoed(await call('generateCreative', input))).toEqual([503, 'fault=fail'])
  expect(await credits(), 'refunded').toBe(1)
  await state('unavailable')
  expect(echoed(await call('generateCreative', input))).toEqual([503, null])
  await state('unavailable', {}, 'teardown')
  await state('credits', { credits: 0 })
  expect(echoed(await call('generateCreative', input))).toEqual([402, null])
})

test('the reason says which faults had no effect, and what was answered', async () => {
  const { mock, call, newTask } = createFrozenMockWithClient({ credits: 1, fault: 'runTask=busy;times=1' })
  const reasonOf = async (id: string, prefer?: string) => {
    const { headers } = await call('runTask', { id, headers: prefer === undefined ? {} : { prefer } })
    return headers.get('x-mock-reason')
  }
  expect(await reasonOf('none')).toBe(
    'rule=f1; fault=busy; remaining=0; without effect=busy; answer=404 not_found',
  )
  expect(mock.journal.entries()[0]?.reason).toMatch(/without effect=busy; answer=404 not_found$/)
  expect(await reasonOf('none', 'delay=0.001, fault=fail')).toBe(
    'prefer; fault=delay 1ms, fail; without effect=fail; answer=404 not_found',
  )
  expect(await reasonOf('none', 'error=unavailable, fault=fail')).toBe(
    'prefer; fault=unavailable, fail; without effect=fail; answer=503 unavailable',
  )
  for (const other of ['delay=0.001', 'fault=quirks'])
    expect(await reasonOf('none', `code=503, ${other}`)).toMatch(/^prefer; fault=unavailable, [\w ]+$/)
  expect(await reasonOf(await newTask(), 'error=busy')).toBe('prefer; fault=busy')
  expect(await reasonOf(await newTask('[[mock:503]]'))).toBe('magic; fault=unavailable')
})

test('a request that waits while its organization is reset is handled in the new one, if its key exists there', async () => {
  const { mock, call } = createFrozenMockWithClient({})
  const headers = { prefer: 'delay=0.02' }
  const session = { cookie: mock.credentials().sessionCookie }
  const made = await call('createKey', { body: { name: 'CI' }, headers: session })
  const authorization = `Bearer ${made.body.secret}`
  const created = call('createTask', { body: { text: 'Late' }, headers })
  const refused = call('whoami', { headers: { ...headers, authorization } })
  mock.reset()
  const { task } = (await created).body
  expect((await call('getTask', { id: String(task.id) })).status).toBe(200)
  expect((await refused).status).toBe(401)
})

test.each([
  ['lost', 'lost reset"; the request had its effect'],
  ['cut_header', 'cut_header"; the request had its effect'],
  ...['reset', 'empty'].map((wire) => [wire, `${wire}"`]),
])('in process, %s is an immediately failed request', async (fault, name) => {
  const mock = createFrozenMock({ fault: `whoami=${fault}` })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const failure = await mock.fetch('http://mock.test/api/cli/whoami', { headers }).catch((error) => error)
  expect(failure).toBeInstanceOf(TypeError)
  expect([failure.message, failure.cause.message]).toEqual([
    'fetch failed',
    `the mock applied the fault "${name}`,
  ])
})

test('in process, a body that is truncated breaks off, and one that dribbles comes whole', async () => {
  const mock = createFrozenMock({ fault: 'whoami=truncate,dribble 10ms' })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const answer = () => mock.fetch('http://mock.test/api/cli/whoami', { headers })
  const cut = await answer()
  expect(cut.status).toBe(200)
  await expect(cut.json()).rejects.toThrow(
    expect.objectContaining({ name: 'TypeError', message: 'terminated' }),
  )
  expect(await (await answer()).json()).toHaveProperty('credits')
})

test.each([
  ['hang', 0],
  ['lost hang', 1],
])('in process, %s waits until the client gives up, and costs %i', async (fault, paid) => {
  const { mock, credits, newTask } = createFrozenMockWithClient({ fault: `runTask=${fault}` })
  const [before, id] = [await credits(), await newTask()]
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const url = `http://mock.test/api/cli/tasks/${id}/run`
  const waits = mock.fetch(url, { method: 'POST', headers, signal: AbortSignal.timeout(20) })
  await expect(waits).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }))
  expect(before - (await credits())).toBe(paid)
})

test('answers in process carry their URL, and that of where they were redirected to', async () => {
  const mock = createFrozenMock({ fault: 'listTasks=redirect' })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const at = (path: string, init = {}) => mock.fetch(`http://mock.test${path}`, { headers, ...init })
  expect((await at('/api/cli/whoami?a=1')).url).toBe('http://mock.test/api/cli/whoami?a=1')
  const { status, url, redirected } = await at('/api/cli/tasks')
  expect([status, url, redirected]).toEqual([200, 'http://mock.test/api/cli/tasks?redirected=1', true])
  expect((await at('/api/cli/tasks', { redirect: 'manual' })).status).toBe(307)
  await expect(at('/api/cli/tasks', { redirect: 'error' })).rejects.toThrow(TypeError)
})

test('a redirect keeps method and body, and gives another host no key', async () => {
  const mock = createFrozenMock({ fault: 'createTask=redirect' })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const create = (origin: string, text: string) =>
    mock.fetch(`${origin}/api/cli/tasks`, { method: 'POST', headers, body: JSON.stringify({ text }) })
  expect(await (await create('http://mock.test', 'here')).json()).toMatchObject({ task: { text: 'here' } })
  expect(await (await create('http://mock.test', '[[mock:create:redirect]] a')).json()).toMatchObject({
    task: { text: '[[mock:create:redirect]] a' },
  })
  expect((await create('http://127.0.0.1:1', 'there')).status).toBe(401)
})

const gone = expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/)

test('idle: a response, then the connection is closed', async () => {
  const { mock } = createFrozenMockWithClient({ fault: 'whoami=idle' })
  const { url } = await listenUntilTestEnd(mock)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(
    `GET /api/cli/whoami HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${mock.credentials().apiKey}\r\n\r\n`,
  )
  const received = await text(socket)
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(received).not.toMatch(/connection: close/i)
  expect(received).toContain('"credits":')
})

test('stale: a response, then the next request on the connection is reset, but no control call', async () => {
  const { mock, credits, newTask } = createFrozenMockWithClient({ fault: 'runTask=stale' })
  const { send } = await listenUntilTestEnd(mock)
  const [before, id] = [await credits(), await newTask()]
  const key = mock.credentials().apiKey
  expect((await send('POST', `/api/cli/tasks/${id}/run`, { key })).status).toBe(200)
  expect(before - (await credits())).toBe(1)
  expect((await send('GET', '/__admin/health')).status).toBe(200)
  const next = () => send('GET', '/api/cli/whoami', { key })
  expect((await next()).error).toEqual(gone)
  expect((await next()).status).toBe(200)
})

test.each([
  ['reset', 56, '', 0],
  ['lost', 56, '', 1],
  ['empty', 52, '', 0],
  ['lost empty', 52, '', 1],
  ['truncate', 18, '{"taskId":"', 1],
  ['lost truncate', 18, '{"taskId":"', 1],
  ['truncate chunked', 18, '{"taskId":"', 1],
  // curl takes an unfinished header for the end of the answer.
  ['cut_header', 0, '', 1],
  ['idle', 0, '{"taskId":"', 1],
  ['hang', 28, '', 0],
  ['malformed', 0, '{"taskId":"', 1],
  ['dribble 60ms', 0, '{"taskId":"', 1],
  ['503', 0, '{"error":"unavailable"', 0],
])('curl reports %s with exit code %i and %j, and it costs %i', async (fault, exit, begin, paid) => {
  const { mock, newTask, credits, poll } = createFrozenMockWithClient({ fault: `runTask=${fault}` })
  const [before, id] = [await credits(), await newTask()]
  const { url } = await listenUntilTestEnd(mock)
  const auth = `Authorization: Bearer ${mock.credentials().apiKey}`
  const limit = fault === 'hang' ? '0.05' : '5'
  const started = performance.now()
  const { code, out } = await runCurl('-X', 'POST', '-m', limit, '-H', auth, `${url}/api/cli/tasks/${id}/run`)
  const took = performance.now() - started
  expect([code, out.slice(0, begin.length), before - (await credits())]).toEqual([exit, begin, paid])
  expect((await poll(id)).status).toBe(paid ? 'in_progress' : 'pending')
  if (fault.startsWith('dribble')) expect(took).toBeGreaterThan(50)
  if (/malformed|truncate/.test(fault)) expect(() => JSON.parse(out)).toThrow()
})
