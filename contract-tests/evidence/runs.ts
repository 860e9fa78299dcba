/** Paid runs, each followed from its request to its end and shared among all that ask about it. */
import { brief, codeOf, type Exchange, field, isAccepted } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { need, needAccepted } from '../words.ts'
import { ensureCredits, readCredits, restingCredits, settledCredits } from './credits.ts'
import { newTask } from './resources.ts'

/** Whether a run request was accepted: started, or waiting its turn behind a busy agent. */
export function isTaken(exchange: Exchange): boolean {
  return isAccepted(exchange) || isBusy(exchange)
}

export function isBusy(exchange: Exchange): boolean {
  return exchange.status === 409 && codeOf(exchange) === 'busy'
}

/** Asks for a run within the budget, and counts what it costs. */
export async function requestRun(kit: Kit, id: string, client = kit.main): Promise<Exchange> {
  kit.budget.allow(1)
  const exchange = await client.call('runTask', { id })
  if (isTaken(exchange)) kit.budget.spend(1)
  return exchange
}

/** Looks at a task. */
export async function look(kit: Kit, id: string) {
  const exchange = needAccepted(await kit.call('getTask', { id }))
  const finished = field(exchange.json, 'finished')
  return {
    exchange,
    finished: need(typeof finished === 'boolean' ? finished : undefined, 'finished'),
    status: field(exchange.json, 'task', 'status'),
  }
}

export type Look = Awaited<ReturnType<typeof look>>

/** Waits for the end of a run; undefined where it did not come in time. */
export function waitForEnd(kit: Kit, id: string): Promise<Look | undefined> {
  return kit.until(kit.settings.runTimeout, async () => {
    const seen = await look(kit, id)
    return seen.finished ? seen : undefined
  })
}

/** The story of one run. */
export interface RunStory {
  readonly id: string
  /** Credits before the request. */
  readonly before: number
  readonly answer: Exchange
  /** Credits right after the request, and whether the run was still going after they were read. */
  readonly during: number
  readonly stillRunning: boolean
  readonly end: Look | undefined
  /** Credits after the end, come to rest. */
  readonly after: number
}

/** Runs a task and follows it to its end, and its credit to where `settle` says it comes to rest. */
export async function followRun(
  kit: Kit,
  id: string,
  settle: (before: number) => Promise<number> = () => restingCredits(kit),
): Promise<RunStory> {
  const before = await readCredits(kit)
  const answer = await requestRun(kit, id)
  if (!isTaken(answer)) throw new RunRefused(answer, before)
  const during = await readCredits(kit)
  const stillRunning = !(await look(kit, id)).finished
  const end = await waitForEnd(kit, id)
  const after = await settle(before)
  return { id, before, answer, during, stillRunning, end, after }
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
export async function rest(kit: Kit): Promise<void> {
  if (kit.states.mayOffer('agent_idle'))
    await kit.states.setup('agent_idle', { org_id: await kit.orgId() }).catch(() => undefined)
}

/** One run of a new task. */
export const ordinaryRun = (kit: Kit) =>
  kit.evidence('run', async () => {
    kit.budget.allow(1)
    await rest(kit)
    const credits = await ensureCredits(kit, 1)
    if (credits < 1)
      throw new NotExercised('the organization is out of Work Credits', 'credits, or the state "credits"')
    const before = await othersCredits(kit)
    const story = await followRun(kit, (await newTask(kit)).id)
    const after = await othersCredits(kit)
    return {
      ...story,
      others: before !== undefined && after !== undefined ? ([before, after] as const) : undefined,
    }
  })

/** What the second organization can spend, where there is one. */
async function othersCredits(kit: Kit): Promise<number | undefined> {
  return kit.settings.otherApiKey ? readCredits(kit, kit.other).catch(() => undefined) : undefined
}

/** A run that has ended, whatever its outcome. */
export async function endedRun(kit: Kit): Promise<RunStory & { end: Look }> {
  const story = await ordinaryRun(kit)
  return { ...story, end: need(story.end, 'the end of the run') }
}

/** A run that was made to fail. */
export const failedRun = (kit: Kit) =>
  kit.evidence('failed run', async () => {
    kit.budget.allow(1)
    await rest(kit)
    await ensureCredits(kit, 1)
    const { id } = await newTask(kit)
    const story = await kit.during('next_run_fails', {}, () =>
      followRun(kit, id, (before) => settledCredits(kit, before)),
    )
    for (let i = 0; i < 4; i++) {
      await look(kit, id)
      await kit.target.sleep(20)
    }
    return { ...story, later: await readCredits(kit) }
  })
