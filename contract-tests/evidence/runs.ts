/** Runs, followed from their request to their end and shared among requirements. */

import { brief, codeOf, type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { requestedId } from '#traffic/odd-input.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { CallOptions, Client } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import type { AwaitedEvent } from '../harness/deadlines.ts'
import { assumeJson, assumePresent, itemIn } from '../harness/expect.ts'
import { providerFault } from '../harness/provider-states.ts'
import {
  assumeCredits,
  catchUp,
  creditsIn,
  creditsOnceSpent,
  lastingCredits,
  readCredits,
  spentOf,
} from './credits.ts'
import { seesOtherClients } from './other-clients.ts'
import { newTask } from './resources.ts'
import { allTexts, longText } from './texts.ts'

/** Whether a run was accepted: started, or waiting for a busy agent. */
export function isTaken(exchange: Exchange): boolean {
  return isAccepted(exchange) || isBusy(exchange)
}

export function isBusy(exchange: Exchange): boolean {
  return exchange.status === 409 && codeOf(exchange) === 'busy'
}

/** Requests a run within the budget and counts its cost. */
export async function requestRun(t: TestContext, id: string, client = t.main): Promise<Exchange> {
  t.budget.allow(1)
  const exchange = await twiceAtMost(client, { id })
  if (isTaken(exchange)) t.budget.spend(1)
  return exchange
}

/** Requests a run: once more after an outage that passes (§7.3). One that goes on then was taken, and answered 503. */
async function twiceAtMost(client: Pick<Client, 'call'>, options: CallOptions): Promise<Exchange> {
  const answer = await client.call('runTask', options)
  if (answer.status !== 503) return answer
  const again = await client.call('runTask', options)
  return again.status === 409 && !isBusy(again) ? answer : again
}

/** Reads a task. */
export async function readTask(t: TestContext, id: string) {
  const exchange = await t.call('getTask', { id })
  if (!isAccepted(exchange)) throw new TaskLost(exchange)
  const finished = field(assumeJson(exchange).json, 'finished')
  return {
    exchange,
    finished: assumePresent(typeof finished === 'boolean' ? finished : undefined, 'finished'),
    status: field(exchange.json, 'task', 'status'),
  }
}

/** A task that exists could not be read. */
export class TaskLost extends NotExercised {
  readonly exchange: Exchange

  constructor(exchange: Exchange) {
    super(`getTask was not accepted (${brief(exchange)}), so there is nothing to check`)
    this.exchange = exchange
  }
}

export type ReadTask = Awaited<ReturnType<typeof readTask>>

/** Waits for the end of a run, and does something between two looks; undefined if it did not end in time. */
export async function waitForEnd(
  t: TestContext,
  id: string,
  event: AwaitedEvent = 'a run to end',
  between: () => Promise<void> = async () => undefined,
): Promise<ReadTask | undefined> {
  const look = async () => {
    const seen = await readTask(t, id)
    if (seen.finished) return seen
    await between()
    return undefined
  }
  const last = t.recorder.sent.findLast((one) => one.operation === 'runTask' && requestedId(one) === id)
  const answer = last?.exchange
  // When it was requested, if it started at once.
  const end = await t.waitFor(event, look, answer && isAccepted(answer) ? last.sent.ms : undefined)
  if (end) t.unended.delete(id)
  else if (answer && isTaken(answer)) t.unended.set(id, answer)
  return end
}

/** Continues only if no run that was waited for in vain has ended since: runs may take longer than they are waited for. */
export async function assumeNoneEndsLate({ all }: TestContext): Promise<void> {
  for (const t of all)
    for (const id of t.unended.keys())
      if ((await readTask(t, id)).finished)
        throw new NotExercised('a run took longer than --run-timeout', '--run-timeout DURATION')
}

/**
 * The ends of runs that were requested one after the other: those behind one that never ended had as much time.
 * `least`: ms that each of them takes at least.
 */
export async function waitForEnds(
  t: TestContext,
  ids: readonly string[],
  event: AwaitedEvent,
  least = 0,
): Promise<(ReadTask | undefined)[]> {
  const ends: (ReadTask | undefined)[] = []
  let pause = least
  for (const [i, id] of ids.entries()) {
    const last = i > 0 && i < ids.length - 1 && pause > 0 ? ids.at(-1) : undefined
    // One that looks ended before its turn may look otherwise when it starts.
    if (last !== undefined && (await readTask(t, last)).finished) pause = 0
    await t.target.sleep(pause)
    const isOver = ends.length > 0 && ends.at(-1) === undefined
    const end = isOver ? await readTask(t, id) : await waitForEnd(t, id, event)
    ends.push(end?.finished ? end : undefined)
  }
  return ends
}

/** One run from its request to its end. */
export interface FollowedRun {
  readonly id: string
  /** Credits before the request. */
  readonly before: number
  readonly answer: Exchange
  /** Credits right after the request, or once they show the reserved one; then the task. */
  readonly during: number
  readonly early: ReadTask
  /** The run had ended when the balance showed its credit, or long before, so that it may have been late. */
  readonly overtaken: boolean
  /** The list of tasks after that. */
  readonly midway: Exchange
  readonly end: ReadTask | undefined
  /** Credits after the end, once stable. */
  readonly after: number
}

/** Runs a task and follows it to its end. */
async function followRun(t: TestContext, id: string): Promise<FollowedRun> {
  const before = await assumeCredits(t, 1)
  const answer = await requestRun(t, id)
  if (!isTaken(answer)) throw new RunRefused(answer, before)
  const reservation = await readReservation(t, before, answer, id)
  // A list that has shown the task while it ran may be stale when it has.
  const midway = await t.call('listTasks')
  const end = await waitForEnd(t, id)
  const after = await creditsOnceSpent(t, 1, before, answer, () => lastingCredits(t))
  return { id, before, answer, ...reservation, midway, end, after }
}

/** Requests a run that is to be refused. */
export const refusedRun = (client: Pick<Client, 'call'>, options: CallOptions): Promise<Exchange> =>
  twiceAtMost(client, options)

/** A run was refused without a known reason. */
export class RunRefused extends NotExercised {
  readonly exchange: Exchange
  readonly credits: number

  constructor(exchange: Exchange, credits: number) {
    super(`the run was not accepted (${brief(exchange)})`)
    this.exchange = exchange
    this.credits = credits
  }
}

/** Waits until the agent is idle, if a provider state can ensure that. */
export async function waitForIdleAgent(t: TestContext): Promise<void> {
  if (t.states.mayOffer('agent_idle'))
    await t.states.setup('agent_idle', { org_id: await t.orgId() }).catch(() => undefined)
  await catchUp(t)
}

/** The error to throw if a run had to wait, so that something cannot be exercised. */
export function hadToWait(t: TestContext, so: string): NotExercised {
  if (!t.states.mayOffer('agent_idle') || seesOtherClients(t))
    return new NotExercised(`the run had to wait, so ${so}`)
  return providerFault(
    'the state "agent_idle" answered 2xx, and a run still had to wait, unless somebody else uses the organization',
  )
}

/** One run of a new task. */
export const ordinaryRun = (t: TestContext) =>
  t.evidence('run', async () => {
    t.budget.allow(1)
    await waitForIdleAgent(t)
    const watched = async () => [await otherNow(t), await runNewTask(t), await otherNow(t)] as const
    const [before, run, after] = await (t.first ? watched() : t.run.otherBalance.write(watched))
    return {
      ...run,
      /** Read before anything else was created. */
      list: await t.call('listTasks'),
      /** The second organization before and after it. */
      elsewhere: before && after && { before, after },
    }
  })

/** Further runs, each of which may be seen in progress. */
const furtherRuns = 2

/** A run seen in progress, or the last of a few that were over each time: the suite may have looked too late. */
export const runningRun = (t: TestContext) =>
  t.evidence('running run', async () => {
    let run: FollowedRun = await ordinaryRun(t)
    for (let i = 0; i < furtherRuns && run.early.finished && t.budget.left > 0; i++) {
      run = await anotherRun(t)
    }
    return run
  })

/** A list while a task runs, and whether the run was over when the task was read next; undefined: nobody knows. */
export const listedRunning = (t: TestContext) =>
  t.evidence('listed running', async () => {
    if (t.run.exclusive) return listLater(t)
    const { id, midway } = await runningRun(t)
    return { id, list: midway, isOver: undefined }
  })

/** The same, so long after the creation of the task that no list may be late. */
async function listLater(t: TestContext) {
  t.budget.allow(1)
  await waitForIdleAgent(t)
  const { id } = await newTask(t)
  await t.target.sleep(t.settings.consistency)
  const before = await assumeCredits(t, 1)
  const answer = await requestRun(t, id)
  if (!isTaken(answer)) throw new RunRefused(answer, before)
  const first = await t.call('listTasks')
  // The first list may have been kept.
  const list = itemIn(first, id) === undefined ? await t.call('listTasks') : first
  const { finished } = await readTask(t, id)
  await waitForEnd(t, id)
  return { id, list, isOver: finished }
}

/** A run of a new task that nothing else uses. */
export async function anotherRun(t: TestContext): Promise<FollowedRun> {
  await waitForIdleAgent(t)
  return runNewTask(t)
}

/** The end of a run that nothing made fail, with which failed runs are compared; taken once. */
export function ordinaryEnd(t: TestContext): Promise<ReadTask | undefined> {
  const first = t.first ?? t
  return first.evidence('ordinary end', async () => (await ordinaryRun(first)).end, 'run')
}

/** A run of a new task; retried with another task if the service was unavailable (§7.3). */
async function runNewTask(t: TestContext): Promise<FollowedRun> {
  try {
    const { id } = await unusualTask(t)
    return await followRun(t, id)
  } catch (error) {
    if (!(error instanceof RunRefused) || error.exchange.status !== 503) throw error
    await t.target.sleep(retryDelay)
    return followRun(t, (await newTask(t)).id)
  }
}

/** A task with a text that may break what works with it, and longer than usual columns and messages, where that is accepted. */
const unusualTask = (t: TestContext) =>
  newTask(t, longText(allTexts(t.name('Task')), 2_200).trim()).catch(() => newTask(t))

/** ms */
const retryDelay = 1_000

/** The balance and the notifications of the second organization, if there is one. */
async function otherNow(t: TestContext) {
  if (!t.settings.otherApiKey) return undefined
  const credits = await readCredits(t, t.other).catch(() => undefined)
  const isListed = t.run.isFor('ISOLATION-UNREAD')
  const notifications = isListed ? await t.other.call('listNotifications').catch(() => undefined) : undefined
  return { credits, notifications }
}

/** A run that has ended with any outcome. */
export async function endedRun(t: TestContext): Promise<FollowedRun & { end: ReadTask }> {
  const run = await ordinaryRun(t)
  return { ...run, end: assumePresent(run.end, 'the end of the run') }
}

/** Runs what spends credits of the organization; nothing else may compare its balance meanwhile. */
export function spendingElsewhere<T>(t: TestContext, spend: () => Promise<T>): Promise<T> {
  return t.first ? t.run.otherBalance.write(spend) : spend()
}

/** ms between looks: short, since a credit that is charged at the end of the run must be told from a late balance. */
const pause = 50

/** Reads the balance and the task of an accepted run; looks again while the balance may follow and the run goes on. */
async function readReservation(
  t: TestContext,
  before: number,
  answer: Exchange,
  id: string,
): Promise<Pick<FollowedRun, 'during' | 'early' | 'overtaken'>> {
  const since = t.target.now()
  const look = async () => ({ balance: await t.call('whoami'), early: await readTask(t, id) })
  const first = await look()
  const isReserved = ({ balance }: { balance: Exchange }) => spentOf(before, creditsIn(balance)) !== 0
  const during = creditsIn(first.balance)
  if (isReserved(first) || first.early.finished || !isAccepted(answer))
    return { during, early: first.early, overtaken: false }
  let last = first
  // A credit that is charged at the end shows right then; requests that had to wait do not tell.
  let unspent = since
  const isLongAgo = () => t.target.now() - unspent > 4 * (pause + t.recorder.usualTime())
  while (!last.early.finished && unspent < since + t.settings.consistency) {
    await t.target.sleep(pause)
    const asked = t.target.now()
    const next = await look()
    if (isReserved(next)) {
      const isAtEnd = next.early.finished
      const ms = t.target.now() - since
      const exchanges = [answer, last.balance, next.balance]
      if (!isAtEnd) t.run.lateness.record({ kind: 'balance', what: 'the balance', exchanges, ms })
      const overtaken = isAtEnd && (isLongAgo() || t.run.lateness.balance_ms > 0)
      return { during: isAtEnd ? during : creditsIn(next.balance), early: first.early, overtaken }
    }
    last = next
    unspent = asked
  }
  if (!last.early.finished) return { during, early: first.early, overtaken: false }
  const atEnd = await t.call('whoami')
  // Where balances were late before, this one may have become right at the end by chance.
  const isLate = t.run.lateness.balance_ms > 0
  const overtaken = isLongAgo() || isLate || spentOf(before, creditsIn(atEnd)) === 0
  return { during, early: first.early, overtaken }
}

/** A finished task, the list some time after its end, and the task after that. */
export const finishedTask = (t: TestContext) =>
  t.evidence('after the run', async () => {
    const { id, end } = await endedRun(t)
    const ended = t.recorder.sentFor(end.exchange)?.received?.ms
    const since = () => t.target.now() - (ended ?? t.target.now())
    // Repeated, as much later as it was at first.
    const first = await t.evidence('time after the run', async () => ({ ms: since() + 40 }), 'run')
    await t.target.sleep(Math.max(40, first.ms - since()))
    return { id, end, list: await t.call('listTasks'), last: await readTask(t, id) }
  })
