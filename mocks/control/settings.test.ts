/** Options that are changed while a mock runs; chaos and quirks of an organization: what it has stays, and each answer names its quirks. */
import { expect, test } from 'vitest'
import type { OperationId } from '#contract/operation.ts'
import type { Duration } from '../core/clock.ts'
import { createMock } from '../index.ts'
import type { Mock } from '../mock.ts'
import { checkedClientOf, type RequestParts, uncheckedClientOf } from '../testing/client.ts'
import { createControlClient } from '../testing/control.ts'
import { createFrozenMock, createFrozenMockWithClient } from '../testing/mock.ts'
import { changeableOptionNames } from './settings.ts'

const of = (mock = createFrozenMock(), name = 'demo') => ({
  mock,
  ...checkedClientOf(mock, name),
  control: createControlClient(mock, mock.credentials(name).apiKey),
})

const finished = async ({ call, mock }: ReturnType<typeof of>, after: Duration) => {
  const { task } = (await call('createTask', { body: { text: 'a' } })).body
  await call('runTask', { id: task.id })
  mock.clock.advance(after)
  return (await call('getTask', { id: task.id })).body
}

test('options of an organization are its own, and stay when others of the mock change', async () => {
  const ada = of()
  const bob = of(ada.mock, 'bob')
  ada.mock.organization('demo').configure({ rateLimit: '1/1h', retryAfter: 'date' })
  const statuses = async () => [
    (await ada.call('whoami')).status,
    (await ada.call('whoami')).status,
    (await bob.call('whoami')).status,
    (await bob.call('whoami')).status,
  ]
  expect(await statuses()).toEqual([200, 429, 200, 200])
  expect((await ada.call('whoami')).headers.get('retry-after')).toMatch(/GMT$/)
  ada.mock.configure({ runDuration: '1h' })
  expect(await statuses()).toEqual([429, 429, 200, 200])
  expect((await finished(bob, '2s')).finished).toBe(false)
})

test('options of the mock hold for organizations that there are, and for later ones', async () => {
  const one = of()
  await one.call('whoami')
  await createControlClient(one.mock).done('PUT /settings', {
    body: { rateLimit: '1/1h', variant: 'second', topUp: '5/1s' },
  })
  const statuses = await Promise.all(
    ['demo', 'later', 'later'].map((name) => checkedClientOf(one.mock, name).call('whoami')),
  )
  expect(statuses.map(({ status }) => status)).toEqual([429, 200, 429])
  const { organizations } = await createControlClient(one.mock).done('GET /overview')
  expect(organizations.map(({ variant }: { variant: string }) => variant)).toEqual(['second', 'second'])
  expect(one.mock.snapshot()).toMatchObject({ options: { rateLimit: '1/1h', variant: 'second' } })
  one.mock.configure({ rateLimit: 'off', extended: false })
  for (const name of ['demo', 'later', 'new'])
    expect((await checkedClientOf(one.mock, name).call('listLeads')).status).toBe(404)
})

test('quirks go on where another option changes', async () => {
  const bodies = async (change: (mock: Mock) => void) => {
    const mock = createFrozenMock({ strictClient: 7 })
    const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
    const seen: string[] = []
    for (let i = 0; i < 8; i++) {
      seen.push(await (await mock.fetch('http://mock.test/api/cli/whoami', { headers })).text())
      change(mock)
    }
    return seen
  }
  expect(await bodies((mock) => mock.configure({ runDuration: '5s' }))).toEqual(await bodies(() => undefined))
})

test('an option that the key of the organization sets is kept', async () => {
  const { control } = of(createFrozenMock(), 'ada.run-duration=1h')
  expect((await control.call('PUT /settings', { body: { runDuration: '1s' } })).status).toBe(409)
})

test('every live option is taken and has its value', () => {
  const values = {
    variant: 'second',
    extended: false,
    rateLimit: 'off',
    retryAfter: 'date',
    runDuration: 5,
    runOutcome: 'failed',
    chaos: 0.5,
    runProgress: 'immediate',
    organizations: 3,
    rows: 50,
    reasonHeader: false,
    topUp: '1/1s',
    strictClient: 'other',
    cors: true,
  } as const
  expect(Object.keys(values)).toEqual(changeableOptionNames)
  const [mock, started] = [createMock(), createMock(values)]
  mock.configure(values)
  expect({ ...mock.settings, options: {} }).toEqual({ ...started.settings, options: {} })
})

const unlimited = () => of(createFrozenMock({ rateLimit: 'off' }))

test('quirks are switched on and off; tasks, credits, keys and the past stay', async () => {
  const { mock, call, control } = unlimited()
  const { task } = (await call('createTask', { body: { text: 'before' } })).body
  await call('runTask', { id: task.id })
  const { credits } = (await call('whoami')).body
  const switched = (strictClient: unknown) => control.done('PUT /behaviour', { body: { strictClient } })
  expect(await switched(7)).toEqual({ strict_client: '7', chaos: null })
  expect((await uncheckedClientOf(mock).call('getTask', { id: task.id })).status).toBe(200)
  const { why } = await control.done('GET /requests/2')
  expect(why).toMatchObject({ complete: true, credits: { before: credits + 1, after: credits }, quirks: [] })
  expect((await control.done('GET /organization', { query: '?at=1' })).credits).toBe(credits + 1)
  expect(await switched(false)).toEqual({ strict_client: null, chaos: null })
  expect((await call('whoami')).body.credits).toBe(credits)
  mock.reset()
  await call('whoami')
  expect((await control.done('GET /overview')).organizations[0]).toMatchObject({ strict_client: null })
})

test('a state from before a change of quirks has the switches and windows of then', async () => {
  const { call, control } = createFrozenMockWithClient({}, 'ada')
  await call('whoami')
  const stateAt = async () => {
    const { state } = (await control.done('GET /link', { query: '?at=1' })).file.organization
    return { arranged: state.arranged, windows: state.windows }
  }
  const then = await stateAt()
  await call('whoami')
  await control.done('POST /states', { body: { state: 'unavailable', params: {}, action: 'setup' } })
  await control.done('PUT /behaviour', { body: { strictClient: 7 } })
  expect(await stateAt()).toEqual(then)
})

test('why an answer is as it is names the quirks that made it differ, and no others', async () => {
  const { mock, control } = unlimited()
  const { call } = uncheckedClientOf(mock)
  const quirks =
    'runs-double,runs-busy-first,run-again-conflict,unknown-fields-refused,notification-unknown-read,plan-object'
  await control.done('PUT /behaviour', { body: { strictClient: quirks } })
  const { body } = await call('createTask', { body: { text: 'a' } })
  const id = String(body.task?.id)
  const namedBy = async (operation: OperationId, input: RequestParts = {}) => {
    await call(operation, input)
    const { why } = await control.done(`GET /requests/${mock.journal.count()}`)
    expect(why.strict_client).toBe(quirks)
    return why.quirks.map((quirk: { id: string }) => quirk.id)
  }
  expect([
    await namedBy('createTask', { body: { text: 'a', other: 1 } }),
    await namedBy('createTask', { body: { other: 1 } }),
    await namedBy('createTask', { body: { text: 'a' } }),
    await namedBy('runTask', { id }),
    await namedBy('readNotification', { id: 'none' }),
    await namedBy('whoami'),
  ]).toEqual([
    ['unknown-fields-refused'],
    [],
    [],
    ['runs-double', 'runs-busy-first'],
    ['notification-unknown-read'],
    ['plan-object'],
  ])
  mock.clock.advance('1h')
  expect(await namedBy('runTask', { id })).toEqual(['run-again-conflict'])
})

test('chaos of an organization is a rule of its own, which that of the mock replaces, until it is off', async () => {
  const { mock, control } = unlimited()
  const rules = () => mock.faults.list().map(({ id, org_id, rate }) => [id, org_id, rate])
  const org_id = mock.organization().id
  await control.done('PUT /behaviour', { body: { chaos: 0.5, chaosSeed: 'a' } })
  expect(rules()).toEqual([['chaos', org_id, 0.5]])
  expect(mock.faults.list()[0]?.text).toContain(';seed=a')
  expect(await control.done('PUT /behaviour', { body: { chaos: 0 } })).toMatchObject({ chaos: null })
  expect(rules()).toEqual([])
  mock.organization().configure({ chaos: 0.5 })
  expect(rules()).toEqual([['chaos', org_id, 0.5]])
  mock.configure({ chaos: 0.25 })
  expect(rules()).toEqual([['chaos', null, 0.25]])
  mock.configure({ chaos: 0 })
  expect(rules()).toEqual([])
})

test('chaos of the mock can be switched off for an organization, and on again', async () => {
  const mock = createFrozenMock({ chaos: 1, rateLimit: 'off' })
  const { done } = createControlClient(mock, mock.credentials('ada').apiKey)
  const isUsual = async (name: string) => {
    const { call } = uncheckedClientOf(mock, name)
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => call('whoami')))
    return answers.every((one) => one.status === 'fulfilled' && one.value.status === 200)
  }
  expect((await done('PUT /behaviour', { body: { chaos: 0 } })).chaos).toBeNull()
  expect([await isUsual('ada'), await isUsual('bob')]).toEqual([true, false])
  mock.restore(mock.snapshot())
  expect(await isUsual('ada')).toBe(true)
  expect((await done('PUT /behaviour', { body: { chaos: 1 } })).chaos).toBe(1)
  expect(await isUsual('ada')).toBe(false)
  mock.organization('ada').reset('faults')
  expect(mock.organization('ada').faults.list()).toMatchObject([{ id: 'chaos', org_id: null, rate: 1 }])
})
