/** Requests of an organization without credits, taken once and shared among requirements. */

import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotExercised, skip } from '../client/check-errors.ts'
import type { TestContext } from '../harness/context.ts'
import { assumePresent } from '../harness/expect.ts'
import { cookieOperations, type FreeOperation, freeKeyOperations } from '../harness/operations.ts'
import { providerFault } from '../harness/provider-states.ts'
import { creditsIn, creditsOnceSet, isListedUnchanged, readCredits, setCreditsState } from './credits.ts'
import { outwaitRefusals } from './refusals.ts'
import { newTask } from './resources.ts'
import {
  generate,
  isTaken,
  type ReadTask,
  readTask,
  refusedRun,
  waitForEnd,
  waitForIdleAgent,
} from './runs.ts'
import { seesStrangers } from './strangers.ts'
import { assumePositiveControl, prepareRequest } from './valid-requests.ts'

/** Sets the balance by a provider state and confirms it. */
async function setCredits(t: TestContext, credits: number): Promise<void> {
  await setCreditsState(t, credits)
  const balance = await creditsOnceSet(t, credits)
  const what = `with the state "credits" at ${credits}, whoami reports ${balance}`
  if (balance !== credits)
    throw seesStrangers(t)
      ? new NotExercised(`${what}: somebody else uses the organization`)
      : providerFault(what)
  await assumeSteady(t, balance)
}

/** Continues only if whoami reports the same balance again; looked at once. */
async function assumeSteady(t: TestContext, balance: number): Promise<void> {
  const isSteady = await t.evidence('steady balance', async () => (await readCredits(t)) === balance)
  if (!isSteady) throw new NotExercised('whoami changes the balance')
}

/** Runs an action at a given balance, then restores the balance less what was spent. */
export async function withCredits<T>(t: TestContext, credits: number, action: () => Promise<T>): Promise<T> {
  const [balance, spent] = [await readCredits(t), t.budget.spent]
  try {
    await setCredits(t, credits)
    return await action()
  } finally {
    await waitForIdleAgent(t)
    await setCredits(t, Math.max(balance - (t.budget.spent - spent), 2)).catch(() => undefined)
  }
}

/** Every request that is made at zero balance, and the responses. */
export const requestsAtZeroBalance = (t: TestContext) =>
  t.evidence('no credits', async () => {
    await waitForIdleAgent(t)
    const { id } = await newTask(t)
    const before = await readTask(t, id)
    const sends = await prepareFreeRequests(t)
    const balance = await readCredits(t)
    const whoami = await removeCredits(t)
    try {
      const first = await refusedRun(t, { id })
      const credits = await readCredits(t).catch(skip)
      const again: Exchange[] = []
      while (!isTaken(first) && again.length < 2) again.push(await t.call('runTask', { id }))
      for (const exchange of [first, ...again]) if (isTaken(exchange)) t.budget.spend(1)
      const after = await readTask(t, id).catch(skip)
      const creative = await generate(t).catch(skip)
      const free = [whoami, ...(await Promise.all(sends.map((send) => send())))]
      return { id, before, first, again, after, creative, free, credits, balance }
    } finally {
      await setCredits(t, Math.max(balance, 2)).catch(() => undefined)
    }
  })

/** Sets the balance to zero; returns the response of whoami, which may wrongly require a credit. */
async function removeCredits(t: TestContext): Promise<Exchange> {
  await setCreditsState(t, 0)
  const exchange = await t.call('whoami')
  if (isAccepted(exchange) && creditsIn(exchange) !== 0) await setCredits(t, 0)
  else if (isAccepted(exchange)) await assumeSteady(t, 0)
  return exchange
}

/** Prepares a valid request for each free route that accepts one; other requirements test the acceptance. */
async function prepareFreeRequests(t: TestContext): Promise<(() => Promise<Exchange>)[]> {
  const sessionToo = t.settings.sessionCookie ? cookieOperations : []
  const prepare = async (operation: FreeOperation) => {
    const accepted = operation !== 'whoami' && (await assumePositiveControl(t, operation).catch(skip))
    return accepted ? prepareRequest(t, operation).catch(skip) : undefined
  }
  const sends = await Promise.all([...freeKeyOperations, ...sessionToo].map(prepare))
  return sends.filter((send) => send !== undefined)
}

/** Runs requested at once. */
const atOnce = 6
/** Longest wait for a refund, ms. */
const refundTime = 3_000

/** Several runs requested at once with one credit, the first of them of a given task. */
export const runsWithOneCredit = (t: TestContext, first?: string) =>
  t.evidence('runs with one credit', async () => {
    t.budget.allow(1)
    await waitForIdleAgent(t)
    const made = Array.from({ length: first === undefined ? atOnce : atOnce - 1 }, () => newTask(t))
    const ids = [...(first === undefined ? [] : [first]), ...(await Promise.all(made)).map(({ id }) => id)]
    if ((await readTask(t, ids[0] ?? '')).finished)
      throw new NotExercised('tasks are finished before they run')
    return withCredits(t, 1, async () => {
      const answers = await Promise.all(ids.map((id) => t.call('runTask', { id })))
      t.budget.spend(Math.max(answers.filter(isAccepted).length, 1))
      const ends: (ReadTask | undefined)[] = []
      for (const [i, id] of ids.entries())
        if (isTaken(answers[i] as Exchange)) ends[i] = await waitForEnd(t, id, 'simultaneous runs to end')
      const list = await t.call('listTasks')
      const changed = ids.filter((id) => !isListedUnchanged(t, list, id))
      const readings = await Promise.all(changed.map((id) => readTask(t, id)))
      const ran = readings.filter(({ finished }) => finished)
      return { answers, ended: ends[0], ran, refunded: ran.length > 1 && (await refunded(t)) }
    })
  })

/** Whether the only credit is refunded. */
async function refunded(t: TestContext): Promise<boolean> {
  const within = Math.min(t.settings.runTimeout, refundTime)
  const seen = await t.until(within, async () => ((await readCredits(t)) >= 1 ? true : undefined))
  return seen === true
}

/** The refused task before and after credits were added. */
export const toppedUp = (t: TestContext) =>
  t.evidence('topped up', async () => {
    const { id, first, after } = await requestsAtZeroBalance(t)
    if (isTaken(first)) throw new NotExercised('the run was accepted without a credit')
    await outwaitRefusals(t)
    return { id, refused: assumePresent(after, 'the refused task'), afterTopUp: await readTask(t, id) }
  })
