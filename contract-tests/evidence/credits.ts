/** Balances: what can be spent, as `whoami` tells it. */
import type { Client } from '../client.ts'
import { type Exchange, field } from '../exchange.ts'
import { NotExercised, Violation } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { need, needAccepted } from '../words.ts'
import { sharedTask } from './resources.ts'

/** What balances are looked at with while something is followed. */
type Look = 'whoami' | 'getTask'

/** `credits` of an answer. */
export function creditsIn(exchange: Exchange): number {
  const credits = field(exchange.json, 'credits')
  return need(typeof credits === 'number' ? credits : undefined, 'credits')
}

/** What the organization of a caller can spend now. */
export async function readCredits(kit: Kit, client: Client = kit.main): Promise<number> {
  return creditsIn(needAccepted(await client.call('whoami')))
}

/** Credits that went between two balances. Balances may have fractions (§2), and be told rounded. */
export function spentOf(before: number, after: number): number {
  return Math.round((before - after) * 1e6) / 1e6 || 0
}

/** Judges how many credits went between two balances. */
export async function expectSpent(
  kit: Kit,
  wanted: { readonly least: number; readonly most: number } | number,
  { before, after }: { readonly before: number; readonly after: number },
  what: string,
  ...exchanges: Exchange[]
): Promise<void> {
  const spent = spentOf(before, after)
  const { least, most } = typeof wanted === 'number' ? { least: wanted, most: wanted } : wanted
  if (spent >= least && spent <= most) return
  const expected = least === most ? String(most) : `${least} to ${most}`
  await needQuietBalance(kit, 'whoami', 'getTask')
  const violation = new Violation(
    `credits spent ${what}: ${expected}`,
    `${spent}, from ${before} to ${after}`,
    ...exchanges,
  )
  violation.offBy = spent
  throw violation
}

/** Waits until the balance is that, as long as a refund may take; answers the last one seen. */
export async function settledCredits(kit: Kit, wanted: number): Promise<number> {
  let seen = await readCredits(kit)
  await kit.until(kit.settings.runTimeout, async () => {
    if (spentOf(seen, wanted) === 0) return true
    seen = await readCredits(kit)
    return undefined
  })
  return seen
}

/** The balance when it has come to rest: read until it is told twice. */
export async function restingCredits(kit: Kit): Promise<number> {
  let last = await readCredits(kit)
  for (let i = 0; i < 5; i++) {
    await kit.target.sleep(30)
    const now = await readCredits(kit)
    if (now === last) return now
    last = now
  }
  return last
}

/** Time in which a late second charge or refund would come, ms. */
const lasting = 500

/** The balance some time after it has come to rest. */
export async function lastingCredits(kit: Kit): Promise<number> {
  await restingCredits(kit)
  await kit.target.sleep(lasting)
  return readCredits(kit)
}

/**
 * Goes on only where neither looking nor anybody else moves the balance: else nothing that is followed by
 * looks can be judged. Asked only where a balance was found wrong; what is wrong with looking is FREE-whoami's
 * and FREE-getTask's business.
 */
export async function needQuietBalance(kit: Kit, ...looks: readonly Look[]): Promise<void> {
  for (const one of looks)
    if (await lookCosts(kit, one)) throw new NotExercised(`${one} moves the balance, so nothing is shown`)
  if (await kit.evidence('drift', () => drifts(kit)))
    throw new NotExercised('the balance moves by itself: the organization is not quiet')
}

/** Watches the balance for two seconds. */
async function drifts(kit: Kit): Promise<boolean> {
  const first = await readCredits(kit)
  for (let i = 0; i < 40; i++) {
    await kit.target.sleep(50)
    if (spentOf(first, await readCredits(kit)) !== 0) return true
  }
  return false
}

async function lookCosts(kit: Kit, operation: Look): Promise<boolean> {
  const id = operation === 'getTask' ? (await sharedTask(kit)).id : undefined
  await ensureCredits(kit, 2)
  const before = await readCredits(kit)
  if (id !== undefined) await kit.call('getTask', { id })
  return spentOf(before, await readCredits(kit)) !== 0
}

/** Makes exactly so many credits spendable by a state; what there was before is remembered for the end of the run. */
export async function arrangeCredits(kit: Kit, credits: number): Promise<void> {
  const org_id = await kit.orgId()
  kit.balanceBefore ??= { org_id, credits: await readCredits(kit), spent: kit.budget.spent }
  await kit.states.setup('credits', { org_id, credits })
}

/** Credits that are arranged beyond those that are wanted. */
const margin = 10

/** Sees to it that the organization can pay, by a state where it cannot and the state is offered; tells what it can. */
export async function ensureCredits(kit: Kit, wanted: number): Promise<number> {
  const before = await readCredits(kit)
  if (before >= wanted || kit.settings.readOnly || !kit.states.mayOffer('credits')) return before
  await arrangeCredits(kit, wanted + margin)
  return readCredits(kit)
}

/** Goes on only with an organization that can pay. */
export async function needCredits(kit: Kit, wanted: number): Promise<void> {
  if ((await ensureCredits(kit, wanted)) < wanted)
    throw new NotExercised(
      `the organization has not ${wanted} Work Credit${wanted === 1 ? '' : 's'}`,
      'credits, or the state "credits"',
    )
}
