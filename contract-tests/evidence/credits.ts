/** Balances: the credits that `whoami` reports as spendable. */

import { type Exchange, field } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeJson, assumePresent } from '../harness/expect.ts'
import type { AwaitedEvent } from '../harness/patience.ts'
import { lookAgain } from './late-effects.ts'
import { assumeNoLateRun } from './late-runs.ts'
import { sharedTask } from './resources.ts'

/** Operations with which checks observe a run, and that may wrongly cost credits. */
type Observing = 'whoami' | 'getTask'

/** The `credits` of a response. */
export function creditsIn(exchange: Exchange): number {
  const credits = field(assumeJson(exchange).json, 'credits')
  return assumePresent(typeof credits === 'number' ? credits : undefined, 'credits')
}

/** The current balance of a caller's organization, once it shows what was requested before. */
export async function readCredits(t: TestContext, client: Client = t.main): Promise<number> {
  if (t.recorder.exchanges.at(-1)?.operation !== 'whoami') await catchUp(t)
  return creditsIn(assumeAccepted(await client.call('whoami')))
}

/** Waits as long as the balance may follow, once it was seen to follow late; how late, other charges may hide. */
export async function catchUp(t: TestContext): Promise<void> {
  const { balance_ms } = t.run.lateness
  if (balance_ms > 0) await t.target.sleep(Math.max(t.settings.consistency / 2, 1.25 * balance_ms + 50))
}

/**
 * The balance once that many credits are spent; looks again for as long as a balance may take to follow, and
 * records how long it took.
 */
export async function creditsOnceSpent(
  t: TestContext,
  wanted: number,
  before: number,
  cause: Exchange,
  read: () => Promise<number> = () => readCredits(t),
): Promise<number> {
  const first = await read()
  if (spentOf(before, first) === wanted) return first
  const effect = { kind: 'balance', what: 'the balance', source: 'the balance', cause } as const
  const look = async () => assumeAccepted(await t.call('whoami'))
  return creditsIn(await lookAgain(t, effect, look, (seen) => spentOf(before, creditsIn(seen)) === wanted))
}

/** The credits spent between two balances, which may have fractions (§2). */
export function spentOf(before: number, after: number): number {
  return Math.round((before - after) * 1e6) / 1e6 || 0
}

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
  const violation = new Violation(expected, String(balances.after), ...exchanges)
  violation.offBy = spentOf(balances.before, balances.after)
  violation.balances = balances
  throw violation
}

/** Polls until the balance has a value, for as long as a refund may take; returns the last balance. */
export async function settledCredits(t: TestContext, wanted: number, event: AwaitedEvent): Promise<number> {
  let seen = await readCredits(t)
  await t.waitFor(event, async () => {
    if (spentOf(seen, wanted) === 0) return true
    seen = await readCredits(t)
    return undefined
  })
  return seen
}

/** The balance once it is stable: read until two readings agree. */
export async function restingCredits(t: TestContext): Promise<number> {
  let last = await readCredits(t)
  for (let i = 0; i < 5; i++) {
    await t.target.sleep(30)
    const now = await readCredits(t)
    if (now === last) return now
    last = now
  }
  return last
}

/** Time in which a late charge or refund would show, ms. */
const lasting = 500

/** The balance once it has not changed for some time. */
export async function lastingCredits(t: TestContext): Promise<number> {
  let last = await readCredits(t)
  for (let i = 0; i < 3; i++) {
    await t.target.sleep(lasting)
    const now = await readCredits(t)
    if (now === last) return now
    last = now
  }
  return last
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

/** Sets the balance by a provider state; the clean-up at the end of the run restores the one before. */
export async function setCreditsState(t: TestContext, credits: number): Promise<void> {
  const org_id = await t.orgId()
  t.balanceBefore ??= { org_id, credits: await readCredits(t), spent: t.budget.spent }
  await t.states.setup('credits', { org_id, credits })
}

/** Credits set in addition to those that are needed. */
const margin = 10

/** Raises a balance that is too low by a provider state if that is offered; returns the balance. */
export async function ensureCredits(t: TestContext, wanted: number): Promise<number> {
  const before = await readCredits(t)
  if (before >= wanted || t.settings.readOnly || !t.states.mayOffer('credits')) return before
  await setCreditsState(t, wanted + margin)
  return creditsOnceSet(t, wanted + margin)
}

/** ms before another look at a balance that a provider state has set. */
const afresh = 25
/** The source of its lateness. */
const byState = 'the balance after a state'

/** The balance after a provider state has set it, which it may show a moment late. */
export async function creditsOnceSet(t: TestContext, wanted: number): Promise<number> {
  const { recorder } = t
  const { lateness } = t.run
  const last = recorder.exchanges.findLast(
    ({ operation, caller }) => operation === 'whoami' && caller === t.main.caller,
  )
  await catchUp(t)
  const look = async () => creditsIn(assumeAccepted(await t.call('whoami')))
  let seen = await look()
  const hasMoved = last !== undefined && field(last.json, 'credits') !== seen
  if (seen === wanted || lateness.missed.has(byState)) return seen
  // A state that sets another balance than it should will not set the right one later.
  if (hasMoved) {
    lateness.missed.add(byState)
    return seen
  }
  const since = t.target.now()
  await t.until(t.settings.consistency, async () => {
    await t.target.sleep(afresh)
    seen = await look()
    return seen === wanted ? true : undefined
  })
  const took = t.target.now() - since
  if (seen === wanted) lateness.balance_ms = Math.max(lateness.balance_ms, took)
  else lateness.missed.add(byState)
  return seen
}

/** Continues only if the organization has that many credits; returns the balance. */
export async function assumeCredits(t: TestContext, wanted: number): Promise<number> {
  const balance = await ensureCredits(t, wanted)
  throwIfFewer(balance, wanted)
  return balance
}

/** @throws NotExercised if a balance is too low */
export function throwIfFewer(balance: number, wanted: number): void {
  if (balance < wanted)
    throw new NotExercised(
      `the organization has fewer than ${wanted} Work Credit${wanted === 1 ? '' : 's'}`,
      'credits, or the state "credits"',
    )
}
