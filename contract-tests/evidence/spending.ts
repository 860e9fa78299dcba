/** Differences between balances: how many credits were spent, and whether somebody else has spent them. */
import type { Exchange } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import type { TestContext } from '../harness/context.ts'
import { quietTime } from '../harness/deadlines.ts'
import { becauseOf } from '../harness/expect.ts'
import { ensureCredits, outwaitCharges, readCredits, spentOf } from './credits.ts'
import { readEndedAgain, refusedRuns, runByOthers, showsRun, violatedByRefusal } from './refused-runs.ts'
import { sharedTask } from './resources.ts'

/** Operations with which checks observe a run, and that may wrongly cost credits. */
type Observing = 'whoami' | 'getTask'

/** Requires that many credits to be spent between two balances. */
export async function expectSpent(
  t: TestContext,
  wanted: { readonly least: number; readonly most: number } | number,
  { before, after }: { readonly before: number; readonly after: number },
  what: string,
  ...exchanges: Exchange[]
): Promise<void> {
  const spent = spentOf(before, after)
  const { least, most } = typeof wanted === 'number' ? { least: wanted, most: wanted } : wanted
  if (spent >= least && spent <= most) return
  // A service may recharge a balance that is used up.
  if (before - most < 1 && after > before)
    throw new NotExercised('credits were added when they were used up', 'an organization with more credits')
  const expected = least === most ? String(most) : `${least} to ${most}`
  await assumeNoLateRun(t)
  await assumeQuietBalance(t, 'whoami', 'getTask')
  const actual = `${spent}, from ${before} to ${after}`
  throw violationOf(`credits spent ${what}: ${expected}`, actual, { before, after }, exchanges)
}

/** The error to throw for a balance that is out of bounds. */
export function wrongBalance(
  expected: string,
  balances: { readonly before: number; readonly after: number },
  ...exchanges: Exchange[]
): Violation {
  return violationOf(expected, `credits: ${balances.after}`, balances, exchanges)
}

function violationOf(
  expected: string,
  actual: string,
  balances: { readonly before: number; readonly after: number },
  exchanges: readonly Exchange[],
): Violation {
  const delta = spentOf(balances.before, balances.after)
  return Object.assign(new Violation(expected, actual, ...exchanges), { delta, balances })
}

/**
 * Continues only if neither the observing operations nor other users change the balance. Called only after a
 * balance was found wrong; FREE-whoami and FREE-getTask test the operations themselves.
 */
export async function assumeQuietBalance(t: TestContext, ...operations: readonly Observing[]): Promise<void> {
  // What fails beside other checks is repeated alone.
  if (!t.run.exclusive) return
  for (const one of operations)
    if (await costsCredits(t, one))
      throw new NotExercised(`${one} changes the balance, so nothing can be compared`)
  if (!t.run.exclusive?.confirms && (await balanceMoves(t)))
    throw new NotExercised('the balance changes by itself: somebody else uses the organization')
}

/** How long the balance is watched, ms. */
export const watchTime = 1_500

/** Whether the balance changes without a request of the suite; watched once in a run. */
export async function balanceMoves(t: TestContext): Promise<boolean> {
  return (await changesByItself(t, watchTime, 1)) > 0
}

/** The same, watched anew: after a provider state a change may be what that does late, and says nothing of the rest of the run. */
export async function balanceMovesNow(t: TestContext): Promise<boolean> {
  const isMoved = (await watchBalance(t, watchTime, 1)) > 0
  const watched = await watchedBalance(t)
  if (!isMoved) watched.ms = Math.max(watched.ms, watchTime)
  return isMoved
}

/** Whether somebody else changes it: more than once, as a late charge would, and not each time that it is read. */
export async function othersSpend(t: TestContext): Promise<boolean> {
  return (await changesByItself(t, quietTime, 2)) > 1 && !(await costsCredits(t, 'whoami'))
}

/** How often it changes without a request of the suite, until that is enough; what was watched before counts. */
async function changesByItself(t: TestContext, ms: number, enough: number): Promise<number> {
  const watched = await watchedBalance(t)
  const left = watched.changes > 0 ? ms : ms - watched.ms
  if (left > 0 && watched.changes < enough) {
    watched.changes += await watchBalance(t, left, enough - watched.changes)
    watched.ms = ms
  }
  return watched.changes
}

const watchedBalance = (t: TestContext) =>
  t.evidence('balance watched', async () => ({ ms: 0, changes: 0 }), 'run')

/** Whether somebody else runs tasks, each of which costs a credit. */
export async function othersRunTasks(t: TestContext): Promise<boolean> {
  const isSeen = () => t.all.some(runByOthers)
  if (!isSeen()) await readEndedAgain(t)
  return isSeen()
}

/** How often it changes until it has not for so long, ms, or until that is enough. */
async function watchBalance(t: TestContext, ms: number, enough: number): Promise<number> {
  await outwaitCharges(t)
  let changes = 0
  let last = await readCredits(t)
  for (let end = t.target.now() + ms; t.target.now() < end && changes < enough; ) {
    await t.target.sleep(50)
    const next = await readCredits(t)
    if (spentOf(last, next) !== 0) {
      changes++
      end = t.target.now() + ms
    }
    last = next
  }
  return changes
}

async function costsCredits(t: TestContext, operation: Observing): Promise<boolean> {
  const asked = operation === 'getTask' ? { id: (await sharedTask(t)).id } : {}
  await ensureCredits(t, 2)
  const before = await readCredits(t)
  await t.call(operation, asked)
  return spentOf(before, await readCredits(t)) !== 0
}

/** Continues only if no refused run of another task happened later, which would have changed the balance. */
async function assumeNoLateRun(t: TestContext): Promise<void> {
  for (const [id, refusal] of refusedRuns(t)) {
    if (!showsRun(await t.call('getTask', { id }))) continue
    const cause = violatedByRefusal(t, refusal) ?? 'RUN-REFUSED-LATER'
    throw becauseOf(cause, 'the balance may have changed by a run that was refused and happened later')
  }
}
