/** Balances: what can be spent, as `whoami` tells it. */

import { type Exchange, field } from '#traffic/exchange.ts'
import type { Client } from '../client/client.ts'
import { NotExercised, Violation } from '../client/finding.ts'
import type { TestContext } from '../harness/context.ts'
import { need, needAccepted } from '../harness/expect.ts'
import { sharedTask } from './resources.ts'

/** What balances are looked at with while something is followed. */
type Look = 'whoami' | 'getTask'

/** `credits` of an answer. */
export function creditsIn(exchange: Exchange): number {
  const credits = field(exchange.json, 'credits')
  return need(typeof credits === 'number' ? credits : undefined, 'credits')
}

/** What the organization of a caller can spend now. */
export async function readCredits(t: TestContext, client: Client = t.main): Promise<number> {
  return creditsIn(needAccepted(await client.call('whoami')))
}

/** Credits that went between two balances. Balances may have fractions (§2), and be told rounded. */
export function spentOf(before: number, after: number): number {
  return Math.round((before - after) * 1e6) / 1e6 || 0
}

/** Judges how many credits went between two balances. */
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
  await needQuietBalance(t, 'whoami', 'getTask')
  const violation = new Violation(
    `credits spent ${what}: ${expected}`,
    `${spent}, from ${before} to ${after}`,
    ...exchanges,
  )
  violation.offBy = spent
  throw violation
}

/** Waits until the balance is that, as long as a refund may take; answers the last one seen. */
export async function settledCredits(t: TestContext, wanted: number): Promise<number> {
  let seen = await readCredits(t)
  await t.until(t.settings.runTimeout, async () => {
    if (spentOf(seen, wanted) === 0) return true
    seen = await readCredits(t)
    return undefined
  })
  return seen
}

/** The balance when it has come to rest: read until it is told twice. */
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

/** Time in which a late second charge or refund would come, ms. */
const lasting = 500

/** The balance some time after it has come to rest. */
export async function lastingCredits(t: TestContext): Promise<number> {
  await restingCredits(t)
  await t.target.sleep(lasting)
  return readCredits(t)
}

/**
 * Goes on only where neither looking nor anybody else moves the balance: else nothing that is followed by
 * looks can be judged. Asked only where a balance was found wrong; what is wrong with looking is FREE-whoami's
 * and FREE-getTask's business.
 */
export async function needQuietBalance(t: TestContext, ...looks: readonly Look[]): Promise<void> {
  for (const one of looks)
    if (await lookCosts(t, one)) throw new NotExercised(`${one} moves the balance, so nothing is shown`)
  if (await t.evidence('drift', () => drifts(t)))
    throw new NotExercised('the balance moves by itself: the organization is not quiet')
}

/** Watches the balance for two seconds. */
async function drifts(t: TestContext): Promise<boolean> {
  const first = await readCredits(t)
  for (let i = 0; i < 40; i++) {
    await t.target.sleep(50)
    if (spentOf(first, await readCredits(t)) !== 0) return true
  }
  return false
}

async function lookCosts(t: TestContext, operation: Look): Promise<boolean> {
  const id = operation === 'getTask' ? (await sharedTask(t)).id : undefined
  await ensureCredits(t, 2)
  const before = await readCredits(t)
  if (id !== undefined) await t.call('getTask', { id })
  return spentOf(before, await readCredits(t)) !== 0
}

/** Makes exactly so many credits spendable by a state; what there was before is remembered for the end of the run. */
export async function arrangeCredits(t: TestContext, credits: number): Promise<void> {
  const org_id = await t.orgId()
  t.balanceBefore ??= { org_id, credits: await readCredits(t), spent: t.budget.spent }
  await t.states.setup('credits', { org_id, credits })
}

/** Credits that are arranged beyond those that are wanted. */
const margin = 10

/** Sees to it that the organization can pay, by a state where it cannot and the state is offered; tells what it can. */
export async function ensureCredits(t: TestContext, wanted: number): Promise<number> {
  const before = await readCredits(t)
  if (before >= wanted || t.settings.readOnly || !t.states.mayOffer('credits')) return before
  await arrangeCredits(t, wanted + margin)
  return readCredits(t)
}

/** Goes on only with an organization that can pay. */
export async function needCredits(t: TestContext, wanted: number): Promise<void> {
  if ((await ensureCredits(t, wanted)) < wanted)
    throw new NotExercised(
      `the organization has not ${wanted} Work Credit${wanted === 1 ? '' : 's'}`,
      'credits, or the state "credits"',
    )
}
