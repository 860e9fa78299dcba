/** Balances: the credits that `whoami` reports as spendable. */

import { routeOf } from '#contract/operation.ts'
import { type Exchange, field } from '#traffic/exchange.ts'
import type { Client } from '../client/client.ts'
import type { Sent } from '../client/recorder.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeJson, assumePresent } from '../harness/expect.ts'
import type { AwaitedEvent } from '../harness/patience.ts'
import { lookAgain } from './late-effects.ts'
import { seesStrangers } from './strangers.ts'

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
  const since = t.target.now()
  const first = await read()
  if (spentOf(before, first) === wanted) return first
  const effect = { kind: 'balance', what: 'the balance', source: 'the balance', cause } as const
  const look = async () => assumeAccepted(await t.call('whoami'))
  const isSpent = (seen: Exchange) => spentOf(before, creditsIn(seen)) === wanted
  const last = creditsIn(await lookAgain(t, effect, look, isSpent))
  if (spentOf(before, last) < wanted) await outwait(t, since, async () => isSpent(await look()) || undefined)
  return last
}

/** How much longer than it may take a charge is waited for, as a multiple. */
const muchLater = 3
/** The source of charges that have not shown by then. */
const never = 'a charge at any time'

/** Waits for a charge that shows too late, so that it is known how late; for one that never shows, once. */
async function outwait(t: TestContext, since: number, look: () => Promise<true | undefined>): Promise<void> {
  const { lateness } = t.run
  // What others spend looks like it.
  if (lateness.missed.has(never) || seesStrangers(t)) return
  if (await t.until(muchLater * t.settings.consistency, look))
    lateness.tooLate_ms = Math.max(lateness.tooLate_ms, t.target.now() - since)
  else lateness.missed.add(never)
}

/** Refusals after which nothing is charged; a run that has to wait is charged later. */
const free = new Set([400, 401, 402, 404, 422, 429, 503])

/** Waits until earlier charges have shown, if they show too late: they must not be taken for a later one. */
export async function outwaitCharges(t: TestContext): Promise<void> {
  const { tooLate_ms } = t.run.lateness
  if (tooLate_ms === 0 || seesStrangers(t)) return
  const isPaid = ({ operation, exchange }: Sent) =>
    routeOf(operation).cost > 0 && exchange?.caller === t.main.caller && !free.has(exchange.status)
  const last = t.recorder.sent.findLast(isPaid)?.received?.ms ?? -Infinity
  // Twice: a refund follows the end of a run.
  await t.target.sleep(Math.max(0, last + 2 * tooLate_ms - t.target.now()))
}

/** The credits spent between two balances, which may have fractions (§2). */
export function spentOf(before: number, after: number): number {
  return Math.round((before - after) * 1e6) / 1e6 || 0
}

/**
 * Polls until the balance has a value, for as long as a refund may take; returns the last balance. Once it has
 * risen to another value, or fallen when it should long have been stable, somebody else has changed it too, and it is
 * not waited for in full.
 */
export async function settledCredits(t: TestContext, wanted: number, event: AwaitedEvent): Promise<number> {
  let seen = await readCredits(t)
  const { consistency } = t.settings
  const started = t.target.now()
  // What fails beside other checks is repeated alone.
  let moved = t.run.overlapped && seesStrangers(t) ? started : undefined
  await t.waitFor(event, async () => {
    const isOver = moved !== undefined && t.target.now() >= moved + consistency
    if (isOver || spentOf(seen, wanted) === 0) return true
    const before = seen
    seen = await readCredits(t)
    const now = t.target.now()
    if (seen > before || (seen < before && now > started + consistency)) moved ??= now
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
