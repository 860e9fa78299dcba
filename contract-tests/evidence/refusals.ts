/** What refused requests leave: lists, tasks and balances some time after a refusal. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import type { CallOptions } from '../client/client.ts'
import type { Sent } from '../client/recorder.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeCredits, readCredits } from './credits.ts'
import { expectStatusKept } from './refused-runs.ts'
import { newTask } from './resources.ts'
import { isTaken, type ReadTask, readTask, waitForEnd, waitForIdleAgent } from './runs.ts'
import { expectSpent } from './spending.ts'

/** Time in which something that was refused and happens all the same would show, ms. */
const soon = 250

/** Waits for what is left of that time since the last of some refusals was received; without any, since now. */
export async function outwaitRefusals(t: TestContext, ...refusals: readonly Exchange[]): Promise<void> {
  const numbers = new Set(refusals.map(({ number }) => number))
  const last = t.recorder.sent.findLast(({ number }) => numbers.has(number))?.received
  await t.target.sleep(Math.max(0, (last?.ms ?? t.target.now()) + soon - t.target.now()))
}

/** A list some time after requests were refused: the last one of all tasks or documents, if it was read since. */
export async function listAfter(
  t: TestContext,
  { list, all }: { readonly list: Extract<OperationId, `list${string}`>; readonly all: CallOptions },
  ...refusals: readonly Exchange[]
): Promise<Exchange> {
  await outwaitRefusals(t, ...refusals)
  const since = Math.max(...refusals.map((one) => t.recorder.sentFor(one)?.received?.ms ?? Infinity)) + soon
  const isSince = ({ operation, exchange, sent }: Sent) =>
    operation === list &&
    exchange?.caller === t.main.caller &&
    new URL(exchange.url).searchParams.has('all') === (all.query !== undefined) &&
    isAccepted(exchange) &&
    sent.ms >= since
  return t.recorder.sent.findLast(isSince)?.exchange ?? t.call(list, all)
}

/** A task that is ready to be run. */
export interface ReadyRun {
  readonly id: string
  readonly task: ReadTask
  readonly credits: number
}

interface RefusedRun {
  readonly exchange: Exchange
  readonly before: ReadTask
  readonly after: ReadTask
  readonly balance: { readonly before: number; readonly after: number }
}

/** A new task, read before it is run, and the balance before; `runs`: how often a run may be requested. */
export const readyRun = (t: TestContext, runs = 1): Promise<ReadyRun> =>
  prepareRun(t, () => assumeCredits(t, runs))

/** A new task, read before it is run; `readBalance` continues only with a credit. */
export async function prepareRun<Credits>(t: TestContext, readBalance: () => Promise<Credits>) {
  await waitForIdleAgent(t)
  t.budget.allow(1)
  const { id } = await newTask(t)
  const credits = await readBalance()
  return { id, task: await readTask(t, id), credits }
}

/** The task and the balance some time after a run was refused; one that was taken has ended. */
export async function concludeRun(t: TestContext, ready: ReadyRun, exchange: Exchange): Promise<RefusedRun> {
  await outwaitRefusals(t, exchange)
  const look = async () => ({ after: await readTask(t, ready.id), credits: await readCredits(t) })
  // One that two refusals were about is looked at once, after both.
  const known = t.run.exclusive ? undefined : await t.evidence(`refused run ${ready.id}`, look)
  const isSince = known && sentSince(t, known.after.exchange, exchange)
  const { after, credits } = known && isSince ? known : await look()
  return { exchange, before: ready.task, after, balance: { before: ready.credits, after: credits } }
}

/** Whether a request was sent after anything would show that was refused and happens all the same. */
function sentSince({ recorder }: TestContext, look: Exchange, refusal: Exchange): boolean {
  const refused = recorder.sentFor(refusal)?.received?.ms ?? Infinity
  return (recorder.sentFor(look)?.sent.ms ?? 0) >= refused + soon
}

/** A generation that was requested where it is to be refused: the first response, and the balance before. */
export interface RefusedCreative {
  readonly answer: Exchange
  readonly credits: number
  /** The run that was requested beside it. */
  readonly ready: ReadyRun | undefined
}

/** The balances before and some time after a generation was refused. */
export async function balanceAround(t: TestContext, { answer, credits, ready }: RefusedCreative) {
  if (ready) return (await concludeRun(t, ready, answer)).balance
  await outwaitRefusals(t, answer)
  return { before: credits, after: await readCredits(t) }
}

/** Counts the cost of a run that should have been refused, and waits for its end. */
export async function endIfTaken(t: TestContext, id: string, exchange: Exchange): Promise<void> {
  if (!isTaken(exchange)) return
  t.budget.spend(1)
  await waitForEnd(t, id)
}

/** Requires the task and the balance to be unchanged. */
export async function expectNothingRan(t: TestContext, run: RefusedRun): Promise<void> {
  const { exchange, before, after, balance } = run
  await expectStatusKept(t, before, after, exchange)
  await expectSpent(t, 0, balance, 'by the refused run', exchange)
}
