/** What a history rests on that was there before is part of its steps, so that it shows from nothing. */
import { expect, test } from 'vitest'
import { createMutated, type Mutation } from '#proof/mutations/mutation.ts'
import { type Fields, rewriteSuccess } from '#proof/mutations/reply.ts'
import { TestContext } from '../harness/context.ts'
import { RunState } from '../harness/run-state.ts'
import { settingsWith } from '../harness/terms.ts'
import { embeddedMock } from '../targets/in-process.ts'
import type { Finding } from './findings.ts'
import { FreshOrganizations } from './fresh.ts'
import { replay } from './replay.ts'
import { scriptOf } from './script.ts'
import { type Stage, stageOf } from './stage.ts'
import { type CallStep, callsOf, type Step } from './step.ts'

const endings = () => ({ failed: new Set<string>(), ordinary: new Set<string>() })
const numbers = () => {
  let last = 100
  return () => ++last
}
const call = (at: number, operation: CallStep['operation'], body?: object): CallStep => ({
  ...({ kind: 'call', tenant: 'main', as: 'key' } as const),
  ...{ at, operation, ...(body ? { body } : {}) },
})
const newTask = (at: number) => call(at, 'createTask', { text: 'Task {tag}' })

/** An organization in which `many` tasks were created. */
async function used(mutation: Mutation, many: number, keysOnly = false): Promise<Stage> {
  const given = keysOnly ? { keysOnly: ['wak_live_first', 'wak_live_second'] } : {}
  const { target, access } = embeddedMock(given, (options) => createMutated([mutation], options))
  const settings = settingsWith({ ...access, runId: 'verify-test', consistency: 0, runTimeout: 2_000 })
  const stage = stageOf(new TestContext({ settings, target, run: new RunState(settings) }))
  await stage.creditSource.open(['main'])
  const tasks = Array.from({ length: many }, (_, i) => newTask(i + 1))
  await replay(stage, tasks, '(before)', '', endings())
  return stage
}

/** Replays the history in an organization. */
const shown = (stage: Stage) => replay(stage, history, '(here)', '', endings())

/** What shows from nothing of a violation. */
const rootOf = (stage: Stage, requirement: string) =>
  new FreshOrganizations(stage, numbers(), () => '(fresh)').root(history, requirement, endings())

/** The list of tasks loses its newest beyond 40. */
const losesNewest = rewriteSuccess(({ body }) => {
  const answer = body as { items: Fields[] }
  if (answer.items.length > 40) answer.items = answer.items.slice(1)
}, 'listTasks')

const history = [newTask(1), call(2, 'listTasks')]
const made = (steps: readonly Step[]) =>
  steps.flatMap(callsOf).filter(({ operation }) => operation === 'createTask').length

test('a list that loses its newest beyond a number is shown after as many were made', async () => {
  const stage = await used(losesNewest, 60)
  const requirement = (await shown(stage)).violation?.requirement ?? ''
  expect(requirement).toMatch(/LISTED/)
  const rooted = await rootOf(stage, requirement)
  if (!rooted) throw new Error('it does not show from nothing')
  const needed = made(rooted.steps)
  expect(needed).toBeGreaterThan(20)
  expect(needed).toBeLessThan(50)
  expect(rooted.shown.violation.requirement).toBe(requirement)
})

test('where no key opens another organization, nothing is said of what shows from nothing', async () => {
  const stage = await used(losesNewest, 60, true)
  expect(await rootOf(stage, 'TASK-LISTED')).toBeUndefined()
})

test('what shows from nothing stays as it is', async () => {
  const always = rewriteSuccess(
    ({ body }) => void (body as { items: Fields[] }).items.splice(0, 1),
    'listTasks',
  )
  const stage = await used(always, 5)
  const { violation } = await shown(stage)
  expect(await rootOf(stage, violation?.requirement ?? '')).toMatchObject({ steps: history })
})

test('a duplicate of an old thing is not shown by a list alone, a duplicate of a new one is', async () => {
  const doubles = (nth: number) =>
    rewriteSuccess(({ body }) => {
      const answer = body as { items: Fields[] }
      answer.items = answer.items.flatMap((one, i) => (i === nth ? [one, one] : [one]))
    }, 'listTasks')
  const [old, fresh] = [await used(doubles(9), 12), await used(doubles(0), 12)]
  expect((await shown(old)).violation).toBeUndefined()
  expect((await shown(fresh)).violation).toBeDefined()
})

test('what shows in one organization only is said to', () => {
  const violation = { requirement: 'TASK-LISTED', expected: 'the newest', actual: 'not' }
  const finding = { violation, how: 'replayed', isHere: true, steps: [], evidence: [] } as unknown as Finding
  expect(scriptOf(finding, String)).toContain('not in one that nobody had used')
})
