/**
 * Data that was there before a history and matters to it becomes part of its steps, so that an unused organization
 * shows it too.
 */
import { expect, test } from 'vitest'
import { createMutatedMock, type Mutation } from '#proof/mutations/mutation.ts'
import { changeField, type MutableJsonObject, rewriteSuccess } from '#proof/mutations/reply.ts'
import { createContextOnMock } from '../../testing/run.ts'
import { createSearchEnvironment } from '../execute/env.ts'
import { LatencyAssumption } from '../execute/latency-assumption.ts'
import { type CallStep, requestsOfStep, type Step } from '../step.ts'
import { reproduceViolation } from './investigation.ts'
import { IsolatedTenants } from './isolated-tenants.ts'
import { replaySteps } from './replay.ts'

const call = (stepId: number, operation: CallStep['operation'], body?: object): CallStep => ({
  ...({ kind: 'call', tenant: 'main', credential: 'key' } as const),
  ...{ stepId, operation, ...(body ? { body } : {}) },
})
const newTask = (stepId: number) => call(stepId, 'createTask', { text: 'Task {tag}' })

/** An organization in which `many` tasks were created, and a function that performs steps there. */
async function used(mutation: Mutation, many: number, keysOnly = false) {
  const options = keysOnly ? { keysOnly: ['wak_live_first', 'wak_live_second'] } : {}
  const settings = { runId: 'verify-test', consistency: 0, runTimeout: 2_000 }
  const create = (given = {}) => createMutatedMock([mutation], given)
  const env = createSearchEnvironment(createContextOnMock(settings, { options, create }))
  await env.creditSource.openAccounts(['main'])
  const finalStatuses = { failed: new Set<string>(), ordinary: new Set<string>() }
  const shown = (steps: readonly Step[]) => replaySteps(env, steps, '(here)', '', finalStatuses)
  const tasks = Array.from({ length: many }, (_, i) => newTask(i + 10))
  await shown(tasks)
  return { env, shown, tasks }
}

/** The result of reproducing a violation that was shown after tasks were created. */
async function triedAgain({ env, shown, tasks }: Awaited<ReturnType<typeof used>>, later = history) {
  const { violation, executor, log } = await shown([...tasks, ...later])
  if (!violation) throw new Error('it does not show here')
  let last = 1_000
  const latency = new LatencyAssumption({ consistency: 0, runTimeout: 0 })
  const search = { env, executor, log, latency, nextStepId: () => ++last, newTag: () => `(${++last})` }
  return reproduceViolation({ ...search, isolatedTenants: new IsolatedTenants(env) }, violation)
}

/** A fault: a list of more than 40 tasks lacks the newest one. */
const losesNewest = rewriteSuccess(({ body }) => {
  const answer = body as { items: MutableJsonObject[] }
  if (answer.items.length > 40) answer.items = answer.items.slice(1)
}, 'listTasks')

const history: readonly Step[] = [newTask(1), call(2, 'listTasks')]
const createdBy = (steps: readonly Step[]) =>
  steps.flatMap(requestsOfStep).filter(({ operation }) => operation === 'createTask').length

test('a list that loses its newest beyond a number is shown after as many were made', async () => {
  const { steps, shown, reproducesFromScratch } = await triedAgain(await used(losesNewest, 60))
  expect(reproducesFromScratch).toBe(true)
  expect(createdBy(steps)).toBeGreaterThan(20)
  expect(createdBy(steps)).toBeLessThan(50)
  expect(shown?.violation.requirement).toMatch(/LISTED/)
})

test('a task that was run is run again, however long the wait before it was read', async () => {
  const renamed = changeField('getTask', 'task.text', (text, { status }) =>
    status === 'completed' ? 'another' : text,
  )
  const target = { createdBy: 1 }
  const { steps, shown } = await triedAgain(await used(renamed, 5), [
    newTask(1),
    { ...call(2, 'runTask'), target },
    { kind: 'wait', stepId: 3, ms: 9_000 },
    { ...call(4, 'getTask'), target: { createdBy: 10 } },
    { ...call(5, 'getTask'), target },
  ])
  expect(shown?.violation.requirement).toBe('RUN-KEEPS-TASK')
  expect(steps.flatMap(requestsOfStep).map(({ operation }) => operation)).toEqual([
    'createTask',
    'runTask',
    'getTask',
  ])
})

test('where no key opens another organization, nothing is said of what shows from nothing', async () => {
  expect(await triedAgain(await used(losesNewest, 60, true))).toMatchObject({
    reproducesFromScratch: false,
    needsPriorState: false,
  })
})

test('what shows from nothing stays as it is', async () => {
  const always = rewriteSuccess(
    ({ body }) => void (body as { items: MutableJsonObject[] }).items.splice(0, 1),
    'listTasks',
  )
  const { steps, reproducesFromScratch } = await triedAgain(await used(always, 5))
  expect(reproducesFromScratch).toBe(true)
  expect(steps.flatMap(requestsOfStep).map(({ operation }) => operation)).toEqual(['createTask', 'listTasks'])
})

test('a duplicate of an old thing is not shown by a list alone, a duplicate of a new one is', async () => {
  const doubles = (nth: number) =>
    rewriteSuccess(({ body }) => {
      const answer = body as { items: MutableJsonObject[] }
      answer.items = answer.items.flatMap((one, i) => (i === nth ? [one, one] : [one]))
    }, 'listTasks')
  const [old, isolatedTenants] = [await used(doubles(9), 12), await used(doubles(0), 12)]
  expect((await old.shown(history)).violation).toBeUndefined()
  expect((await isolatedTenants.shown(history)).violation).toBeDefined()
})
