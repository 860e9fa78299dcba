/** §3.3: a run answered with 409 busy is accepted and starts once the agent is free. */

import {
  briefAnswer,
  type Exchange,
  hasSuccessStatus,
  isBusy,
  isRunAccepted,
  valueAtPath,
} from '#traffic/exchange.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import {
  NotApplicable,
  NotExercised,
  ProviderStateError,
  rethrowUnlessNotExercised,
  Violation,
} from '../client/check-errors.ts'
import {
  assumeNoLateRunEnd,
  readTask,
  type TaskReading,
  waitForIdleAgent,
  waitForQueuedRuns,
  waitForRunEnd,
} from '../fixtures/awaited-runs.ts'
import { assumeCredits, creditsSpentBetween, readConfirmedCredits, readCredits } from '../fixtures/credits.ts'
import { expectRunsCharged } from '../fixtures/failed-runs.ts'
import { balanceMovedByOthersError } from '../fixtures/refused-runs.ts'
import { createTask } from '../fixtures/resources.ts'
import { ordinaryRun, requestRun, taskAfterOrdinaryRun, withOtherBalanceLocked } from '../fixtures/runs.ts'
import { assumeFirstFailedRunRefunded, secondFailedRun } from '../fixtures/second-failure.ts'
import { isBalanceChangingByItself } from '../fixtures/spending.ts'
import type { TestContext } from '../harness/context.ts'
import { assumePresent } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import { consecutiveRuns, queuedRunNotEndedError } from './run-costs.ts'

const paid = { retryOnViolation: true, cost: 2 } as const

/** The time for which a provider state keeps the agent busy, ms. */
const otherWork = 400

/** Runs requested while the agent is busy: by a provider state if one is offered, otherwise two runs at once. */
const waitingRun = (t: TestContext) =>
  t.evidence('busy', () =>
    withOtherBalanceLocked(t, async () => {
      t.budget.allow(2)
      await waitForIdleAgent(t)
      return (
        (t.states.mayOffer('agent_busy') && (await arranged(t).catch(rethrowUnlessNotExercised))) ||
        induced(t)
      )
    }),
  )

interface Waiting {
  readonly before: number
  readonly answers: readonly Exchange[]
  readonly ids: readonly string[]
  readonly ends: readonly (TaskReading | undefined)[]
  readonly after: number
}

/**
 * The ends of runs. They are not polled for the first `arranged` ms, in which a provider state keeps the agent busy.
 */
async function endsOf(
  t: TestContext,
  ids: readonly string[],
  arranged: number,
): Promise<(TaskReading | undefined)[]> {
  const event = 'a waiting run to end'
  if (t.deadlines.isHopeless(event)) return waitForQueuedRuns(t, ids, event)
  const last = ids.at(-1)
  // One that looks ended may look otherwise when it starts.
  const isEnded = last !== undefined && (await readTask(t, last)).finished
  if (isEnded || arranged === 0) return waitForQueuedRuns(t, ids, event)
  await t.target.sleep(arranged)
  return waitForQueuedRuns(t, ids, event, t.deadlines.usualRun)
}

async function follow(
  t: TestContext,
  before: number,
  ids: string[],
  answers: Exchange[],
  arranged = 0,
): Promise<Waiting> {
  const requested = t.target.now()
  const taken = ids.filter((_, i) => isRunAccepted(answers[i] as Exchange))
  const ended = await endsOf(t, taken, arranged)
  const isEarly = t.target.now() < requested + arranged
  const ends = ids.map((id) => ended[taken.indexOf(id)])
  const after = await readConfirmedCredits(t)
  const finished = ids.filter((_, i) => ends[i])
  const sinceRequest = requested + 1.2 * otherWork - t.target.now()
  const lastRun = Math.min(t.deadlines.shortestRun ?? otherWork, otherWork)
  // Ended tasks are read for longer than the other work and a run that had to wait take; before it, when that may go on.
  const looks = isEarly ? 2 : 1
  const pause = Math.max(sinceRequest, 1.2 * lastRun) / looks
  for (let at = 0; finished.length > 0 && at < looks; at++) {
    await t.target.sleep(pause)
    for (const id of finished) await readTask(t, id)
  }
  return { before, ids, answers, ends, after }
}

/** Runs requested while a provider state keeps the agent busy; undefined if the first did not have to wait. */
async function arranged(t: TestContext): Promise<Waiting | undefined> {
  // Two of the same text, which are two tasks all the same, and a third, which waits while both go on.
  const { id, text } = await createTask(t)
  const others = [(await createTask(t, text)).id]
  if (t.budget.left > 2 && t.run.isFor('BUSY-STARTS', 'BUSY-FINISHED-STAYS'))
    others.push((await createTask(t)).id)
  await assumeCredits(t, 1 + others.length)
  await t.states.setup('agent_busy', { org_id: await t.orgId(), duration_ms: otherWork })
  // The task that keeps the agent busy may have cost a credit.
  const before = await readCredits(t)
  const answer = await requestRun(t, id)
  if (hasSuccessStatus(answer)) {
    await waitForRunEnd(t, id)
    return undefined
  }
  if (!isBusy(answer)) return follow(t, before, [id], [answer], otherWork)
  const answers = [answer]
  for (const other of others) answers.push(await requestRun(t, other))
  // A waiting run starts after an outage too.
  if (t.states.mayOffer('unavailable'))
    await t.during('unavailable', {}, async () => undefined).catch(rethrowUnlessNotExercised)
  return follow(t, before, [id, ...others], answers, otherWork)
}

async function induced(t: TestContext): Promise<Waiting> {
  t.budget.allow(2)
  const { id, text } = await createTask(t)
  const ids = [id, (await createTask(t, text)).id]
  const before = await assumeCredits(t, 2)
  const answers = await Promise.all(ids.map((id) => requestRun(t, id)))
  return follow(t, before, ids, answers)
}

/** Runs requested while the agent is busy. Continues only if one was answered with 409 busy. */
async function assumeBusy(t: TestContext): Promise<Waiting> {
  const runs = await waitingRun(t)
  if (!runs.answers.some(isBusy)) throw new NotApplicable('the service was never busy, which is allowed')
  return runs
}

/** Continues only if the state `agent_busy` ends in time, and not only when it is torn down. */
async function assumeWaitIsOver(t: TestContext, waiting: readonly string[]): Promise<void> {
  if (!t.states.mayOffer('agent_busy')) return
  // Found once: a repeat would wait for the same.
  const first = t.first ?? t
  if (await first.evidence('runs that wait for a teardown', () => endByTeardown(t, waiting), 'run'))
    throw new ProviderStateError(
      `the state "agent_busy" lasts longer than the ${otherWork} ms that it was set up for`,
    )
}

/** True if none of the waiting runs has ended, and one ends once the state that keeps the agent busy is torn down. */
async function endByTeardown(t: TestContext, waiting: readonly string[]): Promise<boolean> {
  for (const id of waiting) if ((await readTask(t, id)).finished) return false
  await t.states.teardown('agent_busy', { org_id: await t.orgId() })
  return (await waitForQueuedRuns(t, waiting, 'a waiting run to end')).some((end) => end)
}

/**
 * A run of BUSY-REFUND, or the one behind it, that waited and never ended; `isFree`: the run ahead of it has ended, so
 * that no state keeps the agent busy.
 */
async function waitingForFailure(t: TestContext) {
  const failed = t.run.wants('BUSY-REFUND')
    ? await assumeFirstFailedRunRefunded(t).catch(rethrowUnlessNotExercised)
    : undefined
  const run = failed && (await secondFailedRun(t).catch(rethrowUnlessNotExercised))
  const never = [run, run?.behind].find((one) => one && isBusy(one.answer) && !one.end)
  return never && { answer: never.answer, isFree: run?.end !== undefined }
}

/** The first reading of a task as unfinished after one as finished; both follow the answer to its run. */
function unfinishedAgain({ recorder }: TestContext, answer: Exchange): Exchange | undefined {
  const id = decodedPathId(answer)
  const looks = recorder.exchanges.filter(
    (one) =>
      one.operation === 'getTask' &&
      one.number > answer.number &&
      decodedPathId(one) === id &&
      hasSuccessStatus(one),
  )
  const end = looks.findIndex(({ json }) => valueAtPath(json, 'finished') === true)
  return looks.find(({ json }, i) => end >= 0 && i > end && valueAtPath(json, 'finished') === false)
}

/** Requires each run to have cost a credit, or to have failed. */
async function expectEachPaid(
  t: TestContext,
  { before, after, ends, answers }: Pick<Waiting, 'before' | 'after' | 'ends' | 'answers'>,
): Promise<void> {
  if (ends.some((end, i) => !end && isRunAccepted(answers[i] as Exchange)))
    throw new NotExercised('not every run has ended')
  const ended = ends.filter((end) => end !== undefined)
  await expectRunsCharged(t, ended, { before, after }, `by ${ended.length} run(s)`, ...answers)
}

/** Requirements on runs that are requested while the agent is busy. */
export const busyAgentRequirements: Requirement[] = [
  must('BUSY-ANSWER', '§3.3, §7', 'runTask', { ...paid, sharedCredits: 2 })
    .tests('busy-answer', 'error-busy')
    .explains('RUN-LISTED-STATUS', 'RUN-COSTS-AT-ONCE')
    .states('A run requested while the agent is busy returns a success or 409 busy.')
    .experiment('condition', async (t) => {
      const { answers } = await waitingRun(t)
      for (const answer of answers) {
        if (isRunAccepted(answer)) continue
        await ordinaryRun(t)
        throw new Violation('a success, or 409 busy', briefAnswer(answer), answer)
      }
    }),

  must('BUSY-STARTS', '§3.3', 'runTask', { ...paid, sharedCredits: 2, retryOnViolation: false })
    .tests('busy-starts', 'error-busy')
    .explains('RUN-BESIDE', 'NO-CREDITS-RECOVERS')
    .states('A run answered with 409 busy starts and ends without another request.')
    .experiment('waiting', async (t) => {
      const { answers, ends } = await assumeBusy(t)
      const answer = answers.find((one, i) => isBusy(one) && !ends[i])
      const never = answer ? { answer, isFree: false } : await waitingForFailure(t)
      if (!never) return
      const id = decodedPathId(never.answer) ?? ''
      if (!never.isFree) await assumeWaitIsOver(t, [id])
      assumePresent(await taskAfterOrdinaryRun(t), 'the end of a run that did not wait')
      await assumeNoLateRunEnd(t)
      throw queuedRunNotEndedError(never.answer, (await readTask(t, id)).exchange)
    }),

  must('BUSY-FINISHED-STAYS', '§3.1, §3.3', 'getTask', { ...paid, sharedCredits: 1 })
    .tests('finished-stays', 'busy-starts')
    .states('A task with a waiting run becomes finished only after the run has ended, and stays finished.')
    .experiment('waiting', async (t) => {
      const { after, answers, ids, ends } = await assumeBusy(t)
      const failed = t.run.wants('BUSY-REFUND')
        ? await secondFailedRun(t).catch(rethrowUnlessNotExercised)
        : undefined
      const back = answers.map((answer) => unfinishedAgain(t, answer)).find((one) => one) ?? failed?.back
      if (!back) return
      // Another run costs a credit, and belongs to somebody else.
      if (
        creditsSpentBetween(after, await readCredits(t)) > 0 ||
        (t.run.exclusive && (await isBalanceChangingByItself(t)))
      )
        throw balanceMovedByOthersError()
      const id = decodedPathId(back) ?? ''
      const at = ids.indexOf(id)
      const [answer, end] = at < 0 ? [failed?.answer, failed?.end] : [answers[at], ends[at]]
      const finished = t.recorder.exchanges.findLast(
        (one) =>
          one.operation === 'getTask' &&
          one.number < back.number &&
          decodedPathId(one) === id &&
          valueAtPath(one.json, 'finished') === true,
      )
      throw new Violation(
        'finished: true once the run has ended, not before, and from then on',
        'finished: true, then finished: false',
        ...[answer, finished ?? end?.exchange, back].filter((one) => one !== undefined),
      )
    }),

  must('BUSY-COSTS', '§3.2, §8.2', 'runTask', { ...paid, sharedCredits: 2 })
    .tests('billing-unavoidable', 'run-reserves', 'busy-starts', 'prices')
    .explains('RUN-COSTS-AT-ONCE')
    .explainsBalances('BUSY-REFUND', 'CREDITS-REFUND-OTHER', 'RUN-TWICE')
    .states('After all runs have ended, each has cost one credit, including runs answered with 409 busy.')
    .experiment('balance', async (t) => {
      // A check that is repeated alone reuses what was seen at first: each costs credits.
      const first = t.first ?? t
      const wrong = await first.evidence('a wrong cost of runs', async () => ({ isBeside: false }), 'run')
      if (wrong.isBeside) return expectEachPaid(t, await consecutiveRuns(t))
      await expectEachPaid(t, await assumeBusy(t))
      // One that was requested while another one went on. What it costs too much, the run that was refused may have cost.
      if (t.run.exclusive || !t.run.evidence.has('consecutive runs')) return
      const runs = await consecutiveRuns(first).catch(rethrowUnlessNotExercised)
      if (!runs?.ends.every((end) => end) || creditsSpentBetween(runs.before, runs.after) >= runs.ends.length)
        return
      wrong.isBeside = true
      await expectEachPaid(first, runs)
      wrong.isBeside = false
    }),
]
