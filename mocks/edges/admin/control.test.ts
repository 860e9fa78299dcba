/** Provider states, the login, the vocabulary and the document of `/__admin`. */

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { errorCodes } from '#contract/errors.ts'
import { operationIds } from '#contract/operation.ts'
import { parseFault } from '../../faults/words.ts'
import { checkedClientOf, testOrigin } from '../../testing/client.ts'
import { createControlClient } from '../../testing/control.ts'
import { createFrozenMock, createFrozenMockWithClient, noonMs } from '../../testing/mock.ts'
import { controlRoutes } from './index.ts'

const second = 1_000

test('agent_idle: no run is active or queued', async () => {
  const { call, newTask, state, poll } = checkedClientOf(createFrozenMock({ busy: 60 }))
  const ids = [await newTask(), await newTask()]
  for (const id of ids) expect((await call('runTask', { id })).status).toBe(409)
  expect([await state('agent_idle'), await state('agent_idle', {}, 'teardown')]).toEqual([200, 200])
  for (const id of ids) expect(await poll(id)).toEqual({ status: 'completed', finished: true })
  expect((await call('runTask', { id: await newTask() })).status).toBe(200)
})

test('of many organizations, the overview has the oldest one and the newest', async () => {
  const mock = createFrozenMock({ chaos: 0 })
  for (let i = 0; i <= 200; i++) mock.organization(`o${i}`).setCredits(1)
  const { organizations } = await createControlClient(mock).done('GET /overview')
  // Chaos that is off does not count as set.
  expect(organizations[0].set).toEqual([])
  expect(organizations.map(({ key_name }: { key_name: string }) => key_name)).toEqual([
    ...Array.from({ length: 199 }, (_, i) => `o${200 - i}`),
    'o0',
  ])
})

test('agent_busy: the longer one counts, and teardown frees the agent immediately', async () => {
  const { mock, call, newTask, state, poll } = createFrozenMockWithClient()
  const id = await newTask()
  for (const duration_ms of [3_600_000, 1_000]) await state('agent_busy', { duration_ms })
  await call('runTask', { id })
  mock.clock.advance(5 * second)
  expect((await poll(id)).status).toBe('queued')
  expect(await state('agent_busy', {}, 'teardown')).toBe(200)
  await state('agent_busy', {}, 'teardown')
  mock.clock.advance(2 * second - 1)
  expect(await poll(id)).toEqual({ status: 'in_progress', finished: false })
  mock.clock.advance(1)
  expect((await poll(id)).finished).toBe(true)
  expect((await call('runTask', { id })).status).toBe(200)
})

test('next_creative_fails: only the next generation fails, and teardown cancels it', async () => {
  const { call, state } = checkedClientOf(createFrozenMock())
  const generate = async () => (await call('generateCreative', { body: { prompt: 'a' } })).status
  await state('next_creative_fails')
  expect([await generate(), await generate()]).toEqual([503, 200])
  await state('next_creative_fails')
  await state('next_creative_fails', {}, 'teardown')
  expect(await generate()).toBe(200)
})

test('rate_limit: sets the limit per key with new counters, and teardown restores the normal one', async () => {
  const mock = createFrozenMock({ rateLimit: '5/10s' })
  const { call, state, orgId } = checkedClientOf(mock)
  await orgId()
  for (let i = 0; i < 5; i++) await call('whoami')
  await state('rate_limit', { limit: 2, window_s: 1.5 })
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await call('whoami')).status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await call('whoami')).headers.get('retry-after')).toBe('2')
  await state('rate_limit', {}, 'teardown')
  for (let i = 0; i < 5; i++) expect((await call('whoami')).status).toBe(200)
  expect((await call('whoami')).status).toBe(429)
})

test('a state does not affect other organizations, and none affects cookie routes', async () => {
  const mock = createFrozenMock()
  const other = checkedClientOf(mock, 'other')
  const before = await other.credits()
  const { state, call } = checkedClientOf(mock)
  await state('credits', { credits: 1 })
  await state('agent_busy', { duration_ms: 1_000 })
  await state('unavailable')
  expect((await call('listKeys')).status).toBe(200)
  expect(await other.credits()).toBe(before)
  expect((await other.call('runTask', { id: await other.newTask() })).status).toBe(200)
})

test('an unknown state returns 404', async () => {
  const { state } = checkedClientOf(createFrozenMock())
  for (const name of ['nope', '', '__proto__', 'toString']) expect(await state(name)).toBe(404)
})

const setUp = (state: string, params: object = {}) => ({ state, action: 'setup', params })

test.each<[route: string, ...bodies: object[]]>([
  ['POST /faults', {}, { faults: [] }, { faults: ['nope'] }, { rule: '503', times: 3 }],
  ['POST /faults', { faults: ['503'], time: 3 }, { faults: ['503'], times: -1 }],
  ['POST /faults', { faults: ['503'], operation: 'nope' }],
  ['POST /requests/wait', { timeout: 'long' }, { timeout: '1h' }, { count: 0 }, { until: 1 }],
  ['POST /requests/wait', { match: { operation: 'nope' } }],
  ['POST /states', [], {}, { state: 'credits' }, { state: 'credits', params: { org_id: 1 }, action: 'x' }],
  ['POST /states', setUp('credits'), setUp('credits', { credits: -1 }), setUp('credits', { credits: '5' })],
  ['POST /states', setUp('credits', { credits: 1e13 }), setUp('agent_busy', { duration_ms: 1e18 })],
  ['POST /states', setUp('credits', { credits: 5, org_id: 'org_nobody' })],
  ['POST /states', setUp('agent_busy'), setUp('agent_busy', { duration_ms: -1 })],
  ['POST /states', setUp('credits', { credits: 5, credit: 6 }), { ...setUp('agent_idle'), param: {} }],
  ['POST /states', setUp('rate_limit', { limit: 1 }), setUp('rate_limit', { limit: 1.5, window_s: 1 })],
  ['POST /states', setUp('rate_limit', { limit: 1, window_s: 0 })],
  ['POST /states', setUp('rate_limit', { limit: 1, window_s: 1e300 })],
  ['POST /credits', {}, { add: 1, set: 1 }, { set: -1 }, { add: '5' }, { add: 1e300 }, { credits: 5 }],
  [
    'POST /organizations',
    {},
    { name: '' },
    { name: 'with.dot' },
    { name: 'a b' },
    { name: 'ada', seed: 'x' },
    { name: 'wak_test_ada' },
  ],
  ['POST /organizations', { name: 'ada', credits: -1 }, { name: 'ada', variant: 'third' }],
  ['POST /organizations', { name: 'ada', fault: 'whoami=busy' }],
  ['POST /requests/count', { operation: 'createTasks' }, { error: 'no_credit' }, { method: 'PSOT' }],
  ['POST /login', { organization: 5 }, { organization: '' }, { organization: '\ud800' }],
  ['PUT /clock', {}, { action: 'jump' }, { action: 'advance' }, { action: 'advance', by: '-1s' }],
  ['PUT /clock', { action: 'advance', by: '1s', to: 'next_event' }, { action: 'advance', at: noonMs }],
  ['PUT /clock', { action: 'set' }, { action: 'set', to: 'soon' }, { action: 'advance', by: '9999999d' }],
  ['PUT /clock', { action: 'set', to: '2026-02-30T09:00:00Z' }, { action: 'set', to: 253_402_300_800_000 }],
  ['PUT /clock', { action: 'freeze', by: 5 }, { action: 'run', to: noonMs }, { action: 'run', org: 'x' }],
])('%s refuses %j and the like with a reason, and changes nothing', async (route, ...bodies) => {
  const { mock, orgId, control } = createFrozenMockWithClient({ credits: 7 })
  const org_id = await orgId()
  const before = JSON.stringify(mock.snapshot())
  for (const given of bodies) {
    const params = 'params' in given && { params: { org_id, ...(given.params as object) } }
    const body = Array.isArray(given) ? given : { ...given, ...params }
    const { status, body: problem } = await control.call(route, { body })
    expect([given, status, problem.title]).toEqual([given, 400, expect.stringMatching(/.{10,}/)])
  }
  expect(JSON.stringify(mock.snapshot())).toBe(before)
})

const cannot = 'The recording cannot be rebuilt:'

test.each<[route: string, body: object, title: string]>([
  ['PUT /settings', { runDuration: 'soon' }, 'runDuration: takes '],
  [
    'PUT /settings',
    { runDuratoin: '1s' },
    'the body: does not take "runDuratoin"; did you mean "runDuration"',
  ],
  ['PUT /settings', { cors: true }, 'cors: is an option of the whole mock'],
  [
    'PUT /clock',
    { action: 'advance', to: noonMs - 1 },
    'It is 2026-03-01T12:00:00.000Z already, after 2026-03-01T11',
  ],
  ['PUT /clock', { action: 'advance', by: '999999999h' }, 'A clock takes a moment of the years 0 to 9999.'],
  ['PUT /behaviour', { chaos: 2 }, 'chaos: takes the share'],
  ['PUT /behaviour', { strictClient: '' }, 'strictClient'],
  ['PUT /behaviour', { chaosSeed: 'x' }, 'chaosSeed: says nothing without "chaos"'],
  ['POST /organizations', { name: 'ada', runDuration: -5 }, 'runDuration: takes a duration'],
  ['POST /requests/send', { path: '/api/cli/whoami', body: '{}' }, 'No such request can be sent: '],
  ['POST /restore', { state: 'state=nonsense!' }, 'This link holds no state'],
  ['POST /restore', { state: '' }, 'This link holds no state'],
  ['POST /restore', { file: { of: 'organization' } }, 'Invalid snapshot'],
  ['POST /restore', { file: { log: {} } }, `${cannot} it is no HAR: there is no log.entries`],
  ['POST /restore', { file: { log: { entries: [] } } }, `${cannot} nothing in it is a request of this API`],
  ['POST /restore', { file: { of: 'mock' }, until: 3 }, '"until" needs a HAR'],
  ['POST /restore', {}, 'Send exactly one'],
])('%s refuses %j with a reason that begins with %s, and changes nothing', async (route, body, title) => {
  const { mock, orgId, control } = createFrozenMockWithClient()
  await orgId()
  const before = JSON.stringify(mock.snapshot())
  const { status, body: problem } = await control.call(route, { body })
  expect([status, problem.title.slice(0, title.length)]).toEqual([400, title])
  expect(JSON.stringify(mock.snapshot())).toBe(before)
})

test.each(['org_nobody', 'that of another'])('a call with a key refuses an org_id that is %s', async (of) => {
  const { mock, control } = createFrozenMockWithClient({}, 'ada')
  const give = async (org_id: string) =>
    (await control.call('POST /credits', { body: { add: 1, org_id } })).status
  const other = of === 'org_nobody' ? of : mock.organization('bob').id
  expect([await give(other), await give(mock.organization('ada').id)]).toEqual([400, 200])
})

test('a change of credits is answered with those right before it, so that it can be undone alone', async () => {
  const { orgId, control } = createFrozenMockWithClient({ credits: 7 })
  const change = async (body: object) =>
    control.done('POST /credits', { body: { org_id: await orgId(), ...body } })
  expect(await change({ set: 0 })).toMatchObject({ credits: 0, credits_before: 7 })
  expect(await change({ add: 7 })).toMatchObject({ credits: 7, credits_before: 0 })
})

test('a call refuses two organizations in its query and its body', async () => {
  const { orgId, control } = createFrozenMockWithClient()
  const query = `?org_id=${await orgId()}`
  const statusOf = async (org_id: string) =>
    (await control.call('POST /credits', { query, body: { add: 1, org_id } })).status
  expect([await statusOf('org_nobody'), await statusOf(await orgId())]).toEqual([400, 200])
})

test('login takes a key that an organization has made', async () => {
  const { mock, call } = createFrozenMockWithClient({}, 'ada')
  const { secret } = (await call('createKey', { body: { name: 'CI' } })).body
  const response = await mock.fetch(post('/login', JSON.stringify({ organization: secret })))
  expect(await response.json()).toEqual({ cookie: mock.credentials('ada').sessionCookie })
})

test('an organization is the same by its name and by its key', () => {
  const mock = createFrozenMock()
  expect(mock.organization('wak_test_ada').id).toBe(mock.organization('ada').id)
})

const post = (path: string, body?: string) =>
  new Request(`${testOrigin}/__admin${path}`, { method: 'POST', ...(body !== undefined && { body }) })

test.each(['', '{', 'null'])('the body %j is rejected as a problem', async (body) => {
  const response = await createFrozenMock().fetch(post('/states', body))
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
})

test('control routes are neither limited nor counted, and not in the journal', async () => {
  const { mock, call, control } = createFrozenMockWithClient({ rateLimit: '1/10s' })
  for (const route of ['GET /health', 'GET /requests', 'GET /report', 'POST /reset/journal', 'GET /nope'])
    await control.call(route).catch(() => undefined)
  expect(mock.journal.entries()).toEqual([])
  expect((await call('whoami')).status).toBe(200)
  expect(mock.report().parts[0]?.requests).toBe(1)
})

test('health responds, unknown control routes are not found, and another method or parameter is told which there are', async () => {
  const { call } = createControlClient(createFrozenMock({ seed: 'mine' }))
  expect((await call('GET /health')).body).toMatchObject({ status: 'healthy', seed: 'mine', bugs: 0 })
  for (const path of ['/nope', '/clock/none/at/all']) expect((await call(`GET ${path}`)).status).toBe(404)
  const { title } = (await call('GET /requests/rows', { query: '?when=1' })).body
  expect(title.match(/org_id/g)).toHaveLength(1)
  const clock = await createFrozenMock().fetch(`${testOrigin}/__admin/clock`, { method: 'POST' })
  expect([clock.status, clock.headers.get('allow'), (await clock.json()).title]).toEqual([
    405,
    'GET, PUT',
    '/__admin/clock takes GET or PUT, not POST.',
  ])
})

test.each([
  ['of the named organization', '{"organization":"東京\\r\\n"}', '東京\r\n'],
  ['of the organization with a key', '{"organization":"wak_test_ada"}', 'ada'],
  ['of the demo organization without a name', undefined, undefined],
])('login sets the session %s', async (_, body, name) => {
  const { mock, call } = createFrozenMockWithClient()
  const response = await mock.fetch(post('/login', body))
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  expect(await response.json()).toEqual({ cookie: mock.credentials(name).sessionCookie })
  expect((await call('listKeys', { as: 'nobody', headers: { cookie } })).status).toBe(200)
})

test('every word is a fault, and every error can be forced on its operation', async () => {
  const { done } = createControlClient(createFrozenMock())
  const { operations, words, wire, others, quirks } = await done('GET /vocabulary')
  for (const word of [...words, ...wire.map(({ word }: { word: string }) => word)])
    expect(parseFault(word), word).toBeDefined()
  const explained: string[] = [...wire, ...others].map(({ word }: { word: string }) => word)
  const nameOf = (text: string) => text.split(' ')[0] ?? ''
  const unexplained: string[] = words.map(nameOf).filter((name: string) => !errorCodes.has(name))
  expect(explained.map(nameOf).toSorted()).toEqual(
    unexplained.filter((name) => !/^(ok|lost)$/.test(name)).toSorted(),
  )
  for (const { word } of wire) expect(parseFault(`lost ${word}`), word).toBeDefined()
  expect(operations.map(({ id }: { id: string }) => id)).toEqual(operationIds)
  for (const { id, errors } of operations)
    for (const error of errors) await done('POST /faults', { body: { rule: `${id}=${error}` } })
  expect(quirks.length).toBeGreaterThan(20)
})

const documentOf = () => createControlClient(createFrozenMock()).done('GET /openapi.json')

test('it is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  expect(await validator.validate(await documentOf())).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('every control route is in it once, with its own operation id', async () => {
  const { paths } = await documentOf()
  const described = Object.entries(paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => ({ path, method, operationId })),
  )
  expect(described.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
    controlRoutes.map(({ method, path }) => `${method} ${path.replace(':id', '{id}')}`).sort(),
  )
  expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(described.length)
})

test('every route that reads a body rejects unknown fields', () => {
  const open = controlRoutes.filter(({ body }) => body?.safeParse({ nope_at_all: 1 }).success)
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('answer_lost: the next request of its operation takes effect and gets no answer, and teardown cancels it', async () => {
  const mock = createFrozenMock({ credits: 3 })
  const { call, newTask, state } = checkedClientOf(mock)
  const credits = async () => (await call('whoami')).body.credits
  const id = await newTask()
  expect(await state('answer_lost', { operation: 'noSuchOperation' })).toBe(400)
  await state('answer_lost', { operation: 'runTask' })
  expect((await createControlClient(mock).done('GET /overview')).organizations[0].set).toMatchObject([
    { text: 'The next answer to runTask is lost' },
  ])
  await expect(call('runTask', { id })).rejects.toThrow('fetch failed')
  expect(await credits()).toBe(2)
  expect((await call('runTask', { id })).status).toBe(409)
  await state('answer_lost', { operation: 'runTask' })
  await state('answer_lost', {}, 'teardown')
  expect((await call('runTask', { id: await newTask() })).status).toBe(409)
  expect(await credits()).toBe(1)
})
