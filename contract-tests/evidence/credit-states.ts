/** Balances that a provider state sets, where that is offered. */
import { field } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted } from '../harness/expect.ts'
import { catchUp, creditsIn, outwaitCharges, readCredits } from './credits.ts'

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

/** Credits with which it shows whether a free request is charged; whoami is sent more than once. */
export const mostOfFree = 5

/** Raises a balance that is too low for free requests; read once for all that are made at the same time. */
export function ensureCreditsOfFree(t: TestContext): Promise<number> {
  const ensure = () => ensureCredits(t, mostOfFree)
  return t.run.overlapped ? t.evidence('credits of free requests', ensure) : ensure()
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
