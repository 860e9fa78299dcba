/** Every scenario behaves as described. */
import { describe, expect, test } from 'vitest'
import { rules } from '#client-tests/rules/index.ts'
import type { OperationId } from '#contract/operation.ts'
import { rawClient } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'
import { type ScenarioId, scenarios } from './index.ts'

describe('the table', () => {
  test.each(scenarios)('$id has its own seed', ({ id, options }) => {
    expect(scenarios.filter((one) => one.id === id || one.options.seed === options.seed)).toHaveLength(1)
  })

  test.each(scenarios)('$id names existing client rules', ({ expects }) => {
    expect(rules.map(({ id }) => id)).toEqual(expect.arrayContaining([...expects]))
  })
})

const noCredits = '402 no_credits'

/** Creates a mock with a scenario, and a client that tells statuses, and what a task and the credits have become. */
function start(scenario: ScenarioId) {
  const mock = frozenMock({ scenario })
  const { call, newTask } = rawClient(mock)
  /** The statuses of so many calls of some operations in turn. */
  const statuses = async (operations: readonly OperationId[], count: number) => {
    const received: number[] = []
    for (let i = 0; i < count; i++)
      received.push((await call(operations[i % operations.length] ?? 'whoami')).status)
    return received
  }
  return {
    ...{ mock, call, newTask, statuses },
    run: async (id?: string) => {
      const { status, body } = await call('runTask', { id: id ?? (await newTask()) })
      return body.error === undefined ? status : `${status} ${body.error}`
    },
    task: async (id: string) => (await call('getTask', { id })).body.task?.status,
    credits: async () => (await call('whoami')).body.credits,
  }
}

describe('behaviour', () => {
  test('out-of-credits: two runs are accepted, later ones return 402, and free routes work', async () => {
    const { run, credits } = start('out-of-credits')
    const answers = [await run(), await run(), await run(), await run()]
    expect(answers).toEqual([200, '409 busy', noCredits, noCredits])
    expect(await credits()).toBe(0)
  })

  test('top-up-and-recover: credits are added once, exactly 3 s after the 402', async () => {
    const { mock, run, newTask, credits } = start('top-up-and-recover')
    const id = await newTask()
    await run()
    mock.clock.advance(60_000)
    expect(await run(id)).toBe(noCredits)
    mock.clock.advance(2_999)
    expect([await run(id), await credits()]).toEqual([noCredits, 0])
    mock.clock.advance(1)
    expect(await credits()).toBe(5)
    mock.clock.advance(60_000)
    expect([await run(id), await credits()]).toEqual([200, 4])
  })

  test('busy-then-starts: the run returns 409 busy and starts automatically', async () => {
    const { mock, run, newTask, task } = start('busy-then-starts')
    const id = await newTask()
    expect(await run(id)).toBe('409 busy')
    mock.clock.advance(4_000)
    expect(await task(id)).toBe('in_progress')
    mock.clock.advance(2_000)
    expect(await task(id)).toBe('completed')
  })

  test('two-conflicts: the first run returns busy and starts, the second is rejected', async () => {
    const { mock, run, newTask, task } = start('two-conflicts')
    const [busy, refused] = [await newTask(), await newTask()]
    expect([await run(busy), await run(refused)]).toEqual(['409 busy', '409 invalid_request'])
    mock.clock.advance(60_000)
    expect([await task(busy), await task(refused)]).toEqual(['completed', 'pending'])
  })

  test('run-fails-and-refunds: the first run fails and is refunded, the next one completes', async () => {
    const { mock, run, newTask, task, credits } = start('run-fails-and-refunds')
    const id = await newTask()
    const outcome = async () => {
      await run(id)
      mock.clock.advance(2_000)
      return [await task(id), await credits()]
    }
    expect([await outcome(), await outcome()]).toEqual([
      ['failed', 3],
      ['completed', 2],
    ])
  })

  test('slow-run: a run takes 15 seconds', async () => {
    const { mock, run, newTask, task } = start('slow-run')
    const id = await newTask()
    await run(id)
    mock.clock.advance(14_999)
    expect(await task(id)).toBe('in_progress')
    mock.clock.advance(1)
    expect(await task(id)).toBe('completed')
  })

  test('lost-answer: the first run is accepted without a response, the next one gets one', async () => {
    const { run, newTask, task, credits } = start('lost-answer')
    const id = await newTask()
    await expect(run(id)).rejects.toThrow('fetch failed')
    expect([await task(id), await credits(), await run()]).toEqual(['in_progress', 2, '409 busy'])
  })

  test.each([
    ['rate-limited-burst', '3'],
    ['rate-limited-burst-date', new Date(noon + 3_000).toUTCString()],
  ] as const)('%s: the fifth request returns 429 with Retry-After: %s', async (scenario, wait) => {
    const { mock, call, statuses } = start(scenario)
    expect(await statuses(['whoami'], 4)).toEqual([200, 200, 200, 200])
    const refusal = await call('whoami')
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, wait])
    mock.clock.advance(3_000)
    expect(await statuses(['whoami'], 1)).toEqual([200])
  })

  test.each<[ScenarioId, OperationId[], number[]]>([
    ['temporary-outage', ['listTasks', 'whoami'], [200, 200, 503, 503, 503, 200, 200]],
    ['deleted-key', ['whoami'], [200, 200, 200, 401, 401, 401]],
    ['no-extended-routes', ['getWallet', 'listTasks'], [404, 200]],
  ])('%s: %j return %j', async (scenario, operations, expected) => {
    expect(await start(scenario).statuses(operations, expected.length)).toEqual(expected)
  })

  const second = { listTasks: ['items', 'limit', 'remaining', 'usedToday'], createTask: ['task'] }
  test.each<[ScenarioId, Partial<Record<OperationId, string[]>>]>([
    ['second-variant', { ...second, runTask: ['ok', 'runId', 'status'] }],
    ['mixed-variants', { ...second, runTask: ['finished', 'ok', 'runId', 'status', 'taskId'] }],
  ])('%s: the shapes are %j', async (scenario, shapes) => {
    const { call, newTask } = start(scenario)
    const id = await newTask()
    for (const operation of ['listTasks', 'createTask', 'runTask'] as const) {
      const { body } = await call(operation, { id, body: { text: 'a' } })
      expect(Object.keys(body).sort()).toEqual(shapes[operation])
    }
  })

  test('empty-organization: there are credits and nothing else', async () => {
    const { call, credits } = start('empty-organization')
    expect(await credits()).toBe(25)
    for (const operation of ['listTasks', 'listDocuments', 'listNotifications', 'listLandingPages'] as const)
      expect((await call(operation, { query: { all: '1' } })).body.items).toEqual([])
    expect((await call('listNotifications')).body.unread).toBe(0)
    expect((await call('listLeads')).body.prospects).toEqual([])
  })

  test('five-thousand-tasks: all tasks are listed, finished and found by id', async () => {
    const { call, credits } = start('five-thousand-tasks')
    const items = (await call('listTasks')).body.items as { id: string; status: string }[]
    expect(new Set(items.map(({ id }) => id)).size).toBe(5_000)
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['completed', 'failed']))
    expect((await call('getTask', { id: items.at(-1)?.id ?? '' })).body.finished).toBe(true)
    expect(await credits()).toBe(25)
  })

  test('strict-client: responses are unusual', async () => {
    const fields = async ({ call }: Pick<ReturnType<typeof start>, 'call'>) =>
      Object.keys((await call('listTasks')).body)
    expect(await fields(start('strict-client'))).not.toEqual(await fields(rawClient(frozenMock())))
  })
})
