/** Provider states and the login: what an operator arranges over `/__admin`, and takes back. */
import { describe, expect, test } from 'vitest'
import { clientOf, origin } from '../../testing/client.ts'
import { frozenMock } from '../../testing/mock.ts'

const second = 1_000

describe('credits', () => {
  test.each([0, 1, 2.5, 1000])('the organization can spend exactly %d', async (credits) => {
    const client = clientOf(frozenMock())
    expect(await client.state('credits', { credits })).toBe(200)
    expect(await client.credits()).toBe(credits)
    expect(await client.state('credits', {}, 'teardown')).toBe(200)
  })

  test('a run in progress is refunded on top', async () => {
    const mock = frozenMock({ runOutcome: 'failed' })
    const { ask, newTask, state, credits } = clientOf(mock)
    await ask('runTask', { id: await newTask() })
    await state('credits', { credits: 3 })
    expect(await credits()).toBe(3)
    mock.clock.advance(2 * second)
    expect(await credits()).toBe(4)
  })
})

test('agent_idle: nothing runs and nothing waits', async () => {
  const mock = frozenMock({ busy: 60 })
  const { ask, newTask, state, look } = clientOf(mock)
  const ids = [await newTask(), await newTask()]
  for (const id of ids) expect((await ask('runTask', { id })).status).toBe(409)
  expect(await state('agent_idle')).toBe(200)
  for (const id of ids) expect(await look(id)).toEqual({ status: 'completed', finished: true })
  expect((await ask('runTask', { id: await newTask() })).status).toBe(200)
  expect(await state('agent_idle', {}, 'teardown')).toBe(200)
})

describe('agent_busy', () => {
  test('runs wait as long as was asked for, then start by themselves', async () => {
    const mock = frozenMock()
    const { ask, newTask, state, look } = clientOf(mock)
    const id = await newTask()
    await state('agent_busy', { duration_ms: 30_000 })
    const { status, body } = await ask('runTask', { id })
    expect([status, Reflect.get(body, 'error')]).toEqual([409, 'busy'])
    mock.clock.advance(30_000 - 1)
    expect((await look(id)).status).toBe('queued')
    mock.clock.advance(1)
    expect((await look(id)).status).toBe('in_progress')
    mock.clock.advance(2 * second)
    expect((await look(id)).finished).toBe(true)
  })

  test('teardown frees the agent at once', async () => {
    const mock = frozenMock()
    const { ask, newTask, state, look } = clientOf(mock)
    const id = await newTask()
    await state('agent_busy', { duration_ms: 3_600_000 })
    await ask('runTask', { id })
    mock.clock.advance(5 * second)
    expect(await state('agent_busy', {}, 'teardown')).toBe(200)
    expect((await look(id)).status).toBe('in_progress')
    mock.clock.advance(2 * second)
    expect((await look(id)).finished).toBe(true)
    expect((await ask('runTask', { id })).status).toBe(200)
  })
})

describe('next_run_fails', () => {
  test('the next run that starts fails, and only that one', async () => {
    const mock = frozenMock({ credits: 5 })
    const { ask, newTask, state, look, credits } = clientOf(mock)
    const [running, next, last] = [await newTask(), await newTask(), await newTask()]
    await ask('runTask', { id: running })
    await state('next_run_fails')
    for (const id of [next, last]) await ask('runTask', { id })
    mock.clock.advance(60 * second)
    const statuses = await Promise.all([running, next, last].map(async (id) => (await look(id)).status))
    expect(statuses).toEqual(['completed', 'failed', 'completed'])
    expect(await credits()).toBe(3)
  })

  test('teardown forgets it', async () => {
    const mock = frozenMock()
    const { ask, newTask, state, look } = clientOf(mock)
    const id = await newTask()
    await state('next_run_fails')
    await state('next_run_fails', {}, 'teardown')
    await ask('runTask', { id })
    mock.clock.advance(2 * second)
    expect((await look(id)).status).toBe('completed')
  })
})

test('next_creative_fails: the next generation fails, and teardown forgets it', async () => {
  const { ask, state } = clientOf(frozenMock())
  const generate = async () => (await ask('generateCreative', { body: { prompt: 'a' } })).status
  await state('next_creative_fails')
  expect([await generate(), await generate()]).toEqual([503, 200])
  await state('next_creative_fails')
  await state('next_creative_fails', {}, 'teardown')
  expect(await generate()).toBe(200)
})

test('unavailable: key routes of this organization answer 503, others and cookie routes answer', async () => {
  const mock = frozenMock()
  const { ask, state } = clientOf(mock)
  await state('unavailable')
  expect((await ask('listTasks')).status).toBe(503)
  expect((await ask('listKeys')).status).toBe(200)
  expect((await clientOf(mock, 'else').ask('listTasks')).status).toBe(200)
  await state('unavailable', {}, 'teardown')
  expect((await ask('listTasks')).status).toBe(200)
})

test('rate_limit: that limit for each key, counters fresh, and teardown brings the normal one back', async () => {
  const mock = frozenMock({ rateLimit: '5/10s' })
  const { ask, state, orgId } = clientOf(mock)
  await orgId()
  for (let i = 0; i < 5; i++) await ask('whoami')
  await state('rate_limit', { limit: 2, window_s: 1.5 })
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await ask('whoami')).status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await ask('whoami')).headers.get('retry-after')).toBe('2')
  await state('rate_limit', {}, 'teardown')
  for (let i = 0; i < 5; i++) expect((await ask('whoami')).status).toBe(200)
  expect((await ask('whoami')).status).toBe(429)
})

test('unread_notification: one more unread notification', async () => {
  const { ask, state } = clientOf(frozenMock())
  const before = (await ask('listNotifications')).body
  await state('unread_notification')
  const { items, unread } = (await ask('listNotifications')).body
  expect([items.length, unread]).toEqual([before.items.length + 1, before.unread + 1])
  expect(items[0]?.read).toBe(false)
  expect(await state('unread_notification', {}, 'teardown')).toBe(200)
})

test('a state touches no other organization', async () => {
  const mock = frozenMock()
  const other = clientOf(mock, 'other')
  const before = await other.credits()
  const { state } = clientOf(mock)
  await state('credits', { credits: 1 })
  await state('agent_busy', { duration_ms: 1_000 })
  expect(await other.credits()).toBe(before)
  expect((await other.ask('runTask', { id: await other.newTask() })).status).toBe(200)
})

test('a state that is not offered is 404', async () => {
  const { state } = clientOf(frozenMock())
  for (const name of ['nope', '', '__proto__', 'toString']) expect(await state(name)).toBe(404)
})

test.each([
  ['credits', {}],
  ['credits', { credits: -1 }],
  ['credits', { credits: '5' }],
  ['credits', { credits: 5, org_id: 'org_nobody' }],
  ['agent_busy', {}],
  ['agent_busy', { duration_ms: -1 }],
  ['rate_limit', { limit: 1 }],
  ['rate_limit', { limit: 1.5, window_s: 1 }],
  ['rate_limit', { limit: 1, window_s: 0 }],
  ['rate_limit', { limit: 1, window_s: 1e300 }],
])('%s with %j is refused and changes nothing', async (name, params) => {
  const { state, credits, ask } = clientOf(frozenMock({ credits: 7 }))
  expect(await state(name, params)).toBe(400)
  expect(await credits()).toBe(7)
  expect((await ask('whoami')).status).toBe(200)
})

const post = (path: string, body?: string) =>
  new Request(`${origin}/__admin${path}`, { method: 'POST', ...(body !== undefined && { body }) })

test.each([
  '',
  '{',
  '[]',
  'null',
  '{}',
  '{"state":"credits"}',
  '{"state":"credits","params":{"org_id":1},"action":"x"}',
])('a request that says %j is refused as a problem', async (body) => {
  const response = await frozenMock().fetch(post('/states', body))
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
})

test('control routes are neither limited nor counted', async () => {
  const { state, ask } = clientOf(frozenMock({ rateLimit: '2/10s' }))
  for (let i = 0; i < 10; i++) expect(await state('agent_idle')).toBe(200)
  expect((await ask('whoami')).status).toBe(200)
})

test('login sets the session of the organization that is named', async () => {
  const mock = frozenMock()
  const response = await mock.fetch(post('/login', '{"organization":"東京\\r\\n"}'))
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  expect(await response.json()).toEqual({ cookie })
  const { ask } = clientOf(mock)
  expect((await ask('listKeys', { as: 'nobody', headers: { cookie } })).status).toBe(200)
})

test('login without a name is the session that is printed at the start', async () => {
  const mock = frozenMock()
  expect(await (await mock.fetch(post('/login'))).json()).toEqual({
    cookie: mock.credentials().sessionCookie,
  })
})

test.each([
  '{"organization":5}',
  '{"organization":""}',
  '{"organization":"\\ud800"}',
])('login refuses %s', async (body) => {
  expect((await frozenMock().fetch(post('/login', body))).status).toBe(400)
})

test('health answers, and what is no control route does not', async () => {
  const mock = frozenMock({ seed: 'mine' })
  const get = (path: string) => mock.fetch(new Request(`${origin}/__admin${path}`))
  expect(await (await get('/health')).json()).toMatchObject({ status: 'healthy', seed: 'mine', bugs: 0 })
  for (const path of ['/nope', '/states/none', '/login']) expect((await get(path)).status).toBe(404)
})
