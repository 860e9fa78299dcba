/** Starting a scenario by option, in process and by control call, for a mock or an organization, is reproducible. */
import { expect, test } from 'vitest'
import type { Mock } from '../app.ts'
import { createMock } from '../app.ts'
import { type ScenarioId, scenarios } from '../scenarios/index.ts'
import { origin, rawClient } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'

/** Calls a control route. */
async function control(mock: Mock, path: string, { key, body }: { key?: string; body?: object } = {}) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const init = { method: body ? 'POST' : 'GET', headers, body: body ? JSON.stringify(body) : null }
  const response = await mock.fetch(new Request(`${origin}/__admin/${path}`, init))
  return { status: response.status, body: await response.json() }
}

/** A client that always sends the same requests: two concurrent runs with polling, then every list. */
async function play(mock: Mock, name: string): Promise<void> {
  mock.clock.freeze(noon)
  const { call, newTask } = rawClient(mock, name)
  const tolerant = (result: Promise<unknown>) => result.catch(() => undefined)
  await tolerant(call('whoami'))
  const tasks = [await newTask(), await newTask(), await newTask()]
  for (const id of tasks) await tolerant(call('runTask', { id }))
  for (let poll = 0; poll < 4; poll++) {
    for (const id of tasks) await tolerant(call('getTask', { id }))
    mock.clock.advance(1_000)
  }
  for (const operation of [
    'listTasks',
    'listNotifications',
    'listDocuments',
    'getWallet',
    'listKeys',
  ] as const)
    await tolerant(call(operation))
  await tolerant(call('createKey', { body: { name: 'CI' } }))
  await tolerant(call('generateCreative', { body: { prompt: 'a' } }))
}

/** Returns the journal of an organization without the numbers, which all organizations share. */
const journalOf = (mock: Mock, org_id: string) =>
  JSON.stringify(
    mock.journal.entries().flatMap((entry) => (entry.org_id === org_id ? [{ ...entry, number: 0 }] : [])),
  )

const orgId = async (mock: Mock, key: string, scenario: string, seed?: string) =>
  (await control(mock, `scenarios/${scenario}/start`, { key, body: seed === undefined ? {} : { seed } })).body
    .org_id as string

test.each(scenarios)('$id, started twice for the whole mock, produces the same journal', async ({ id }) => {
  const mock = frozenMock()
  const journals: string[] = []
  for (let i = 0; i < 2; i++) {
    mock.scenarios.start(id)
    await play(mock, 'ada')
    journals.push(JSON.stringify(mock.journal.entries()))
  }
  expect(journals[0]?.length).toBeGreaterThan(1_000)
  expect(journals[1]).toBe(journals[0])
})

test.each([
  'out-of-credits',
  'lost-answer',
  'temporary-outage',
  'strict-client',
])('%s, started twice for one organization, produces the same journal whatever others do', async (id) => {
  const mock = frozenMock()
  const { apiKey } = mock.credentials('ada')
  const journals: string[] = []
  for (const others of [0, 3]) {
    mock.clock.freeze(noon)
    const org_id = await orgId(mock, apiKey, id)
    for (let i = 0; i < others; i++) await rawClient(mock, 'bob').newTask()
    await play(mock, 'ada')
    journals.push(journalOf(mock, org_id))
  }
  expect(journals[0]?.length).toBeGreaterThan(1_000)
  expect(journals[1]).toBe(journals[0])
})

test('a scenario by option produces the same journal as a started one', async () => {
  const [begun, started] = [frozenMock({ scenario: 'run-fails-and-refunds' }), frozenMock()]
  started.scenarios.start('run-fails-and-refunds')
  for (const mock of [begun, started]) await play(mock, 'ada')
  expect(JSON.stringify(started.journal.entries())).toBe(JSON.stringify(begun.journal.entries()))
})

test('another seed produces other ids, the same seed the same ones', async () => {
  const mock = frozenMock()
  const { apiKey } = mock.credentials('ada')
  const start = (seed?: string) => orgId(mock, apiKey, 'slow-run', seed)
  const [own, spring, again] = [await start(), await start('spring'), await start('spring')]
  expect(own).not.toBe(spring)
  expect(again).toBe(spring)
})

test('with a key, only that organization is affected: others keep their state, faults, journal and clock', async () => {
  const mock = frozenMock({ fault: 'whoami=unavailable;after=2;times=1' })
  const [ada, bob] = [rawClient(mock, 'ada'), rawClient(mock, 'bob')]
  const task = await bob.newTask()
  await bob.call('whoami')
  await control(mock, 'clock', { key: mock.credentials('bob').apiKey })
  const { body } = await control(mock, 'scenarios/second-variant/start', {
    key: mock.credentials('ada').apiKey,
    body: {},
  })
  expect(body).toMatchObject({ started: 'second-variant', seed: 'second-variant' })
  expect((await ada.call('whoami')).body.org).toMatchObject({ id: body.org_id })
  expect((await ada.call('listTasks')).body).toHaveProperty('usedToday')
  expect((await bob.call('listTasks')).body).not.toHaveProperty('usedToday')
  expect((await bob.call('getTask', { id: task })).status).toBe(200)
  expect([(await bob.call('whoami')).status, (await bob.call('whoami')).status]).toEqual([200, 503])
  expect(mock.journal.entries().filter(({ operation }) => operation === 'createTask')).toHaveLength(1)
})

test('faults of a scenario replace those of the mock; a scenario without faults keeps them', async () => {
  const mock = frozenMock({ fault: 'whoami=unavailable' })
  const ada = rawClient(mock, 'ada')
  mock.organization('ada').scenarios.start('temporary-outage')
  expect((await ada.call('whoami')).status).toBe(200)
  mock.organization('ada').scenarios.start('slow-run')
  expect((await ada.call('whoami')).status).toBe(503)
})

test('a reset ends the scenario', async () => {
  const mock = frozenMock()
  const { call } = rawClient(mock, 'ada')
  const variant = async () => ('usedToday' in (await call('listTasks')).body ? 'second' : 'first')
  mock.scenarios.start('second-variant')
  expect([await variant(), mock.settings.scenario?.id]).toEqual(['second', 'second-variant'])
  mock.reset()
  expect([await variant(), mock.settings.scenario]).toEqual(['first', undefined])
  mock.organization('ada').scenarios.start('second-variant')
  expect(await variant()).toBe('second')
  await control(mock, 'reset', { key: mock.credentials('ada').apiKey, body: {} })
  expect(await variant()).toBe('first')
  mock.organization('ada').scenarios.start('temporary-outage')
  mock.reset()
  for (let i = 0; i < 4; i++) expect((await call('whoami')).status).toBe(200)
})

test('a reset of a mock created with a scenario restores the start of the scenario', async () => {
  const mock = frozenMock({ scenario: 'out-of-credits' })
  mock.scenarios.start('empty-organization')
  mock.reset()
  expect((await rawClient(mock).call('whoami')).body.credits).toBe(2)
})

test('a started scenario overrides earlier options and keeps the others', () => {
  const mock = createMock({ credits: 7, retryAfter: 'date' })
  mock.scenarios.start('out-of-credits')
  expect([mock.settings.credits, mock.settings.retryAfter]).toEqual([2, 'date'])
})

test('options in a key override the scenario', async () => {
  const mock = frozenMock()
  const name = 'ada.credits=9.fault=whoami=unavailable'
  for (const control of [mock, mock, mock.organization(name)]) {
    control.scenarios.start('out-of-credits')
    const { call } = rawClient(mock, name)
    expect((await call('whoami')).status).toBe(503)
    expect((await call('listTasks')).body.credits).toBe(9)
  }
})

test('the list contains every scenario and the started one', async () => {
  const mock = frozenMock()
  const { apiKey } = mock.credentials('ada')
  mock.scenarios.start('slow-run')
  mock.organization('ada').scenarios.start('lost-answer')
  const { body } = await control(mock, 'scenarios')
  expect(body.started).toBe('slow-run')
  expect(body.scenarios.map((one: { id: string }) => one.id)).toEqual(scenarios.map(({ id }) => id))
  expect(body.scenarios[0]).toEqual({
    id: 'out-of-credits',
    title: expect.any(String),
    shows: expect.any(String),
    options: { seed: 'out-of-credits', credits: 2 },
    expects: ['stops-at-402'],
  })
  expect((await control(mock, 'scenarios', { key: apiKey })).body.started).toBe('lost-answer')
})

test('an unknown scenario is rejected with a list of the known ones', async () => {
  const mock = frozenMock()
  const { status, body } = await control(mock, 'scenarios/nope/start', { body: {} })
  expect([status, body.title]).toEqual([404, expect.stringContaining('out-of-credits, ')])
  expect(() => mock.scenarios.start('nope' as ScenarioId)).toThrow('scenarios.start: takes out-of-credits, ')
  expect(() => createMock({ scenario: 'nope' as ScenarioId })).toThrow(/^scenario takes out-of-credits, /)
})
