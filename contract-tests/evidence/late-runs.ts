/** Runs that were refused and happen later: what they cost must not be blamed on another request. */
import { type Exchange, field, idOf, items } from '#traffic/exchange.ts'
import { requestedId } from '#traffic/odd-input.ts'
import type { TestContext } from '../harness/context.ts'
import { createdId } from '../harness/created.ts'
import { becauseOf } from '../harness/expect.ts'

/** Refusals after which a task stays as it is; 409 busy is none. */
const refusing = new Set([400, 401, 402, 404, 422, 429, 503])

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
    const id = requestedId(one) ?? ''
    if (operation === 'getTask' && showsRun(one) && !refusals.has(id)) ran.add(id)
    if (operation !== 'runTask') continue
    if (!refusing.has(status)) ran.add(id)
    else if (!refusals.has(id)) refusals.set(id, one)
  }
  for (const id of ran) refusals.delete(id)
  return refusals
}

/** The refused runs of the tasks that the run has created, by task id. */
export function refusedRuns(t: TestContext): (readonly [id: string, refusal: Exchange])[] {
  const { exchanges } = t.recorder
  const isOwn = ({ operation, caller }: Exchange) => operation === 'createTask' && caller === t.main.caller
  const own = new Set(exchanges.filter(isOwn).map(createdId))
  return [...refusedRunsByTask(exchanges)].filter(([id]) => own.has(id))
}

/** The requirement that a refusal of a run like this one was already found to violate. */
export function violatedByRefusal(t: TestContext, { status }: Exchange): string | undefined {
  return t.run.violations.find(({ evidence }) =>
    evidence.some((one) => one.operation === 'runTask' && one.status === status),
  )?.id
}

/** Whether a list shows a task with the status that it was created with. */
export function isListedUnchanged({ main, recorder }: TestContext, list: Exchange, id: string): boolean {
  const status = field(
    items(list).find((item) => idOf(field(item, 'id')) === id),
    'status',
  )
  const made = recorder.exchanges.find(
    (one) => one.operation === 'createTask' && one.caller === main.caller && createdId(one) === id,
  )
  const isIdle = typeof status === 'string' && status !== 'in_progress'
  return isIdle && status === field(made?.json, 'task', 'status')
}

/** Continues only if no refused run of another task happened later, which would have changed the balance. */
export async function assumeNoLateRun(t: TestContext): Promise<void> {
  for (const [id, refusal] of refusedRuns(t)) {
    if (!showsRun(await t.call('getTask', { id }))) continue
    const cause = violatedByRefusal(t, refusal) ?? 'RUN-REFUSED-LATER'
    throw becauseOf(cause, 'the balance may have changed by a run that was refused and happened later')
  }
}
