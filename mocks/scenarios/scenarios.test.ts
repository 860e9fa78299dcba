/** Every scenario does what it says, and can be started in each way. */
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { rules } from '#client-tests/rules/index.ts'
import type { OperationId } from '#contract/operation.ts'
import { frozenMock, noon } from '../testing/mock.ts'
import { speaker } from '../testing/speaker.ts'
import { scenarios } from './index.ts'

describe('the table', () => {
  test('has the scenarios that clients are checked by', () => {
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

  test.each(scenarios)('$id is a file of its own, and its seed is its own', ({ id, options }) => {
    expect(existsSync(new URL(`./${id}.ts`, import.meta.url))).toBe(true)
    expect(scenarios.filter((one) => one.id === id || one.options.seed === options.seed)).toHaveLength(1)
  })

  test.each(scenarios)('$id names rules that the client report has', ({ expects }) => {
    expect(rules.map(({ id }) => id)).toEqual(expect.arrayContaining([...expects]))
  })
})

/** A mock in a scenario, and somebody who speaks to it. */
function begin(scenario: string, name?: string) {
  const mock = frozenMock({ scenario })
  return { mock, ...speaker(mock, name) }
}

describe('what they show', () => {
  test('out-of-credits: two runs are paid for, every later one is 402, and free routes answer', async () => {
    const { ask, newTask } = begin('out-of-credits')
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await ask('runTask', { id: await newTask() })).status)
    expect(statuses).toEqual([200, 409, 402, 402])
    expect((await ask('whoami')).body.credits).toBe(0)
  })

  test('top-up-and-recover: credits come 3 s after the 402, not before, and once', async () => {
    const { mock, ask, newTask } = begin('top-up-and-recover')
    const id = await newTask()
    await ask('runTask', { id: await newTask() })
    mock.clock.advance(60_000)
    expect((await ask('runTask', { id })).status).toBe(402)
    mock.clock.advance(2_999)
    expect([(await ask('runTask', { id })).status, (await ask('whoami')).body.credits]).toEqual([402, 0])
    mock.clock.advance(1)
    expect((await ask('whoami')).body.credits).toBe(5)
    mock.clock.advance(60_000)
    expect((await ask('runTask', { id })).status).toBe(200)
    expect((await ask('whoami')).body.credits).toBe(4)
  })

  test('busy-then-starts: 409 busy, and the run starts by itself', async () => {
    const { mock, ask, newTask } = begin('busy-then-starts')
    const id = await newTask()
    expect(await ask('runTask', { id })).toMatchObject({ status: 409, body: { error: 'busy' } })
    mock.clock.advance(4_000)
    expect((await ask('getTask', { id })).body).toMatchObject({ task: { status: 'in_progress' } })
    mock.clock.advance(2_000)
    expect((await ask('getTask', { id })).body.finished).toBe(true)
  })

  test('two-conflicts: the first run is busy and starts, the second is refused and does not', async () => {
    const { mock, ask, newTask } = begin('two-conflicts')
    const [busy, refused] = [await newTask(), await newTask()]
    expect(await ask('runTask', { id: busy })).toMatchObject({ status: 409, body: { error: 'busy' } })
    expect(await ask('runTask', { id: refused })).toMatchObject({
      status: 409,
      body: { error: 'invalid_request' },
    })
    mock.clock.advance(60_000)
    expect((await ask('getTask', { id: busy })).body.finished).toBe(true)
    expect((await ask('getTask', { id: refused })).body.finished).toBe(false)
  })

  test('run-fails-and-refunds: the first run fails and its credit is back, the next completes', async () => {
    const { mock, ask, newTask } = begin('run-fails-and-refunds')
    const id = await newTask()
    const outcome = async () => {
      await ask('runTask', { id })
      mock.clock.advance(2_000)
      const { task } = (await ask('getTask', { id })).body
      return [task?.status, (await ask('whoami')).body.credits]
    }
    expect(await outcome()).toEqual(['failed', 3])
    expect(await outcome()).toEqual(['completed', 2])
  })

  test('slow-run: 15 seconds', async () => {
    const { mock, ask, newTask } = begin('slow-run')
    const id = await newTask()
    await ask('runTask', { id })
    mock.clock.advance(14_999)
    expect((await ask('getTask', { id })).body.finished).toBe(false)
    mock.clock.advance(1)
    expect((await ask('getTask', { id })).body.finished).toBe(true)
  })

  test('lost-answer: the first run is paid for and not answered, the next is answered', async () => {
    const { ask, newTask } = begin('lost-answer')
    const id = await newTask()
    await expect(ask('runTask', { id })).rejects.toThrow('fetch failed')
    expect((await ask('getTask', { id })).body).toMatchObject({ task: { status: 'in_progress' } })
    expect((await ask('whoami')).body.credits).toBe(2)
    expect((await ask('runTask', { id: await newTask() })).status).toBe(409)
  })

  test.each([
    ['rate-limited-burst', '3'],
    ['rate-limited-burst-date', new Date(noon + 3_000).toUTCString()],
  ])('%s: the fifth request is 429, with Retry-After: %s', async (scenario, wait) => {
    const { mock, ask } = begin(scenario)
    for (let i = 0; i < 4; i++) expect((await ask('whoami')).status).toBe(200)
    const refusal = await ask('whoami')
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, wait])
    mock.clock.advance(3_000)
    expect((await ask('whoami')).status).toBe(200)
  })

  test('temporary-outage: two answers, three times 503, then answers', async () => {
    const { ask } = begin('temporary-outage')
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) statuses.push((await ask(i % 2 ? 'whoami' : 'listTasks')).status)
    expect(statuses).toEqual([200, 200, 503, 503, 503, 200, 200])
  })

  test('deleted-key: three answers, then 401 for good', async () => {
    const { ask } = begin('deleted-key')
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await ask('whoami')).status)
    expect(statuses).toEqual([200, 200, 200, 401, 401, 401])
  })

  test.each<[string, Partial<Record<OperationId, string[]>>]>([
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
        createTask: ['credits', 'task'],
        runTask: ['finished', 'ok', 'runId', 'status', 'taskId'],
      },
    ],
  ])('%s: the shapes are %j', async (scenario, shapes) => {
    const { ask, newTask } = begin(scenario)
    const id = await newTask()
    for (const operation of ['listTasks', 'createTask', 'runTask'] as const) {
      const { body } = await ask(operation, { id, body: { text: 'a' } })
      expect(Object.keys(body).sort()).toEqual(shapes[operation])
    }
  })

  test('no-extended-routes: the extended set is 404, the rest is there', async () => {
    const { ask } = begin('no-extended-routes')
    expect((await ask('getWallet')).status).toBe(404)
    expect((await ask('listTasks')).status).toBe(200)
  })

  test('empty-organization: credits and nothing else', async () => {
    const { ask } = begin('empty-organization')
    expect((await ask('whoami')).body.credits).toBe(25)
    for (const operation of ['listTasks', 'listDocuments', 'listNotifications', 'listLandingPages'] as const)
      expect((await ask(operation, { query: { all: '1' } })).body.items).toEqual([])
    expect((await ask('listNotifications')).body.unread).toBe(0)
    expect((await ask('listLeads')).body.prospects).toEqual([])
  })

  test('five-thousand-tasks: all of them are listed, finished, and found by id', async () => {
    const { ask } = begin('five-thousand-tasks')
    const { body } = await ask('listTasks')
    const items = body.items as { id: string; status: string }[]
    expect(new Set(items.map(({ id }) => id)).size).toBe(5_000)
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['completed', 'failed']))
    expect((await ask('getTask', { id: items.at(-1)?.id ?? '' })).body.finished).toBe(true)
    expect((await ask('whoami')).body.credits).toBe(25)
  })

  test('strict-client: what is answered is legal, and other than one may think', async () => {
    const usual = speaker(frozenMock())
    const { ask } = begin('strict-client')
    expect((await ask('whoami')).status).toBe(200)
    const fields = async (one: typeof usual) => Object.keys((await one.ask('listTasks')).body)
    expect(await fields(begin('strict-client'))).not.toEqual(await fields(usual))
  })
})
