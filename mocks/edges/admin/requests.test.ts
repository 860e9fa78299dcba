/** The journal over control routes and in process: the same filters, the same results, no secrets; and waiting for requests. */
import { describe, expect, test } from 'vitest'
import type { Mock } from '../../app.ts'
import type { RequestFilter, WaitTimeout } from '../../journal/reader.ts'
import { checkedClientOf } from '../../testing/client.ts'
import { createControlClient } from '../../testing/control.ts'
import { listenUntilTestEnd, runCurl } from '../../testing/listening.ts'
import { createFrozenMock, createFrozenMockWithClient, noonMs } from '../../testing/mock.ts'

/** Creates a mock with requests of two organizations and of an unauthenticated caller. */
async function busyMock() {
  const mock = createFrozenMock({ credits: 1 })
  const ada = checkedClientOf(mock, 'ada')
  const id = await ada.newTask('first')
  await ada.call('runTask', { id })
  mock.clock.advance(10_000)
  await ada.call('runTask', { id: await ada.newTask('second') })
  await checkedClientOf(mock, 'bob').call('getTask', { id })
  await ada.call('whoami', { as: 'nobody' })
  await ada.call('whoami', { headers: { prefer: 'code=503' } })
  return { mock, ada, id }
}

const later = new Date(noonMs + 10_000).toISOString()

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
  const control = createControlClient(mock)
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
  const mock = createFrozenMock()
  const { status, body } = await createControlClient(mock).call('POST /requests/find', { body: filter })
  expect([status, body.title]).toEqual([400, expect.stringContaining(advice)])
  expect(() => mock.journal.entries(filter as RequestFilter)).toThrow(advice)
})

test('a wait ends as soon as the expected requests have arrived', async () => {
  const mock = createFrozenMock()
  const { send } = await listenUntilTestEnd(mock)
  const key = mock.credentials().apiKey
  const body = { match: { operation: 'createTask' }, count: 2, timeout: '30s' }
  const waiting = send('POST', '/__admin/requests/wait', { body, timeout: 30_000 })
  const inProcess = mock.journal.wait({ match: { operation: 'createTask' }, count: 2, timeout: '30s' })
  const { call, newTask } = checkedClientOf(mock)
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

test('a wait returns at once what has arrived; a timeout is a problem that lists it', async () => {
  const { mock } = await busyMock()
  const control = createControlClient(mock)
  expect((await control.done('POST /requests/wait')).requests).toHaveLength(7)
  const body = { match: { error: 'no_credits' }, count: 2, timeout: '20ms' }
  const { status, body: problem } = await control.call('POST /requests/wait', { body })
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
  const mock = createFrozenMock()
  const { send } = await listenUntilTestEnd(mock)
  const gone = new AbortController()
  const waiting = send('POST', '/__admin/requests/wait', { body: { timeout: '10m' }, signal: gone.signal })
  await runCurl('--version')
  gone.abort()
  expect((await waiting).status).toBe(0)
})

const whyOf = async (mock: Mock, number: number) =>
  (await createControlClient(mock).done(`GET /requests/${number}`)).why

const anchorsOf = (why: { specification: { anchor: string }[] }) =>
  why.specification.map(({ anchor }) => anchor)

describe('why', () => {
  test('a run: the credit it reserved, the rows it added, and the rules it follows', async () => {
    const { mock, call, newTask } = createFrozenMockWithClient({ credits: 3 })
    const id = await newTask()
    await call('runTask', { id })
    const why = await whyOf(mock, 2)
    expect(why).toMatchObject({
      decided_by: 'state',
      sentence: 'The request was handled: one credit reserved.',
      fault: null,
      credits: { before: 3, after: 2 },
      complete: true,
      earlier: [],
    })
    expect(why.changes).toMatchObject([
      { resource: 'ledger', kind: 'added', before: null, after: { kind: 'reserve', amount: -1 } },
      { resource: 'tasks', id, kind: 'changed', fields: ['run'], before: { run: null } },
      { resource: 'runs', kind: 'changed', before: { started_at: null }, after: { ended: false } },
    ])
    expect(anchorsOf(why)).toEqual(['run-task', 'run-reserves'])
    expect(why.specification[1].sentence).toMatch(/one credit/)
  })

  test('a read changes nothing; what time changed before it is told apart', async () => {
    const { mock, call, newTask } = createFrozenMockWithClient({ runOutcome: 'failed', credits: 3 })
    const id = await newTask()
    await call('runTask', { id })
    mock.clock.advance('2s')
    mock.organization().addCredits(5)
    await call('getTask', { id })
    await call('getTask', { id })
    const why = await whyOf(mock, 3)
    expect(why.changes).toEqual([])
    expect(why.credits).toEqual({ before: 8, after: 8 })
    expect(
      why.earlier.map(({ resource, kind }: { resource: string; kind: string }) => [resource, kind]),
    ).toEqual([
      ['runs', 'changed'],
      ['ledger', 'added'],
      ['notifications', 'added'],
      ['ledger', 'added'],
    ])
    expect((await whyOf(mock, 4)).earlier).toEqual([])
  })

  test.each([
    ['no key', {}, 'GET', '/whoami', { authorization: '' }, 'authentication', 'unauthorized-first'],
    ['no such path', {}, 'GET', '/nope', {}, 'route', 'path-prefix'],
    ['a wish', {}, 'GET', '/whoami', { prefer: 'fault=x' }, 'preference', 'error-invalid-request'],
    ['a fault rule', { fault: 'whoami=503;times=2' }, 'GET', '/whoami', {}, 'fault', 'error-unavailable'],
    ['the limit', { rateLimit: '0/60s' }, 'GET', '/whoami', {}, 'rate_limit', 'rate-limit'],
    ['no extended set', { extended: false }, 'GET', '/leads', {}, 'extended_set', 'core-set-required'],
    ['a body', {}, 'POST', '/tasks', {}, 'input', 'status-400'],
    ['no credits', { credits: 0 }, 'POST', '/creative/generate', {}, 'state', 'error-no-credits'],
    ['no such task', {}, 'GET', '/tasks/nope', {}, 'state', 'error-not-found'],
  ])('%s decides', async (_, options, method, path, headers, stage, anchor) => {
    const mock = createFrozenMock(options)
    const authorization = `Bearer ${mock.credentials().apiKey}`
    const body = method === 'POST' && path !== '/tasks' ? { body: '{"prompt":"sea"}' } : {}
    await mock.fetch(`http://mock/api/cli${path}`, {
      method,
      headers: { authorization, ...headers },
      ...body,
    })
    const why = await whyOf(mock, 1)
    expect(why.decided_by).toBe(stage)
    expect(anchorsOf(why)).toContain(anchor)
    expect(why.sentence).toMatch(/^[A-Z].*\.$/)
    expect(why.changes).toEqual([])
  })

  test('a fault rule is named, with what is left of it', async () => {
    const mock = createFrozenMock({ fault: 'whoami=503;times=2' })
    await checkedClientOf(mock).call('whoami')
    const why = await whyOf(mock, 1)
    expect(why.fault).toEqual({ origin: 'rule', rule: 'f1', fault: 'unavailable', remaining: 1 })
    expect(why.sentence).toContain('The fault rule f1 (unavailable) decided')
  })

  test('no credits: how many there were', async () => {
    const { mock, call, newTask } = createFrozenMockWithClient({ credits: 0 })
    await call('runTask', { id: await newTask() })
    const why = await whyOf(mock, 2)
    expect(why.sentence).toBe('The organization had 0 credits, and the request costs one.')
    expect(anchorsOf(why)).toEqual(['run-without-credit', 'error-no-credits', 'after-402'])
  })

  test('no secret of a key is shown', async () => {
    const mock = createFrozenMock()
    const { body } = await checkedClientOf(mock).call('createKey', { body: { name: 'CI' } })
    const shown = JSON.stringify(await createControlClient(mock).done('GET /requests/1'))
    expect(shown).toContain('"resource":"keys"')
    expect(shown).not.toContain(body.secret)
  })
})

describe('sending', () => {
  test('a refused request is sent again with its body, and one whose body was not read only with one', async () => {
    const mock = createFrozenMock({ fault: 'createTask=503,503,ok' })
    const { url, send } = await listenUntilTestEnd(mock)
    const { apiKey } = mock.credentials()
    const body = '{"text":"one"}'
    await send('POST', '/api/cli/tasks', { key: apiKey, body: JSON.parse(body) })
    const chunked = { method: 'POST', body: new Blob([body]).stream(), duplex: 'half' } as const
    await fetch(`${url}/api/cli/tasks`, { ...chunked, headers: { authorization: `Bearer ${apiKey}` } })
    expect(mock.journal.entries({ status: 503 }).map(({ request }) => request.body)).toEqual([body, null])
    const again = async (number: number, given: object) =>
      (await send('POST', `/__admin/requests/${number}/send`, { body: given })).status
    expect([await again(2, {}), await again(2, { body }), await again(1, {})]).toEqual([409, 200, 200])
    expect(mock.journal.entries({ status: 200 })[0]?.request.url).toBe(`${url}/api/cli/tasks`)
  })

  test('a new request gets the credential of its route', async () => {
    const mock = createFrozenMock()
    const { done } = createControlClient(mock, mock.credentials('ada').apiKey)
    expect(await done('POST /requests/send', { body: { path: '/api/cli/whoami' } })).toMatchObject({
      status: 200,
    })
    const create = { method: 'POST', path: '/api/cli/keys', body: '{"name":"CI"}' }
    expect(await done('POST /requests/send', { body: create })).toMatchObject({ status: 200 })
  })

  test('without a journal nothing is sent', async () => {
    const mock = createFrozenMock({ journal: 0 })
    const { call } = createControlClient(mock, mock.credentials('ada').apiKey)
    const listed = async () => (await checkedClientOf(mock, 'ada').call('listTasks')).body.items.length
    const before = await listed()
    const create = { method: 'POST', path: '/api/cli/tasks', body: '{"text":"a"}' }
    const { status, body } = await call('POST /requests/send', { body: create })
    expect([status, body.title]).toEqual([409, 'Nothing was sent: there is no journal to show the answer.'])
    expect(await listed()).toBe(before)
  })

  test('a connection fault leaves no response, and a body that was cut cannot be sent again', async () => {
    const mock = createFrozenMock()
    const ada = createControlClient(mock, mock.credentials('ada').apiKey)
    const hang = { path: '/api/cli/whoami', headers: { prefer: 'fault=hang' } }
    expect(await ada.done('POST /requests/send', { body: hang })).toMatchObject({ status: 0 })
    await checkedClientOf(mock).newTask('x'.repeat(140_000))
    const { copy, request } = await createControlClient(mock).done('GET /requests/2')
    expect((await createControlClient(mock).done(`GET /requests/${request.id}`)).request).toEqual(request)
    expect([copy.curl, copy.typescript, JSON.parse(copy.har).log.entries[0].comment]).toEqual([
      expect.stringMatching(/^# The journal holds only the beginning of the body\.\ncurl /),
      expect.stringMatching(/^\/\/ The journal holds only the beginning of the body\.\nimport /),
      'only the beginning of the request body was kept; only the beginning of the response body was kept',
    ])
    const { status, body } = await ada.call('POST /requests/2/send', { body: {} })
    expect(status).toBe(404)
    expect(body.title).toContain('does not hold')
    expect((await createControlClient(mock).call('POST /requests/2/send', { body: {} })).status).toBe(409)
  })
})

test('rows are filtered by text and number, and limited', async () => {
  const { mock, newTask } = createFrozenMockWithClient()
  for (const text of ['Alpha', 'beta', 'ALPHABET', 'gamma']) await newTask(text)
  const numbers = async (query: string) =>
    (await createControlClient(mock).done('GET /requests/rows', { query })).requests.map(
      ({ number }: { number: number }) => number,
    )
  expect(await numbers('?text=alpha')).toEqual([1, 3])
  expect(await numbers('?until=2')).toEqual([1, 2])
  expect(await numbers('?limit=1&until=3')).toEqual([3])
  expect(await numbers('')).toEqual([1, 2, 3, 4])
})

test('a parameter that is sent twice is refused', async () => {
  const { status, body } = await createControlClient(createFrozenMock()).call('GET /requests/rows', {
    query: '?limit=1&limit=2',
  })
  expect([status, body.title]).toEqual([400, 'the query: takes limit once'])
})

test('a request is sent with the credential that it names', async () => {
  const { mock, orgId } = createFrozenMockWithClient()
  const headers = { Authorization: 'Bearer unknown' }
  const body = { org_id: await orgId(), path: '/api/cli/whoami', headers }
  expect(await createControlClient(mock).done('POST /requests/send', { body })).toMatchObject({ status: 401 })
})

test('an unknown number is not found', async () => {
  for (const id of ['1', '0', 'x', '-1'])
    expect((await createControlClient(createFrozenMock()).call(`GET /requests/${id}`)).status).toBe(404)
})

test.each([
  '/api/cli/../../__admin/reset',
  '/api/cli/%2e%2e/%2E%2E/__admin/reset',
  '/api/cli/..\\..\\__admin\\reset',
  '/api/cli/\t../../__admin/reset',
  '/api/cli/..',
  'https://evil.example/',
])('a path that leaves the API is not sent: %j', async (path) => {
  const { mock, newTask } = createFrozenMockWithClient({}, 'ada')
  await newTask()
  const { call } = createControlClient(mock, mock.credentials('ada').apiKey)
  for (const route of ['POST /requests/send', 'POST /requests/1/send']) {
    const { status, body } = await call(route, { body: { method: 'POST', path } })
    expect([route, status, body.title]).toEqual([
      route,
      400,
      expect.stringContaining('takes a path below /api/cli/'),
    ])
  }
  expect(mock.journal.count()).toBe(1)
})
