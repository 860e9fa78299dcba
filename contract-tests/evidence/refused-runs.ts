/** Runs that are requested while they have to be refused, with their task and the balance before and after. */
import type { Exchange } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { expectSame } from '../harness/expect.ts'
import { assumeCredits, readCredits } from './credits.ts'
import { expectSpent } from './quiet-balance.ts'
import { outwaitRefusals } from './refusals.ts'
import { newTask } from './resources.ts'
import { isTaken, type ReadTask, readTask, waitForEnd, waitForIdleAgent } from './runs.ts'

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
  const after = await readTask(t, ready.id)
  const balance = { before: ready.credits, after: await readCredits(t) }
  return { exchange, before: ready.task, after, balance }
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
  expectSame(after.status, before.status, 'task.status', exchange, after.exchange)
  await expectSpent(t, 0, balance, 'by the refused run', exchange)
}
