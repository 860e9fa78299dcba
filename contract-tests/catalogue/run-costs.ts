/** §3, §3.2, §3.3: the credits of runs requested twice, failing again, or waiting and failing. */

import { briefAnswer, type Exchange, isBusy, isRunAccepted, valueAtPath } from '#traffic/exchange.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import { NotApplicable, NotExercised, Violation } from '../client/check-errors.ts'
import {
  assumeNoLateRunEnd,
  readTask,
  type TaskReading,
  waitForIdleAgent,
  waitForRunEnd,
} from '../fixtures/awaited-runs.ts'
import { assumeCredits, readCredits, readStableCredits } from '../fixtures/credits.ts'
import {
  expectRunsCharged,
  failedRunEvidence,
  failedRunInSecondOrganization,
  pollCreditsAfterRefund,
} from '../fixtures/failed-runs.ts'
import { furtherFailedRuns } from '../fixtures/further-failures.ts'
import { clientWithOtherKey } from '../fixtures/key-use.ts'
import { pollListForItem } from '../fixtures/late-effects.ts'
import { expectListed } from '../fixtures/other-clients.ts'
import { createTask } from '../fixtures/resources.ts'
import {
  ordinaryRun,
  readListDuringRun,
  requestRun,
  runNewTaskWhenIdle,
  waitForRunStart,
} from '../fixtures/runs.ts'
import {
  assumeFirstFailedRunRefunded,
  haveFailedRunsOwnStatus,
  runAgainToFail,
  secondFailedRun,
} from '../fixtures/second-failure.ts'
import { expectSpent } from '../fixtures/spending.ts'
import type { TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumePresent,
  assumeRefused,
  consequenceError,
  documentedRefusals,
  findItem,
} from '../harness/expect.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'

const paid = { retryOnViolation: true, cost: 2 } as const

const several = { ...paid, cost: 3 }
/** Traits of a check with two failed runs, one behind the second, and one that did not fail. */
const failing = { ...several, sharesOnce: 1 }

/** The time for which the agent is busy, ms: longer than two requests take; a teardown ends it. */
const otherWork = 5_000

/**
 * Runs an action while a state, if offered, keeps the agent busy: a short run could end meanwhile. `left`: ms of that
 * work left.
 */
async function whileBusy<T extends object>(
  t: TestContext,
  action: () => Promise<T>,
): Promise<T & { left: number }> {
  if (!t.states.mayOffer('agent_busy')) return { ...(await action()), left: 0 }
  const params = { org_id: await t.orgId(), duration_ms: otherWork }
  const isSet = await t.states.setup('agent_busy', params).then(
    () => true,
    () => false,
  )
  const until = t.target.now() + otherWork
  try {
    const made = await action()
    return { ...made, left: isSet ? until - t.target.now() : 0 }
  } finally {
    await t.states.teardown('agent_busy', params).catch(() => undefined)
  }
}

/**
 * Continues only if the teardown of `agent_busy` freed the agent: a run must not have waited the `left` ms that
 * remained.
 */
function assumeFreed(t: TestContext, id: string, freed: number, waited: number, left: number): void {
  const usual = t.deadlines.shortestRun
  if (usual === undefined || usual + certain > left) return
  if (waited < left || waited > left + 2 * usual + certain) return
  const looks = t.recorder.sent.filter((one) => one.operation === 'getTask' && one.sent.ms >= freed)
  const ofRun = looks.flatMap(({ sent, exchange }) =>
    exchange && decodedPathId(exchange) === id ? [{ at: sent.ms, json: exchange.json }] : [],
  )
  // One that went on before that had started, and was long; one that was not looked at may have ended.
  const over = freed + left
  if (ofRun.some(({ at, json }) => at < over && valueAtPath(json, 'task', 'status') === 'in_progress')) return
  if (!ofRun.some(({ at, json }) => at >= freed + usual + certain && valueAtPath(json, 'finished') === false))
    return
  throw t.states.giveUp(
    'agent_busy',
    `after the teardown of the state "agent_busy", a run waited for the rest of its ${otherWork} ms`,
  )
}

/** ms to wait for a run to begin, so that its task is requested once more while it is in progress. */
const beginsWithin = 300

/** The answer to another run of a task, requested while it is in progress; undefined if it was not seen in progress. */
async function requestedInProgress(t: TestContext, id: string): Promise<Exchange | undefined> {
  const seen = await waitForRunStart(t, id, beginsWithin)
  return seen && !seen.finished ? requestRun(t, id) : undefined
}

/** ms by which the time left must exceed that of a run, to be told from it. */
const certain = 1_000

/**
 * Runs two tasks one after the other and reads the balance around them. The first task is requested twice, the second
 * one with another key. Shows whether the end of one run undoes what was charged or started meanwhile.
 */
export const consecutiveRuns = (t: TestContext) =>
  t.evidence('consecutive runs', async () => {
    await waitForIdleAgent(t)
    t.budget.allow(3)
    const { id } = await createTask(t)
    await assumeCredits(t, 3)
    const {
      before,
      first,
      again: atOnce,
      left,
    } = await whileBusy(t, async () => ({
      before: await readCredits(t),
      first: await requestRun(t, id),
      again: await requestRun(t, id),
    }))
    const freed = t.target.now()
    const ids = [id, (await createTask(t)).id] as const
    const answers = [first, await requestRun(t, ids[1], await clientWithOtherKey(t))]
    for (const answer of answers)
      if (!isRunAccepted(answer))
        throw new NotExercised(`a run was not accepted (${briefAnswer(answer)})`, undefined, answer)
    const event = 'simultaneous runs to end'
    // A service may look at what is in progress, or at what waits.
    const later = isRunAccepted(atOnce) ? undefined : await requestedInProgress(t, ids[0])
    const again = later && isRunAccepted(later) ? later : atOnce
    const end = await waitForRunEnd(t, ids[0], event)
    const waited = t.target.now() - freed
    const second = await waitForRunEnd(t, ids[1], event)
    // Another run of the first task may have waited behind the second one.
    const ends = [isRunAccepted(again) ? await waitForRunEnd(t, ids[0], event) : end, second]
    // One that was refused goes on, if it does, once the others have ended.
    const back = ends.every((one) => one) && !isRunAccepted(again) ? await readTask(t, ids[0]) : undefined
    const after = await readStableCredits(t)
    // A run that nobody asked for takes time and a credit too.
    const isAlone = before - after <= answers.length
    if (end && isBusy(first) && isAlone) assumeFreed(t, ids[0], freed, waited, left)
    return { again, answers, before, ends, back, after }
  })

/** Requires all accepted runs of two tasks to have cost a credit each, unless they may have failed. */
async function expectBothPaid(
  t: TestContext,
  { again, answers, before, after, ends }: Awaited<ReturnType<typeof consecutiveRuns>>,
): Promise<void> {
  const [both, other] = ends.map((end) => assumePresent(end, 'the end of a run'))
  const all = [both, both, other].filter((end) => end !== undefined)
  const what = 'by all runs, of which the second of one task was accepted'
  await expectRunsCharged(t, all, { before, after }, what, ...answers, again)
}

/** The violation by a run that had to wait for the agent and never ended. `shown`: its evidence. */
export const queuedRunNotEndedError = (...shown: readonly Exchange[]) =>
  new Violation('finished: true within --run-timeout, by itself', 'it never ended', ...shown)

/** Requires a run that ended like an earlier failed run to be refunded. */
async function expectRefund(
  t: TestContext,
  { before, answer, end, behind, after }: Awaited<ReturnType<typeof secondFailedRun>>,
  failed: TaskReading,
  by: string,
): Promise<void> {
  if (assumePresent(end, 'the end of the run').status !== failed.status)
    throw new NotExercised('the run did not end like the run that failed before')
  if (behind && !behind.end) {
    if (isBusy(behind.answer))
      t.run.stuck ??= { id: 'BUSY-STARTS', violation: queuedRunNotEndedError(behind.answer) }
    throw consequenceError('BUSY-STARTS', 'a run that waited behind it never ended')
  }
  if (!behind?.end || behind.end.status !== end?.status)
    return expectSpent(t, 0, { before, after }, by, answer)
  // The balance may have been emptied by a state: a reading after that is evidence as well.
  const shown = t.recorder.exchanges.find(
    ({ operation, caller, number }) =>
      operation === 'whoami' && caller === t.main.caller && number > answer.number,
  )
  await assumeStatusTellsFailure(t, failed)
  await expectSpent(t, 0, { before, after }, by, answer, ...(shown ? [shown] : []))
}

/**
 * Continues only if a run of this organization that does not fail ends with another status than a failed one: final
 * statuses may differ between organizations, and say nothing in one of them.
 */
async function assumeStatusTellsFailure(t: TestContext, failed: TaskReading): Promise<void> {
  const { end } = await runNewTaskWhenIdle(t)
  if (end?.status === failed.status)
    throw new NotExercised('the run that waited behind it ended alike, so that either may have failed')
}

/** Requires further runs that end like a failed one to be refunded. */
async function expectFurtherRefunds(t: TestContext, failed: TaskReading): Promise<void> {
  const { answers, ends, before, after } = await furtherFailedRuns(t)
  for (const end of ends)
    if (assumePresent(end, 'the end of a run').status !== failed.status)
      throw new NotExercised('a run did not end like the run that failed before')
  // Where ends tell nothing, runs may not have failed, since the state has no effect, and are refunded nowhere.
  if (after !== before && !(await haveFailedRunsOwnStatus(t))) await assumeFirstFailedRunRefunded(t)
  await expectSpent(t, 0, { before, after }, `by ${answers.length} more failed runs`, ...answers)
}

/** Requires a task that has run to be listed, at once or after a wait. */
async function expectStillListed(t: TestContext, id: string, first: Exchange): Promise<void> {
  const isListed = findItem(assumeAccepted(first), id) !== undefined
  expectListed(t, isListed ? first : await pollListForItem(t, 'listTasks', id), id, 'task')
}

/**
 * Requirements on paid runs: their tasks stay listed, runs of one task or beside each other cost and end as they
 * should, and each run that fails refunds its credit.
 */
export const runCostRequirements: Requirement[] = [
  should('RUN-LISTED', '§4', 'listTasks', paid)
    .tests('list-contents', 'list-tasks')
    .states('The list contains a task after its run has ended.')
    .experiment('waiting', async (t) => {
      const { id, end, list } = await ordinaryRun(t)
      assumePresent(end, 'the end of the run')
      await expectStillListed(t, id, list)
      const failed = await failedRunInSecondOrganization(t)
      if (failed?.end) await expectStillListed(t.elsewhere ?? t, failed.id, failed.list)
    }),

  must('RUN-LISTED-RUNNING', '§4', 'listTasks', paid)
    .tests('list-contents')
    .states('The list contains a task while it runs.')
    .experiment('waiting', async (t) => {
      const { id, list, isOver } = await readListDuringRun(t)
      const item = findItem(assumeAccepted(list), id)
      if (isOver) throw new NotExercised('the run had ended when the tasks were listed')
      const status = item && valueAtPath(item, 'status')
      // The run had not begun, or was over: alone, the list is read while it goes on.
      if (isOver === undefined && item && status !== 'in_progress')
        throw new Violation('status: in_progress', `status: ${JSON.stringify(status)}`, list).asTentative()
      try {
        expectListed(t, list, id, 'running task')
      } catch (error) {
        // Beside other checks the list came so soon after the creation that it may be late.
        throw error instanceof Violation ? error.asTentative() : error
      }
    }),

  must('RUN-TWICE', '§3.2, §7', 'runTask', several)
    .tests('run-already-active', 'error-invalid-request')
    .explains('RUN-COSTS-AT-ONCE')
    .states('A run of a task that is already running is rejected at no cost, or costs another credit.')
    .experiment('balance', async (t) => {
      const runs = await consecutiveRuns(t)
      const { again, answers, before, after, ends } = runs
      if (isRunAccepted(again)) return expectBothPaid(t, runs)
      assumeRefused(again, documentedRefusals.badInput)
      assumePresent(ends.every((end) => end) || undefined, 'the end of a run')
      await expectSpent(
        t,
        { least: 0, most: answers.filter(isRunAccepted).length },
        { before, after },
        'by all runs',
        ...answers,
        again,
      )
    }),

  must('RUN-BESIDE', '§3.1, §3.3', 'runTask', { ...several, sharedCredits: 1 })
    .tests('poll-until-finished', 'busy-starts')
    .states('A run continues to its end while other runs are requested.')
    .experiment('waiting', async (t) => {
      const { answers, ends } = await consecutiveRuns(t)
      const stuck = answers.find((answer, i) => isRunAccepted(answer) && !ends[i])
      if (!stuck) return
      if (isBusy(stuck) && stuck !== answers[0])
        throw consequenceError('BUSY-STARTS', 'a run that had to wait never ended')
      assumePresent((await ordinaryRun(t)).end, 'the end of a run without other requests')
      await assumeNoLateRunEnd(t)
      throw new Violation('finished: true within --run-timeout', 'it never ended', stuck)
    }),

  must('CREDITS-REFUND-AGAIN', '§3.2', 'runTask', { ...failing, needs: ['state:next_run_fails'] })
    .tests('run-with-credit', 'run-refund')
    .explainsBalances('CREDITS-REFUND-EACH', 'CREDITS-REFUND-OTHER', 'BUSY-REFUND')
    .states('A second failed run refunds its credit too.')
    .experiment('balance', async (t) => {
      const first = await assumeFirstFailedRunRefunded(t)
      let run = await secondFailedRun(t)
      // A run that waited must not matter here.
      if (isBusy(run.answer) && run.after !== run.before) {
        const plain = await runAgainToFail(t)
        run = { ...plain, after: await pollCreditsAfterRefund(t, plain.before, 'another refund') }
      }
      await expectRefund(t, run, first, 'by the failed run')
    }),

  must('CREDITS-REFUND-EACH', '§3.2', 'runTask', {
    ...failing,
    sharedCredits: 1,
    needs: ['state:next_run_fails'],
  })
    .tests('run-with-credit', 'run-refund')
    .explainsBalances('CREDITS-REFUND-OTHER')
    .states('Each of several runs that fail one after the other refunds its credit.')
    .experiment('balance', async (t) => {
      // Runs that do not fail, since the state has no effect, are refunded nowhere.
      await expectFurtherRefunds(t, await assumeFirstFailedRunRefunded(t))
    }),

  must('CREDITS-REFUND-OTHER', '§3.2', 'runTask', {
    ...failing,
    sharedCredits: 1,
    needs: ['state:next_run_fails', 'other_key'],
  })
    .tests('run-with-credit', 'run-refund')
    .states('Failed runs refund their credits in another organization, too.')
    .experiment('balance', async (t) => {
      const { end } = (await failedRunInSecondOrganization(t)) ?? (await failedRunEvidence(t))
      await expectFurtherRefunds(t, assumePresent(end, 'the end of the run that failed first'))
    }),

  must('BUSY-REFUND', '§3.2, §3.3', 'runTask', {
    ...failing,
    needs: ['state:next_run_fails', 'state:agent_busy'],
  })
    .tests('run-refund', 'busy-starts')
    .explainsBalances('CREDITS-REFUND-EACH', 'CREDITS-REFUND-OTHER')
    .states('A run that waited for the agent and then failed refunds its credit.')
    .experiment('balance', async (t) => {
      const failed = await assumeFirstFailedRunRefunded(t)
      const run = await secondFailedRun(t)
      if (!isBusy(run.answer)) throw new NotApplicable('the run did not have to wait')
      await expectRefund(t, run, failed, 'by the run that waited and failed')
    }),
]
