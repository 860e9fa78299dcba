/** Runs that were refused or never ended, found after all checks, whatever the checks were about. */
import type { OperationId } from '#contract/operation.ts'
import {
  briefAnswer,
  type Exchange,
  errorCodeOf,
  idAsText,
  isRunAccepted,
  valueAtPath,
} from '#traffic/exchange.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import {
  type DisturbedByOthers,
  rethrowUnlessNotExercised,
  Unreachable,
  Violation,
} from '../client/check-errors.ts'
import type { SentRequest } from '../client/recorder.ts'
import { findUnendingRun, readTask, stuckRunOf, unfinishedRunsByTask } from '../fixtures/awaited-runs.ts'
import { hasSeenOtherClients } from '../fixtures/other-clients.ts'
import { assumeNoTaskRunByOthers } from '../fixtures/refused-runs.ts'
import { createTask } from '../fixtures/resources.ts'
import { requestRun, runNewTaskWhenIdle } from '../fixtures/runs.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeItems, findItem } from '../harness/expect.ts'
import { createdIdIn } from '../harness/operations.ts'

/**
 * A violation that is found after all checks have ended, and its requirement; other clients may be its cause
 * (`DisturbedByOthers`).
 */
export interface PostRunViolation {
  readonly id: 'RUN-ACCEPTED' | 'RUN-ENDS' | 'BUSY-STARTS' | 'KEY-WORKS' | `FREE-${OperationId}`
  readonly violation: Violation | DisturbedByOthers
}

/**
 * Searches, after all checks, for new tasks whose runs are refused and for a run that never ends; returns the
 * violation, or undefined if there is none.
 */
export const findRunViolation = async (t: TestContext): Promise<PostRunViolation | undefined> =>
  t.run.stuck ?? (await findRefused(t)) ?? (await findUnended(t))

/** Number of refused runs that confirm each other: somebody else may once have run a new task. */
const times = 2

/** Most runs in the search for another refusal. */
const mostRuns = 3

/** Statuses of refusals that leave a task as it is. */
const refusing = [401, 402, 404, 429]

/** Several new tasks whose first run was refused as if they ran already; looks for another one where there is one. */
async function findRefused(t: TestContext): Promise<PostRunViolation | undefined> {
  for (let i = 0; i < mostRuns && firstRunsRefused(t).length === 1 && t.budget.left > 0; i++)
    await runNewTaskWhenIdle(t).catch(rethrowUnlessNotExercised)
  const refused = firstRunsRefused(t)
  const [first, second] = refused
  if (!first || refused.length < times || hasSeenOtherClients(t) || !(await areTasksIdle(t))) return undefined
  const actual = `${briefAnswer(first)}, ${refused.length} times in all`
  return {
    id: 'RUN-ACCEPTED',
    violation: new Violation('a success, or 409 busy, to the first run of a new task', actual, first, second),
  }
}

/** True if tasks that nobody was asked to run have not run. */
const areTasksIdle = (t: TestContext): Promise<boolean> =>
  Promise.all(t.all.map(assumeNoTaskRunByOthers)).then(
    () => true,
    (error) => rethrowUnlessNotExercised(error) ?? false,
  )

/** The refusals of first runs of new tasks, each requested while no other run was. */
function firstRunsRefused(t: TestContext): Exchange[] {
  const runs = t.recorder.sent
    .filter(({ operation }) => operation === 'runTask')
    .filter(({ exchange }) => !refusing.includes(exchange?.status ?? 0))
  const isBeside = (a: SentRequest, b: SentRequest) =>
    a !== b && a.sent.seq < (b.received?.seq ?? 0) && b.sent.seq < (a.received?.seq ?? Infinity)
  const isEarlier = (a: SentRequest, b: SentRequest) =>
    a.number < b.number && decodedPathId(a) === decodedPathId(b)
  const isFirst = (run: SentRequest) => !runs.some((one) => isEarlier(one, run) || isBeside(one, run))
  const created = (run: SentRequest) =>
    t.recorder.exchanges.some(
      (one) =>
        one.operation === 'createTask' &&
        one.number < run.number &&
        one.caller === run.exchange?.caller &&
        createdIdIn(one) === decodedPathId(run),
    )
  const losses = t.recorder.arranged.filter(({ state }) => state === 'answer_lost')
  // A gateway that sends it again gets such a refusal for a run that was accepted.
  const isToBeLost = (run: SentRequest) =>
    losses.findLast(({ sent }) => sent.seq < run.sent.seq)?.action === 'setup'
  return runs
    .filter(({ exchange }) => exchange?.status === 409 && errorCodeOf(exchange) === 'invalid_request')
    .filter((run) => isFirst(run) && created(run) && !isToBeLost(run))
    .flatMap(({ exchange }) => exchange ?? [])
}

/** The first run of an organization that never ends although it was waited for again; undefined if there is none. */
async function findUnended(t: TestContext): Promise<PostRunViolation | undefined> {
  for (const one of t.all) {
    if (t.run.unreachable !== undefined) return undefined
    await lookAtOpenRuns(one).catch(orLeave)
    const found = one.unended.size > 0 ? await neverEnded(one).catch(orLeave) : undefined
    if (found) return found
  }
  return undefined
}

/** An error that keeps it from being found is ignored; a service that has gone away says nothing. */
const orLeave = (error: unknown) =>
  error instanceof Unreachable ? undefined : rethrowUnlessNotExercised(error)

/** Looks once more at accepted runs whose ends nobody has read, such as those of a burst. */
async function lookAtOpenRuns(t: TestContext): Promise<void> {
  const open = unfinishedRunsByTask(t)
  if (open.size === 0) return
  const isFinal = finalStatuses(t)
  const isList = ({ operation, caller }: Exchange) => operation === 'listTasks' && caller === t.main.caller
  const list = t.recorder.exchanges.findLast(isList) ?? (await t.call('listTasks'))
  for (const [id, answer] of open)
    if (!isFinal.has(valueAtPath(findItem(list, id), 'status')) && !(await readTask(t, id)).finished)
      t.unended.set(id, answer)
}

/** The statuses that only finished tasks had. */
function finalStatuses({ recorder: { exchanges } }: TestContext): Set<unknown> {
  const readings = exchanges.filter(
    (one) => one.operation === 'getTask' && valueAtPath(one.json, 'finished') !== undefined,
  )
  const statusesOf = (finished: boolean) =>
    new Set(
      readings
        .filter(({ json }) => valueAtPath(json, 'finished') === finished)
        .map(({ json }) => valueAtPath(json, 'task', 'status')),
    )
  return statusesOf(true).difference(statusesOf(false))
}

async function neverEnded(t: TestContext): Promise<PostRunViolation | undefined> {
  const { unended, settings } = t
  // Once a run was waited for in vain, later ones were not waited for in full.
  const requested = [...unended.values()].map((answer) => t.recorder.sentFor(answer)?.received?.ms ?? 0)
  const left = Math.max(...requested) + 2 * settings.runTimeout - t.target.now()
  const first = await findUnendingRun(t, unended, Math.max(settings.runTimeout, left))
  if (!first) return undefined
  const [id, answer] = first
  const before = await readTask(t, id)
  // Somebody else may keep the agent busy, unless it works on this run, or has done another one since, or nobody shows.
  const others = await tasksOfOthers(t)
  const mayBeKept =
    before.status !== 'in_progress' && !(await anotherEnds(t)) && (await tasksOfOthers(t)) !== others
  const last = await readTask(t, id)
  if (before.finished || last.finished) return undefined
  return stuckRunOf(t, answer, last, mayBeKept)
}

/** Tasks of others in a list; two looks at one in progress are never the same. */
async function tasksOfOthers(t: TestContext): Promise<string | symbol> {
  const created = new Set(t.recorder.exchanges.map(createdIdIn))
  const others = assumeItems(await t.call('listTasks')).filter(
    (item) => !created.has(idAsText(valueAtPath(item, 'id'))),
  )
  const isActive = others.some((item) => valueAtPath(item, 'status') === 'in_progress')
  return isActive
    ? Symbol('active')
    : JSON.stringify(others.map((item) => [valueAtPath(item, 'id'), valueAtPath(item, 'status')]))
}

/** True if a new run ends; false where no credit is left for one. */
async function anotherEnds(t: TestContext): Promise<boolean> {
  if (t.budget.left < 1) return false
  const { id } = await createTask(t)
  if (!isRunAccepted(await requestRun(t, id))) return false
  const end = () => readTask(t, id).then(({ finished }) => finished || undefined)
  return (await t.until(t.settings.runTimeout, end)) === true
}
