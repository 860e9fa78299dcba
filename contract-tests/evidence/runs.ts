/** Paid runs, each followed from its request to its end and shared among all that ask about it. */
import { brief, codeOf, type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/finding.ts'
import type { TestContext } from '../harness/context.ts'
import { need } from '../harness/expect.ts'
import { lastingCredits, needCredits, readCredits, restingCredits, settledCredits } from './credits.ts'
import { newTask } from './resources.ts'

/** Whether a run request was accepted: started, or waiting its turn behind a busy agent. */
export function isTaken(exchange: Exchange): boolean {
  return isAccepted(exchange) || isBusy(exchange)
}

export function isBusy(exchange: Exchange): boolean {
  return exchange.status === 409 && codeOf(exchange) === 'busy'
}

/** Asks for a run within the budget, and counts what it costs. */
export async function requestRun(t: TestContext, id: string, client = t.main): Promise<Exchange> {
  t.budget.allow(1)
  const exchange = await client.call('runTask', { id })
  if (isTaken(exchange)) t.budget.spend(1)
  return exchange
}

/** Looks at a task. */
export async function look(t: TestContext, id: string) {
  const exchange = await t.call('getTask', { id })
  if (!isAccepted(exchange)) throw new TaskLost(exchange)
  const finished = field(exchange.json, 'finished')
  return {
    exchange,
    finished: need(typeof finished === 'boolean' ? finished : undefined, 'finished'),
    status: field(exchange.json, 'task', 'status'),
  }
}

/** A task that was there could not be looked at. */
export class TaskLost extends NotExercised {
  readonly exchange: Exchange

  constructor(exchange: Exchange) {
    super(`getTask was not accepted (${brief(exchange)}), so there is nothing to judge`)
    this.exchange = exchange
  }
}

export type Look = Awaited<ReturnType<typeof look>>

/** Waits for the end of a run; undefined where it did not come in time. */
export function waitForEnd(t: TestContext, id: string): Promise<Look | undefined> {
  return t.until(t.settings.runTimeout, async () => {
    const seen = await look(t, id)
    return seen.finished ? seen : undefined
  })
}

/** The story of one run. */
export interface RunStory {
  readonly id: string
  /** Credits before the request. */
  readonly before: number
  readonly answer: Exchange
  /** Credits right after the request, and the task right after they were read. */
  readonly during: number
  readonly early: Look
  readonly end: Look | undefined
  /** Credits after the end, come to rest. */
  readonly after: number
}

/** Runs a task and follows it to its end, and its credit to where `settle` says it comes to rest. */
export async function followRun(
  t: TestContext,
  id: string,
  settle: (before: number) => Promise<number> = () => restingCredits(t),
): Promise<RunStory> {
  const before = await readCredits(t)
  const answer = await requestRun(t, id)
  if (!isTaken(answer)) throw new RunRefused(answer, before)
  const during = await readCredits(t)
  const early = await look(t, id)
  const end = await waitForEnd(t, id)
  const after = await settle(before)
  return { id, before, answer, during, early, end, after }
}

/** A run was refused although nothing was known to be in its way. */
export class RunRefused extends NotExercised {
  readonly exchange: Exchange
  readonly credits: number

  constructor(exchange: Exchange, credits: number) {
    super(`the run was not accepted (${brief(exchange)})`)
    this.exchange = exchange
    this.credits = credits
  }
}

/** Lets the agent come to rest where a state can see to it. */
export async function rest(t: TestContext): Promise<void> {
  if (t.states.mayOffer('agent_idle'))
    await t.states.setup('agent_idle', { org_id: await t.orgId() }).catch(() => undefined)
}

/** One run of a new task. */
export const ordinaryRun = (t: TestContext) =>
  t.evidence('run', async () => {
    t.budget.allow(1)
    await rest(t)
    await needCredits(t, 1)
    const before = await othersCredits(t)
    const story = await runNewTask(t)
    const after = await othersCredits(t)
    return {
      ...story,
      /** While nothing was created since. */
      list: await t.call('listTasks'),
      others: before !== undefined && after !== undefined ? ([before, after] as const) : undefined,
    }
  })

/** A run of a new task; of another one where the service said that it is unavailable just now. */
async function runNewTask(t: TestContext): Promise<RunStory> {
  try {
    return await followRun(t, (await newTask(t)).id, () => lastingCredits(t))
  } catch (error) {
    if (!(error instanceof RunRefused) || error.exchange.status !== 503) throw error
    await t.target.sleep(shortly)
    return followRun(t, (await newTask(t)).id, () => lastingCredits(t))
  }
}

/** §7.3: on 503 a client retries shortly; ms. */
const shortly = 1_000

/** What the second organization can spend, where there is one. */
async function othersCredits(t: TestContext): Promise<number | undefined> {
  return t.settings.otherApiKey ? readCredits(t, t.other).catch(() => undefined) : undefined
}

/** A run that has ended, whatever its outcome. */
export async function endedRun(t: TestContext): Promise<RunStory & { end: Look }> {
  const story = await ordinaryRun(t)
  return { ...story, end: need(story.end, 'the end of the run') }
}

/** A run that was made to fail. */
export const failedRun = (t: TestContext) =>
  t.evidence('failed run', async () => {
    t.budget.allow(1)
    await rest(t)
    await needCredits(t, 1)
    const { id } = await newTask(t)
    const story = await t.during('next_run_fails', {}, () =>
      followRun(t, id, (before) => settledCredits(t, before)),
    )
    for (let i = 0; i < 4; i++) {
      await look(t, id)
      await t.target.sleep(20)
    }
    return { ...story, later: await lastingCredits(t) }
  })

/** The final status of a run that was made to fail; undefined where none could be. */
export async function failedStatus(t: TestContext): Promise<unknown> {
  if (!t.states.mayOffer('next_run_fails')) return undefined
  const story = await failedRun(t).catch(() => undefined)
  return story?.end?.status
}

/**
 * What ended runs may have cost together: one credit each, or none where a run may have failed. Status names
 * are free (§3), and a failure may share its name with a success.
 */
export async function possibleCosts(
  t: TestContext,
  ends: readonly Look[],
): Promise<{ least: number; most: number }> {
  const failed = await failedStatus(t)
  const kept = ends.filter(({ status }) => failed !== undefined && status !== failed)
  return { least: kept.length, most: ends.length }
}
