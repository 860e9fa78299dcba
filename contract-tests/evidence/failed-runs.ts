/** Runs that a provider state makes fail, and what they give back. */

import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotExercised, skip } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { providerFault } from '../harness/provider-states.ts'
import {
  assumeCredits,
  creditsOnceSet,
  lastingCredits,
  readCredits,
  setCreditsState,
  settledCredits,
  spentOf,
} from './credits.ts'
import { newTask } from './resources.ts'
import {
  anotherRun,
  isBusy,
  isTaken,
  ordinaryRun,
  type ReadTask,
  RunRefused,
  readTask,
  requestRun,
  spendingElsewhere,
  waitForEnd,
  waitForEnds,
  waitForIdleAgent,
} from './runs.ts'
import { expectSpent } from './spending.ts'

/** A run that a provider state made fail. */
export const failedRun = (t: TestContext) =>
  t.evidence('failed run', () => spendingElsewhere(t, () => takeFailedRun(t)))

/** A failed run, in the second organization while its checks go on; undefined: there is none. */
export const failedElsewhere = async (t: TestContext) =>
  t.run.wants('CREDITS-REFUND') && t.states.mayOffer('next_run_fails')
    ? failedRun(t.elsewhere ?? t).catch(skip)
    : undefined

async function takeFailedRun(t: TestContext) {
  const run = await runToFail(t, { beside: besideOf(t) })
  const { id, before, answer } = run
  if (!isTaken(answer)) throw new RunRefused(answer, before)
  const after = await refundedCredits(t, before, 'a refund')
  // It may go on by itself.
  await t.target.sleep(goesOn)
  const looks = [await readTask(t, id)]
  const finalBalance = await lastingCredits(t, after)
  const later = await readTask(t, id)
  return { ...run, after, finalBalance, looks: [...looks, later], later, list: await t.call('listTasks') }
}

/** The balance once a failed run was refunded, which has spent nothing then; or when that has taken too long. */
export async function refundedCredits(
  t: TestContext,
  before: number,
  event: 'a refund' | 'another refund',
): Promise<number> {
  const after = await settledCredits(t, before, event)
  if (after === before) t.budget.spend(-1)
  return after
}

/** ms after which a run that failed is looked at again. */
const goesOn = 300

/** The other organization, whose requests come between those that await a failure. */
const besideOf = (t: TestContext) => (t.settings.otherApiKey ? t.other : undefined)

/** How a run is made to fail. */
export interface Failing {
  /** How long the agent is busy at first, ms. */
  readonly busy_ms?: number
  /** A task that has run; otherwise it is new. */
  readonly again?: string | undefined
  /** Whether all credits are taken away while it waits or goes on, where a state can do that. */
  readonly isEmptied?: boolean
  /** Somebody else, who asks for something after each look at the run. */
  readonly beside?: Client | undefined
  /** Whether another run waits behind it, where it has to wait itself and there are credits for both. */
  readonly isFollowed?: boolean
  /** A key to request it with, and what is done once it was. */
  readonly by?: { readonly client: Client; end(): Promise<unknown> } | undefined
}

/**
 * Runs a task while a provider state makes the next run fail. `before`: the balance that its refund comes to; `left`:
 * the same if no credits were taken away.
 */
export async function runToFail(
  t: TestContext,
  { busy_ms = 0, again, isEmptied, beside, isFollowed, by }: Failing = {},
) {
  await waitForIdleAgent(t)
  t.budget.allow(1)
  const id = again ?? (await newTask(t)).id
  const next = isFollowed && t.budget.left > 1 ? await newTask(t) : undefined
  const balance = await (next ? assumeCredits(t, 2).catch(() => assumeCredits(t, 1)) : assumeCredits(t, 1))
  return t.during('next_run_fails', {}, async () => {
    if (busy_ms > 0) await t.states.setup('agent_busy', { org_id: await t.orgId(), duration_ms: busy_ms })
    const answer = await requestRun(t, id, by?.client)
    await by?.end()
    const following = next && balance > 1 && isBusy(answer) ? await requestRun(t, next.id) : undefined
    const begun = t.target.now()
    const spent = following && isTaken(following) ? 2 : 1
    const emptied = isEmptied && isTaken(answer) ? await empty(t, id, balance, spent) : undefined
    const back = again && isBusy(answer) ? await unfinishedAgain(t, id, 2 * busy_ms) : undefined
    if (isBusy(answer)) await t.target.sleep(Math.max(0, begun + busy_ms - t.target.now()))
    const look = async () => void (await beside?.call('whoami'))
    if (isAccepted(answer)) await look()
    const end = isTaken(answer) ? await waitForEnd(t, id, 'a failing run to end', look) : undefined
    const behind =
      next && following && isTaken(following) ? await endBehind(t, next.id, following) : undefined
    const cost = behind?.end && behind.end.status !== end?.status ? 1 : 0
    const left = balance - cost
    return { id, left, before: emptied ? spent - cost : left, emptied, answer, back, end, behind }
  })
}

/** The answer that shows a waiting task unfinished which looked finished before, as it did after its last run. */
async function unfinishedAgain(t: TestContext, id: string, within: number): Promise<Exchange | undefined> {
  // What is only kept for a moment says nothing.
  await t.target.sleep(20)
  if (!(await readTask(t, id)).finished) return undefined
  // A run is seen to go on only by one who looks more often than it takes.
  const pause = Math.max(20, Math.min(t.deadlines.shortestRun ?? within, within / 2) / 2)
  for (const end = t.target.now() + within; t.target.now() < end; ) {
    const { finished, exchange } = await readTask(t, id)
    if (!finished) return exchange
    await t.target.sleep(pause)
  }
  return undefined
}

/** The end of a run behind one that failed, which takes its usual time. */
async function endBehind(t: TestContext, id: string, answer: Exchange) {
  const [end] = await waitForEnds(t, [id], 'a waiting run to end', t.deadlines.usualRun)
  return { answer, end }
}

/**
 * Takes away all credits while runs go on or wait that have taken some: a refund is the only one then. `too late`: it
 * may have come before. Undefined: nothing was taken away.
 */
async function empty(
  t: TestContext,
  id: string,
  before: number,
  spent: number,
): Promise<'in time' | 'too late' | undefined> {
  if (!t.states.mayOffer('credits') || spentOf(before, await readCredits(t)) !== spent) return undefined
  // Its refund may follow.
  if ((await readTask(t, id)).finished) return undefined
  t.balanceBefore ??= { org_id: await t.orgId(), credits: before, spent: t.budget.spent }
  await setCreditsState(t, 0)
  const left = await creditsOnceSet(t, 0)
  return left === 0 && !(await readTask(t, id)).finished ? 'in time' : 'too late'
}

/** The final status of a failed run; undefined if no run can be made to fail. */
function failedStatus(t: TestContext): Promise<unknown> {
  return t.evidence('failed status', () => readFailedStatus(t), 'run')
}

async function readFailedStatus(t: TestContext): Promise<unknown> {
  const elsewhere = t.elsewhere && (await failedStatus(t.elsewhere))
  if (elsewhere !== undefined) return elsewhere
  if (!t.states.mayOffer('next_run_fails')) return undefined
  const run = await failedRun(t).catch(() => undefined)
  return run?.end?.status
}

/**
 * The credits that ended runs may have cost together: one each, or none if a run may have failed. Status names
 * are not specified (§3), and a failed run may have the same status as a successful one.
 */
export async function possibleCosts(
  t: TestContext,
  ends: readonly ReadTask[],
): Promise<{ least: number; most: number }> {
  const failed = await failedStatus(t)
  const kept = ends.filter(({ status }) => failed !== undefined && status !== failed)
  if (failed !== undefined && ends.length > 0 && kept.length === 0 && (await allFail(t, failed, ends)))
    throw providerFault('runs fail also after the teardown of the state "next_run_fails"')
  return { least: kept.length, most: ends.length }
}

/** Requires each run to have cost a credit, or to have failed. Continues only if it is known which may have. */
export async function expectPaid(
  t: TestContext,
  ends: readonly ReadTask[],
  balances: { readonly before: number; readonly after: number },
  by: string,
  ...answers: readonly Exchange[]
): Promise<void> {
  const wanted = await possibleCosts(t, ends)
  await expectSpent(t, wanted, balances, by, ...answers)
  const isLess = spentOf(balances.before, balances.after) < wanted.most
  if (!isLess || (await failedStatus(t)) !== undefined) return
  throw new NotExercised(
    'a credit was refunded: runs may have failed, and no status shows failed runs',
    'the state "next_run_fails"',
  )
}

/** Runs that have to fail, one and all, to show that a teardown has no effect: some fail by themselves. */
const manyRuns = 6

/** Whether all runs end with a status, as these did, and the first did not; more are requested within the budget. */
async function allFail(t: TestContext, status: unknown, ends: readonly ReadTask[]): Promise<boolean> {
  if ((await ordinaryRun(t)).end?.status === status) return false
  const tryMore = async () => {
    let failed = ends.length
    for (; failed < manyRuns && t.budget.left > 0; failed++)
      if ((await anotherRun(t)).end?.status !== status) return false
    return failed >= manyRuns
  }
  return t.evidence('runs that may all fail', tryMore, 'run')
}
