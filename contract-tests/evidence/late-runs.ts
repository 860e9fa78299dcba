/** Runs that were refused and happen later: what they cost must not be blamed on another request. */
import { type Exchange, field, idOf, items } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { createdId } from '../harness/created.ts'
import { becauseOf } from '../harness/expect.ts'
import { refusedRunsByTask, showsRun } from './whole-run.ts'

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
