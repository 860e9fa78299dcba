/** What scenarios do to the request and the second; scripts/docs/recipes.test.ts starts each that a page names. */
import { describe, expect, test } from 'vitest'
import { rules } from '#client-tests/rules/index.ts'
import type { OperationId } from '#contract/operation.ts'
import { rawClient } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'
import { type ScenarioId, scenarios } from './index.ts'

test.each(scenarios)('$id has its own seed, and names existing client rules', ({ id, options, expects }) => {
  expect(scenarios.filter((one) => one.id === id || one.options.seed === options.seed)).toHaveLength(1)
  expect(rules.map((one) => one.id)).toEqual(expect.arrayContaining([...expects]))
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

  test('mixed-variants: each route has its own shape', async () => {
    const { call, newTask } = start('mixed-variants')
    const id = await newTask()
    const fieldsOf = async (operation: OperationId) =>
      Object.keys((await call(operation, { id, body: { text: 'a' } })).body).sort()
    expect(await Promise.all((['listTasks', 'createTask', 'runTask'] as const).map(fieldsOf))).toEqual([
      ['items', 'limit', 'remaining', 'usedToday'],
      ['task'],
      ['finished', 'ok', 'runId', 'status', 'taskId'],
    ])
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
})
