/**
 * The side of scenarios that no recipe shows (scripts/docs/recipes.test.ts tries each that a page names): starting one
 * by option, in process and by control call, for a mock or an organization, is reproducible.
 */
import { expect, test } from 'vitest'
import { clientRules } from '#client-tests/rules/index.ts'
import type { OperationId } from '#contract/operation.ts'
import { createMock, type Mock } from '../app.ts'
import { collectScriptedResponses, uncheckedClientOf } from '../testing/client.ts'
import { createControlClient } from '../testing/control.ts'
import { createFrozenMock, createFrozenMockWithClient, noonMs } from '../testing/mock.ts'
import { isExhaustiveTestRun } from '../testing/sample.ts'
import { type ScenarioId, scenarios } from './index.ts'

test.each(scenarios)('$id has its own seed, and names existing client rules', ({ id, options, expects }) => {
  expect(scenarios.filter((one) => one.id === id || one.options.seed === options.seed)).toHaveLength(1)
  expect(clientRules.map((one) => one.id)).toEqual(expect.arrayContaining([...expects]))
})

test('top-up-and-recover: credits are added once, exactly 3 s after the 402', async () => {
  const { mock, call, newTask, credits } = createFrozenMockWithClient({ scenario: 'top-up-and-recover' })
  const id = await newTask()
  const run = async (task = id) => (await call('runTask', { id: task })).status
  expect(await run(await newTask())).toBe(200)
  mock.clock.advance(60_000)
  expect(await run()).toBe(402)
  mock.clock.advance(2_999)
  expect([await run(), await credits()]).toEqual([402, 0])
  mock.clock.advance(1)
  expect(await credits()).toBe(5)
  mock.clock.advance(60_000)
  expect([await run(), await credits()]).toEqual([200, 4])
})

const burst = [200, 200, 200, 200, 429]
const inThreeSeconds = new Date(noonMs + 3_000).toUTCString()

test.each<[ScenarioId, operation: OperationId, statuses: number[], later: number, wait: string | null]>([
  ['temporary-outage', 'listTasks', [200, 200, 503, 503, 503], 200, null],
  ['deleted-key', 'whoami', [200, 200, 200, 401], 401, null],
  ['lost-answer', 'runTask', [0, 409], 200, null],
  ['rate-limited-burst', 'whoami', burst, 200, '3'],
  ['rate-limited-burst-date', 'whoami', burst, 200, inThreeSeconds],
])('%s: %s is answered %j, and 3 s later %i', async (scenario, operation, statuses, later, wait) => {
  const { mock, call, newTask } = createFrozenMockWithClient({ scenario })
  const id = operation === 'runTask' ? await newTask() : 'none'
  const ask = () => call(operation, { id }).catch(() => undefined)
  const answers = []
  for (let i = 0; i < statuses.length; i++) answers.push(await ask())
  expect(answers.map((answer) => answer?.status ?? 0)).toEqual(statuses)
  expect(answers.at(-1)?.headers.get('retry-after')).toBe(wait)
  mock.clock.advance(3_000)
  expect((await ask())?.status).toBe(later)
})

test('mixed-variants: each route has its own shape', async () => {
  const { call, newTask } = uncheckedClientOf(createFrozenMock({ scenario: 'mixed-variants' }))
  const id = await newTask()
  const fieldsOf = async (operation: OperationId) =>
    Object.keys((await call(operation, { id, body: { text: 'a' } })).body).sort()
  expect(await Promise.all((['listTasks', 'createTask', 'runTask'] as const).map(fieldsOf))).toEqual([
    ['items', 'limit', 'remaining', 'usedToday'],
    ['task'],
    ['finished', 'ok', 'runId', 'status', 'taskId'],
  ])
})

/** Sends the same requests, from the same moment. */
async function play(mock: Mock): Promise<void> {
  mock.clock.freeze(noonMs)
  await collectScriptedResponses(mock, ['ada'])
}

/** Returns the journal of an organization without the numbers, which all organizations share. */
const journalOf = (mock: Mock, org_id: string) =>
  JSON.stringify(
    mock.journal.entries().flatMap((entry) => (entry.org_id === org_id ? [{ ...entry, number: 0 }] : [])),
  )

/** Starts a scenario for ada; returns the id of the organization. */
const started = async (mock: Mock, scenario: string, body: object = {}) =>
  (
    await createControlClient(mock, mock.credentials('ada').apiKey).done(
      `POST /scenarios/${scenario}/start`,
      { body },
    )
  ).org_id as string

/** To list five thousand tasks takes as long as all else; the gate leaves it out. */
const played = scenarios.filter(({ id }) => isExhaustiveTestRun || id !== 'five-thousand-tasks')

const alone = ['out-of-credits', 'lost-answer', 'temporary-outage', 'strict-client'] as const

test.each([
  ...played.map(({ id }) => [id, 'the whole mock'] as const),
  ...alone.map((id) => [id, 'one organization, whatever others do,'] as const),
])('%s, started twice for %s produces the same journal', async (id, whose) => {
  const mock = createFrozenMock()
  const journals: string[] = []
  for (const others of [0, 3]) {
    mock.clock.freeze(noonMs)
    if (whose === 'the whole mock') mock.scenarios.start(id)
    else await started(mock, id)
    if (whose !== 'the whole mock')
      for (let i = 0; i < others; i++) await uncheckedClientOf(mock, 'bob').newTask()
    await play(mock)
    journals.push(journalOf(mock, mock.organization('ada').id))
  }
  expect(journals[0]?.length).toBeGreaterThan(1_000)
  expect(journals[1]).toBe(journals[0])
})

test('another seed produces other ids, the same seed the same ones', async () => {
  const mock = createFrozenMock()
  const start = (body = {}) => started(mock, 'slow-run', body)
  const [own, spring, again] = [
    await start(),
    await start({ seed: 'spring' }),
    await start({ seed: 'spring' }),
  ]
  expect(own).not.toBe(spring)
  expect(again).toBe(spring)
})

test('with a key, only that organization is affected: others keep their state, faults, journal and clock', async () => {
  const mock = createFrozenMock({ fault: 'whoami=unavailable;after=2;times=1' })
  const [ada, bob] = [uncheckedClientOf(mock, 'ada'), uncheckedClientOf(mock, 'bob')]
  const task = await bob.newTask()
  await bob.call('whoami')
  const control = createControlClient(mock, mock.credentials('ada').apiKey)
  const body = await control.done('POST /scenarios/second-variant/start')
  expect(body).toMatchObject({ started: 'second-variant', seed: 'second-variant' })
  expect((await ada.call('whoami')).body.org).toMatchObject({ id: body.org_id })
  expect((await ada.call('listTasks')).body).toHaveProperty('usedToday')
  expect((await bob.call('listTasks')).body).not.toHaveProperty('usedToday')
  expect((await bob.call('getTask', { id: task })).status).toBe(200)
  expect([(await bob.call('whoami')).status, (await bob.call('whoami')).status]).toEqual([200, 503])
  expect(mock.journal.entries().filter(({ operation }) => operation === 'createTask')).toHaveLength(1)
})

test('faults of a scenario replace those of the mock; a scenario without faults keeps them', async () => {
  const mock = createFrozenMock({ fault: 'whoami=unavailable' })
  const ada = uncheckedClientOf(mock, 'ada')
  mock.organization('ada').scenarios.start('temporary-outage')
  expect((await ada.call('whoami')).status).toBe(200)
  mock.organization('ada').scenarios.start('slow-run')
  expect((await ada.call('whoami')).status).toBe(503)
})

test('a reset ends the scenario', async () => {
  const mock = createFrozenMock()
  const { call } = uncheckedClientOf(mock, 'ada')
  const variant = async () => ('usedToday' in (await call('listTasks')).body ? 'second' : 'first')
  mock.scenarios.start('second-variant')
  expect([await variant(), mock.settings.scenario?.id]).toEqual(['second', 'second-variant'])
  mock.reset()
  expect([await variant(), mock.settings.scenario]).toEqual(['first', undefined])
  mock.organization('ada').scenarios.start('second-variant')
  expect(await variant()).toBe('second')
  await createControlClient(mock, mock.credentials('ada').apiKey).done('POST /reset')
  expect(await variant()).toBe('first')
  mock.organization('ada').scenarios.start('temporary-outage')
  mock.reset()
  for (let i = 0; i < 4; i++) expect((await call('whoami')).status).toBe(200)
})

test('a started scenario overrides earlier options and keeps the others', () => {
  const mock = createMock({ credits: 7, retryAfter: 'date' })
  mock.scenarios.start('out-of-credits')
  expect([mock.settings.credits, mock.settings.retryAfter]).toEqual([2, 'date'])
})

test('the list contains every scenario and the started one', async () => {
  const mock = createFrozenMock()
  mock.scenarios.start('slow-run')
  mock.organization('ada').scenarios.start('lost-answer')
  const body = await createControlClient(mock).done('GET /scenarios')
  expect(body.started).toBe('slow-run')
  expect(body.scenarios.map((one: { id: string }) => one.id)).toEqual(scenarios.map(({ id }) => id))
  expect(body.scenarios[0]).toEqual({
    id: 'out-of-credits',
    title: expect.any(String),
    shows: expect.any(String),
    options: { seed: 'out-of-credits', credits: 2 },
    expects: ['stops-at-402'],
  })
  const ofAda = await createControlClient(mock, mock.credentials('ada').apiKey).done('GET /scenarios')
  expect(ofAda.started).toBe('lost-answer')
})

test('an unknown scenario is rejected with a list of the known ones', async () => {
  const { status, body } = await createControlClient(createFrozenMock()).call('POST /scenarios/nope/start')
  expect([status, body.title]).toEqual([404, expect.stringContaining('out-of-credits, ')])
})
