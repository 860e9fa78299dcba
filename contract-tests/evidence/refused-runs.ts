/** Runs that were refused, and tasks that nobody was asked to run: neither may run later. */
import { type Exchange, field, idOf, items } from '#traffic/exchange.ts'
import { requestedId } from '#traffic/odd-input.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { TestContext } from '../harness/context.ts'
import { expectSame } from '../harness/expect.ts'
import { createdId } from '../harness/operations.ts'

/** Refusals after which nothing is charged, and a task stays as it is; a run that has to wait (409) is charged later. */
export const refusing = new Set([400, 401, 402, 404, 422, 429, 503])

/** Whether a response shows a task that runs or has run. */
export function showsRun({ json }: Exchange): boolean {
  return field(json, 'finished') === true || field(json, 'task', 'status') === 'in_progress'
}

/** The refusals of runs of tasks that were never accepted, and that had not run when they were refused, by task id. */
function refusedRunsByTask(exchanges: readonly Exchange[]): Map<string, Exchange> {
  const refusals = new Map<string, Exchange>()
  const ran = new Set<string>()
  for (const one of exchanges) {
    const { operation, status } = one
    if (operation !== 'getTask' && operation !== 'runTask') continue
    const id = requestedId(one) ?? ''
    if (operation === 'getTask' && showsRun(one) && !refusals.has(id)) ran.add(id)
    if (operation !== 'runTask') continue
    if (!refusing.has(status)) ran.add(id)
    else if (!refusals.has(id)) refusals.set(id, one)
  }
  for (const id of ran) refusals.delete(id)
  return refusals
}

/** The answers that created tasks of the organization. */
const creationsOf = ({ main, recorder }: TestContext) =>
  recorder.exchanges.filter(({ operation, caller }) => operation === 'createTask' && caller === main.caller)

/** The refused runs of the tasks that the run has created, by task id. */
export function refusedRuns(t: TestContext): (readonly [id: string, refusal: Exchange])[] {
  const own = new Set(creationsOf(t).map(createdId))
  return [...refusedRunsByTask(t.recorder.exchanges)].filter(([id]) => own.has(id))
}

/** The requirement that a refusal of a run like this one was already found to violate. */
export function violatedByRefusal(t: TestContext, { status }: Exchange): string | undefined {
  return t.run.violations.find(({ evidence }) =>
    evidence.some((one) => one.operation === 'runTask' && one.status === status),
  )?.id
}

const listedStatus = (list: Exchange, id: string): unknown =>
  field(
    items(list).find((item) => idOf(field(item, 'id')) === id),
    'status',
  )

/** Whether a list shows a task with the status that it was created with. */
export function isListedUnchanged(t: TestContext, list: Exchange, id: string): boolean {
  const status = listedStatus(list, id)
  const made = creationsOf(t).find((one) => createdId(one) === id)
  const isIdle = typeof status === 'string' && status !== 'in_progress'
  return isIdle && status === field(made?.json, 'task', 'status')
}

/** An organization that nobody else uses, as what the operator may supply. */
export const aQuietOne = 'an organization that nobody else uses'

/** The error to throw where notifications are read that the suite has not marked. */
export const markedByOthers = () => new NotExercised('somebody else marks notifications as read', aQuietOne)

/** The error to throw where the balance moves although nothing was asked for that costs. */
export const movedByOthers = () =>
  new NotExercised('the balance changes by itself: somebody else uses the organization', aQuietOne)

/** A task that ran although the suite has not asked for it since it was created, or since its only run has ended. */
export function runByOthers(owner: TestContext): string | undefined {
  const fellows = owner.all.filter((one) => one !== owner)
  const theirs = new Set(
    fellows.flatMap((one) => creationsOf(one).map((made) => `${one.main.caller} ${createdId(made)}`)),
  )
  // Ids may be alike in two organizations.
  const own = owner.recorder.exchanges.filter((one) => !theirs.has(`${one.caller} ${requestedId(one)}`))
  const asked = Map.groupBy(
    own.filter(({ operation }) => operation === 'runTask'),
    requestedId,
  )
  const lists = own.filter(
    ({ operation, caller }) => operation === 'listTasks' && caller === owner.main.caller,
  )
  const isMoved = (list: Exchange, id: string) =>
    listedStatus(list, id) !== undefined && !isListedUnchanged(owner, list, id)
  const goesOn = (id: string, run: Exchange) => {
    const isOf = (one: Exchange) => one.operation === 'getTask' && requestedId(one) === id
    const looks = own.filter((one) => one.number > run.number && isOf(one))
    const end = looks.findIndex(({ json }) => field(json, 'finished') === true)
    return end >= 0 && looks.slice(end).some(({ json }) => field(json, 'finished') === false)
  }
  return creationsOf(owner)
    .flatMap((one) => createdId(one) ?? [])
    .find((id) => {
      const [run, ...more] = asked.get(id) ?? []
      if (!run) return lists.some((list) => isMoved(list, id))
      return more.length === 0 && goesOn(id, run)
    })
}

/** The task whose run was the last that was seen to end; undefined: none was. */
export function lastEnded(t: TestContext): string | undefined {
  const isEnd = ({ operation, caller, json }: Exchange) =>
    operation === 'getTask' && caller === t.main.caller && field(json, 'finished') === true
  const end = t.recorder.exchanges.findLast(isEnd)
  return end && requestedId(end)
}

/** Reads that task again: somebody else may have run it since. */
export async function readEndedAgain(t: TestContext): Promise<void> {
  const id = lastEnded(t)
  if (id !== undefined) await t.call('getTask', { id })
}

/** Continues only if tasks that nobody was asked to run stay as they were; otherwise somebody else runs tasks. */
export async function assumeTasksIdle(owner: TestContext): Promise<void> {
  await owner.call('listTasks')
  const ran = runByOthers(owner)
  if (ran !== undefined)
    throw new NotExercised(
      `the task ${ran} ran, and the suite has not asked for it: somebody else uses the organization`,
      aQuietOne,
    )
}

/** Requires a task to have the status that it had, unless somebody else runs tasks. */
export async function expectStatusKept(
  t: TestContext,
  before: { readonly status: unknown },
  after: { readonly status: unknown; readonly exchange: Exchange },
  ...causes: Exchange[]
): Promise<void> {
  if (after.status !== before.status) await assumeTasksIdle(t)
  expectSame(after.status, before.status, 'task.status', ...causes, after.exchange)
}
