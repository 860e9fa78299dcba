/** Requirements of balances: a wrong one counts only if neither observing nor others change it. */
import type { Exchange } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import type { TestContext } from '../harness/context.ts'
import { ensureCredits, outwaitCharges, readCredits, spentOf } from './credits.ts'
import { assumeNoLateRun } from './late-runs.ts'
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
  const expected = least === most ? String(most) : `${least} to ${most}`
  await assumeNoLateRun(t)
  await assumeQuietBalance(t, 'whoami', 'getTask')
  const violation = new Violation(
    `credits spent ${what}: ${expected}`,
    `${spent}, from ${before} to ${after}`,
    ...exchanges,
  )
  violation.offBy = spent
  violation.balances = { before, after }
  throw violation
}

/** Requires a balance to be within bounds. */
export function expectBalance(
  fact: boolean,
  expected: string,
  balances: { readonly before: number; readonly after: number },
  ...exchanges: Exchange[]
): void {
  if (fact) return
  const violation = new Violation(expected, `credits: ${balances.after}`, ...exchanges)
  violation.offBy = spentOf(balances.before, balances.after)
  violation.balances = balances
  throw violation
}

/**
 * Continues only if neither the observing operations nor other users change the balance. Called only after a
 * balance was found wrong; FREE-whoami and FREE-getTask test the operations themselves.
 */
export async function assumeQuietBalance(t: TestContext, ...operations: readonly Observing[]): Promise<void> {
  // What fails beside other checks is repeated alone.
  if (t.run.overlapped) return
  for (const one of operations)
    if (await costsCredits(t, one))
      throw new NotExercised(`${one} changes the balance, so nothing can be compared`)
  if (!t.run.confirming && (await balanceMoves(t)))
    throw new NotExercised('the balance changes by itself: somebody else uses the organization')
}

/** How long the balance is watched, ms. */
export const watchTime = 1_500

/** Whether the balance changes without a request of the suite; watched once in a run. */
export function balanceMoves(t: TestContext): Promise<boolean> {
  return t.evidence('balance changes by itself', () => changesByItself(t), 'run')
}

async function changesByItself(t: TestContext): Promise<boolean> {
  await outwaitCharges(t)
  const first = await readCredits(t)
  for (const end = t.target.now() + watchTime; t.target.now() < end; ) {
    await t.target.sleep(50)
    if (spentOf(first, await readCredits(t)) !== 0) return true
  }
  return false
}

async function costsCredits(t: TestContext, operation: Observing): Promise<boolean> {
  const id = operation === 'getTask' ? (await sharedTask(t)).id : undefined
  await ensureCredits(t, 2)
  const before = await readCredits(t)
  if (id !== undefined) await t.call('getTask', { id })
  return spentOf(before, await readCredits(t)) !== 0
}
