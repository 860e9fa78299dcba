/** Balances: read, waited for, set by a provider state, and read around requests. */

import { routeOf } from '#contract/operation.ts'
import { type Exchange, field } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import type { Sent } from '../client/recorder.ts'
import type { TestContext } from '../harness/context.ts'
import type { AwaitedEvent } from '../harness/deadlines.ts'
import { assumeAccepted, assumeJson, assumePresent } from '../harness/expect.ts'
import { lookAgain } from './late-effects.ts'
import { seesOtherClients } from './other-clients.ts'
import { readEndedAgain, refusing } from './refused-runs.ts'

/** The `credits` of a response. */
export function creditsIn(exchange: Exchange): number {
  const credits = field(assumeJson(exchange).json, 'credits')
  return assumePresent(typeof credits === 'number' ? credits : undefined, 'credits')
}

/** The current balance of a caller's organization, once it shows what was requested before. */
export async function readCredits(t: TestContext, client: Client = t.main): Promise<number> {
  const last = t.recorder.sent.at(-1)
  // Nothing was sent since the same was read a moment ago.
  if (last?.operation === 'whoami' && last.exchange?.caller === client.caller && isJustReceived(t, last))
    return creditsIn(assumeAccepted(last.exchange))
  if (t.recorder.exchanges.at(-1)?.operation !== 'whoami') await catchUp(t)
  return creditsIn(assumeAccepted(await client.call('whoami')))
}

/** ms in which a balance that was read is not read again. */
const moment = 5

const isJustReceived = ({ target, recorder }: TestContext, { number, received }: Sent) =>
  recorder.isLast(number) && received !== undefined && target.now() - received.ms <= moment

/**
 * Waits as long as the balance may follow, once it was seen to follow late; how late, other charges may hide. Where
 * somebody else changes it, that proves nothing.
 */
export async function catchUp(t: TestContext): Promise<void> {
  const { balance_ms } = t.run.lateness
  if (balance_ms > 0 && !seesOtherClients(t))
    await t.target.sleep(Math.max(t.settings.consistency / 2, 1.25 * balance_ms + 50))
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
  if (lateness.missed.has(never) || seesOtherClients(t)) return
  if (await t.until(muchLater * t.settings.consistency, look))
    lateness.tooLate_ms = Math.max(lateness.tooLate_ms, t.target.now() - since)
  else lateness.missed.add(never)
}

/** Waits until earlier charges have shown, if they show too late: they must not be taken for a later one. */
export async function outwaitCharges(t: TestContext): Promise<void> {
  const { tooLate_ms } = t.run.lateness
  if (tooLate_ms === 0 || seesOtherClients(t)) return
  const isPaid = ({ operation, exchange }: Sent) =>
    routeOf(operation).cost > 0 &&
    exchange !== undefined &&
    [t.main.caller, 'created key'].includes(exchange.caller) &&
    !refusing.has(exchange.status)
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
  let moved = !t.run.exclusive && seesOtherClients(t) ? started : undefined
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

/** The balance once two readings agree. */
export const restingCredits = (t: TestContext) => agreedCredits(t, 30, 5)

/** The balance once it has not changed for the time in which a late charge or refund would show. `known`: as just read. */
export const lastingCredits = (t: TestContext, known?: number) => agreedCredits(t, 500, 3, known)

/** The balance once it is the same again after a pause, ms; the last one if it never is. */
async function agreedCredits(t: TestContext, pause: number, most: number, known?: number): Promise<number> {
  let last = known ?? (await readCredits(t))
  for (let i = 0; i < most; i++) {
    await t.target.sleep(pause)
    const now = await readCredits(t)
    if (now === last) return now
    if (now < last) await readEndedAgain(t)
    last = now
  }
  return last
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
  await outwaitCharges(t)
  const before = await readCredits(t)
  if (before >= wanted || t.settings.readOnly || !t.states.mayOffer('credits')) return before
  await setCreditsState(t, wanted + margin)
  return creditsOnceSet(t, wanted + margin)
}

/** ms before another look at a balance that a provider state has set. */
const afresh = 25
/** The source of its lateness. */
const byState = 'the balance after a state'

/**
 * The balance after a provider state has set it, which it may show a moment late. `isFull`: it is waited for in full,
 * also if it did not show in time before.
 */
export async function creditsOnceSet(t: TestContext, wanted: number, isFull = false): Promise<number> {
  const { lateness } = t.run
  await catchUp(t)
  const look = async () => creditsIn(assumeAccepted(await t.call('whoami')))
  let seen = await look()
  if (seen === wanted || (lateness.missed.has(byState) && !isFull)) return seen
  const since = t.target.now()
  await t.until(t.settings.consistency, async () => {
    await t.target.sleep(afresh)
    seen = await look()
    return seen === wanted ? true : undefined
  })
  const took = t.target.now() - since
  if (seen === wanted) lateness.balance_ms = Math.max(lateness.balance_ms, took)
  else if (!seesOtherClients(t)) lateness.missed.add(byState)
  return seen
}

/** Gives back what a provider state has taken away. */
export async function restoreCredits(t: TestContext, credits: number): Promise<void> {
  await setCreditsState(t, credits)
  await creditsOnceSet(t, credits)
}

/**
 * Raises the balance to what it was when something was seen, if a state can: a limit of it shows at no lower one. The
 * balance then; undefined: no state can.
 */
export async function returnTo(t: TestContext, credits: number): Promise<number | undefined> {
  if (t.settings.readOnly || !t.states.mayOffer('credits')) return undefined
  const balance = await readCredits(t)
  if (balance >= credits) return balance
  await restoreCredits(t, credits)
  return credits
}

/** Credits with which it shows whether a free request is charged; whoami is sent more than once. */
export const mostOfFree = 5

/** Raises a balance that is too low for free requests; read once for all that are made at the same time. */
export function ensureCreditsOfFree(t: TestContext): Promise<number> {
  const ensure = () => ensureCredits(t, mostOfFree)
  return t.run.exclusive ? ensure() : t.evidence('credits of free requests', ensure)
}

/** Continues only if there is a credit that a free request could cost. */
export async function assumeCreditsOfFree(t: TestContext): Promise<void> {
  throwIfFewer(await ensureCreditsOfFree(t), 1)
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

interface Window {
  readonly before: Promise<number>
  readonly requests: Promise<unknown>[]
  after?: Promise<number>
}

/** What was done between two readings of the balance. */
export interface Measured<T> {
  readonly before: number
  readonly made: T
  readonly after: number
}

/** Sends requests between two readings, which what is sent at the same time shares. */
export async function betweenReadings<T>(t: TestContext, send: () => Promise<T>): Promise<Measured<T>> {
  if (t.run.exclusive) {
    const before = await readCredits(t)
    return { before, made: await send(), after: await readCredits(t) }
  }
  const windows = await t.evidence('balance windows', async () => {
    const first: { open: Window | undefined; last: Promise<number> } = {
      open: undefined,
      last: readCredits(t),
    }
    return first
  })
  windows.open ??= { before: windows.last, requests: [] }
  const window = windows.open
  const request = window.before.then(send)
  window.requests.push(request)
  for (let known = 0; known < window.requests.length; ) {
    known = window.requests.length
    await Promise.allSettled(window.requests)
  }
  if (!window.after) {
    windows.open = undefined
    window.after = readCredits(t)
    windows.last = window.after
    // A request that fails is reported before it.
    window.after.catch(() => undefined)
  }
  return { before: await window.before, made: await request, after: await window.after }
}
