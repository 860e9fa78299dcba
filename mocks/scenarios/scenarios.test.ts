/** Every scenario behaves as described. */
import { describe, expect, test } from 'vitest'
import { rules } from '#client-tests/rules/index.ts'
import type { OperationId } from '#contract/operation.ts'
import { frozenMock, noon } from '../testing/mock.ts'
import { rawClient } from '../testing/raw-client.ts'
import { type ScenarioId, scenarios } from './index.ts'

describe('the table', () => {
  test('contains the scenarios of check', () => {
    expect(scenarios.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'out-of-credits',
        'top-up-and-recover',
        'busy-then-starts',
        'run-fails-and-refunds',
        'rate-limited-burst',
        'rate-limited-burst-date',
        'temporary-outage',
        'deleted-key',
        'second-variant',
        'lost-answer',
        'slow-run',
        'empty-organization',
        'five-thousand-tasks',
        'no-extended-routes',
        'mixed-variants',
      ]),
    )
  })

  test.each(scenarios)('$id has its own seed', ({ id, options }) => {
    expect(scenarios.filter((one) => one.id === id || one.options.seed === options.seed)).toHaveLength(1)
  })

  test.each(scenarios)('$id names existing client rules', ({ expects }) => {
    expect(rules.map(({ id }) => id)).toEqual(expect.arrayContaining([...expects]))
  })
})

/** Creates a mock with a scenario, and a client. */
function start(scenario: ScenarioId, name?: string) {
  const mock = frozenMock({ scenario })
  return { mock, ...rawClient(mock, name) }
}

describe('behaviour', () => {
  test('out-of-credits: two runs are accepted, later ones return 402, and free routes work', async () => {
    const { call, newTask } = start('out-of-credits')
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await call('runTask', { id: await newTask() })).status)
    expect(statuses).toEqual([200, 409, 402, 402])
    expect((await call('whoami')).body.credits).toBe(0)
  })

  test('top-up-and-recover: credits are added once, exactly 3 s after the 402', async () => {
    const { mock, call, newTask } = start('top-up-and-recover')
    const id = await newTask()
    await call('runTask', { id: await newTask() })
    mock.clock.advance(60_000)
    expect((await call('runTask', { id })).status).toBe(402)
    mock.clock.advance(2_999)
    expect([(await call('runTask', { id })).status, (await call('whoami')).body.credits]).toEqual([402, 0])
    mock.clock.advance(1)
    expect((await call('whoami')).body.credits).toBe(5)
    mock.clock.advance(60_000)
    expect((await call('runTask', { id })).status).toBe(200)
    expect((await call('whoami')).body.credits).toBe(4)
  })

  test('busy-then-starts: the run returns 409 busy and starts automatically', async () => {
    const { mock, call, newTask } = start('busy-then-starts')
    const id = await newTask()
    expect(await call('runTask', { id })).toMatchObject({ status: 409, body: { error: 'busy' } })
    mock.clock.advance(4_000)
    expect((await call('getTask', { id })).body).toMatchObject({ task: { status: 'in_progress' } })
    mock.clock.advance(2_000)
    expect((await call('getTask', { id })).body.finished).toBe(true)
  })

  test('two-conflicts: the first run returns busy and starts, the second is rejected', async () => {
    const { mock, call, newTask } = start('two-conflicts')
    const [busy, refused] = [await newTask(), await newTask()]
    expect(await call('runTask', { id: busy })).toMatchObject({ status: 409, body: { error: 'busy' } })
    expect(await call('runTask', { id: refused })).toMatchObject({
      status: 409,
      body: { error: 'invalid_request' },
    })
    mock.clock.advance(60_000)
    expect((await call('getTask', { id: busy })).body.finished).toBe(true)
    expect((await call('getTask', { id: refused })).body.finished).toBe(false)
  })

  test('run-fails-and-refunds: the first run fails and is refunded, the next one completes', async () => {
    const { mock, call, newTask } = start('run-fails-and-refunds')
    const id = await newTask()
    const outcome = async () => {
      await call('runTask', { id })
      mock.clock.advance(2_000)
      const { task } = (await call('getTask', { id })).body
      return [task?.status, (await call('whoami')).body.credits]
    }
    expect(await outcome()).toEqual(['failed', 3])
    expect(await outcome()).toEqual(['completed', 2])
  })

  test('slow-run: a run takes 15 seconds', async () => {
    const { mock, call, newTask } = start('slow-run')
    const id = await newTask()
    await call('runTask', { id })
    mock.clock.advance(14_999)
    expect((await call('getTask', { id })).body.finished).toBe(false)
    mock.clock.advance(1)
    expect((await call('getTask', { id })).body.finished).toBe(true)
  })

  test('lost-answer: the first run is accepted without a response, the next one gets one', async () => {
    const { call, newTask } = start('lost-answer')
    const id = await newTask()
    await expect(call('runTask', { id })).rejects.toThrow('fetch failed')
    expect((await call('getTask', { id })).body).toMatchObject({ task: { status: 'in_progress' } })
    expect((await call('whoami')).body.credits).toBe(2)
    expect((await call('runTask', { id: await newTask() })).status).toBe(409)
  })

  test.each([
    ['rate-limited-burst', '3'],
    ['rate-limited-burst-date', new Date(noon + 3_000).toUTCString()],
  ] as const)('%s: the fifth request returns 429 with Retry-After: %s', async (scenario, wait) => {
    const { mock, call } = start(scenario)
    for (let i = 0; i < 4; i++) expect((await call('whoami')).status).toBe(200)
    const refusal = await call('whoami')
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, wait])
    mock.clock.advance(3_000)
    expect((await call('whoami')).status).toBe(200)
  })

  test('temporary-outage: two successes, three times 503, then successes', async () => {
    const { call } = start('temporary-outage')
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) statuses.push((await call(i % 2 ? 'whoami' : 'listTasks')).status)
    expect(statuses).toEqual([200, 200, 503, 503, 503, 200, 200])
  })

  test('deleted-key: three successes, then always 401', async () => {
    const { call } = start('deleted-key')
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await call('whoami')).status)
    expect(statuses).toEqual([200, 200, 200, 401, 401, 401])
  })

  test.each<[ScenarioId, Partial<Record<OperationId, string[]>>]>([
    [
      'second-variant',
      {
        listTasks: ['items', 'limit', 'remaining', 'usedToday'],
        createTask: ['task'],
        runTask: ['ok', 'runId', 'status'],
      },
    ],
    [
      'mixed-variants',
      {
        listTasks: ['items', 'limit', 'remaining', 'usedToday'],
        createTask: ['task'],
        runTask: ['finished', 'ok', 'runId', 'status', 'taskId'],
      },
    ],
  ])('%s: the shapes are %j', async (scenario, shapes) => {
    const { call, newTask } = start(scenario)
    const id = await newTask()
    for (const operation of ['listTasks', 'createTask', 'runTask'] as const) {
      const { body } = await call(operation, { id, body: { text: 'a' } })
      expect(Object.keys(body).sort()).toEqual(shapes[operation])
    }
  })

  test('no-extended-routes: extended routes return 404, the others work', async () => {
    const { call } = start('no-extended-routes')
    expect((await call('getWallet')).status).toBe(404)
    expect((await call('listTasks')).status).toBe(200)
  })

  test('empty-organization: there are credits and nothing else', async () => {
    const { call } = start('empty-organization')
    expect((await call('whoami')).body.credits).toBe(25)
    for (const operation of ['listTasks', 'listDocuments', 'listNotifications', 'listLandingPages'] as const)
      expect((await call(operation, { query: { all: '1' } })).body.items).toEqual([])
    expect((await call('listNotifications')).body.unread).toBe(0)
    expect((await call('listLeads')).body.prospects).toEqual([])
  })

  test('five-thousand-tasks: all tasks are listed, finished and found by id', async () => {
    const { call } = start('five-thousand-tasks')
    const { body } = await call('listTasks')
    const items = body.items as { id: string; status: string }[]
    expect(new Set(items.map(({ id }) => id)).size).toBe(5_000)
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['completed', 'failed']))
    expect((await call('getTask', { id: items.at(-1)?.id ?? '' })).body.finished).toBe(true)
    expect((await call('whoami')).body.credits).toBe(25)
  })

  test('strict-client: responses are legal but unusual', async () => {
    const usual = rawClient(frozenMock())
    const { call } = start('strict-client')
    expect((await call('whoami')).status).toBe(200)
    const fields = async (one: typeof usual) => Object.keys((await one.call('listTasks')).body)
    expect(await fields(start('strict-client'))).not.toEqual(await fields(usual))
  })
})
