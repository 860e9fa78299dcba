/** §3 States and transitions, §4 Tasks: a run from its request to its end. */
import {
  briefAnswer,
  type Exchange,
  hasSuccessStatus,
  isBusy,
  isRunAccepted,
  valueAtPath,
} from '#traffic/exchange.ts'
import {
  DisturbedByOthers,
  NotApplicable,
  NotExercised,
  rethrowUnlessNotExercised,
  Violation,
} from '../client/check-errors.ts'
import { queuedRunError, readTask, type TaskReading, TaskUnreadableError } from '../fixtures/awaited-runs.ts'
import { expectRunsCharged, failedRunInSecondOrganization } from '../fixtures/failed-runs.ts'
import { pollForEffect } from '../fixtures/late-effects.ts'
import { concurrentRunsWithOneCredit } from '../fixtures/one-credit.ts'
import { readResource, sharedTask } from '../fixtures/resources.ts'
import {
  assumeOrdinaryRunEnded,
  ordinaryRun,
  RunRefusedError,
  rereadAfterOrdinaryRun,
  runningRun,
} from '../fixtures/runs.ts'
import { secondRunWithOtherKey } from '../fixtures/second-run.ts'
import { assumeBalanceUndisturbed, expectSpent } from '../fixtures/spending.ts'
import type { TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumeJson,
  documentedRefusals,
  expectRefused,
  expectSame,
  findItem,
  shortJson,
} from '../harness/expect.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'

/**
 * The value of a field in the response to a run. Throws NotExercised unless the run was accepted and the response has
 * the field.
 */
export function assumeRunResponseField(answer: Exchange, name: string): unknown {
  if (!hasSuccessStatus(answer))
    throw new NotExercised(
      `the run was answered ${briefAnswer(answer)}, and an error has no more fields`,
      undefined,
      answer,
    )
  const value = valueAtPath(assumeJson(answer).json, name)
  if (value === undefined) throw new NotApplicable(`the response is of the other variant: it has no ${name}`)
  return value
}

/** The least that has to be supplied to see how a run goes. */
const ofRuns = { shownBy: 'RUN-ACCEPTED', supply: 1 } as const

const paid = { cost: 1 } as const

/** Requires a task that was run to be readable, if other tasks are. */
async function expectReadable<T>(t: TestContext, following: Promise<T>): Promise<T> {
  try {
    return await following
  } catch (error) {
    if (!(error instanceof TaskUnreadableError)) throw error
    await readResource(t, 'getTask', (await sharedTask(t)).id)
    throw new Violation('the task that was run', briefAnswer(error.exchange), error.exchange)
  }
}

/** Polls the list until it shows a finished task with the status that was read; returns the last list. */
function listWithStatus(
  t: TestContext,
  id: string,
  { status, exchange }: TaskReading,
  first?: Exchange,
): Promise<Exchange> {
  const known = first ? [first] : []
  return pollForEffect(
    t,
    { kind: 'list', what: `the status of ${id}`, source: 'status in lists', cause: exchange },
    async () => known.pop() ?? (await t.call('listTasks')),
    (list) => valueAtPath(findItem(assumeAccepted(list), id), 'status') === status,
  )
}

/** Requirements on a run, from its request to its end. */
export const runRequirements: Requirement[] = [
  must('RUN-ACCEPTED', '§3', 'runTask', paid)
    .tests('service-purpose', 'core-set-required', 'org-credits', 'run-with-credit', 'success-status')
    .explains('PATH-RUN-ONCE', 'RUN-COSTS-AT-ONCE')
    .states('With a credit available, a run is accepted: it returns a success or 409 busy.')
    .experiment('condition', async (t) => {
      try {
        await ordinaryRun(t)
      } catch (error) {
        if (!(error instanceof RunRefusedError)) throw error
        if (error.exchange.status === 402) await assumeBalanceUndisturbed(t, 'whoami')
        throw new Violation(
          `a success, or 409 busy, with ${error.credits} credits`,
          briefAnswer(error.exchange),
          error.exchange,
        )
      }
    }),

  must('RUN-TASK-ID', '§2, §4', 'runTask', paid)
    .tests('run-names-task', 'run-task')
    .states('The taskId of the run response is the id of the task (first variant).')
    .judged(async (t) => assumeRunResponseField((await ordinaryRun(t)).answer, 'taskId')),

  must('RUN-OK', '§4', 'runTask', paid)
    .tests('run-task')
    .states('The ok field of an accepted run is true (second variant).')
    .experiment('condition', async (t) => {
      assumeRunResponseField((await ordinaryRun(t)).answer, 'ok')
      const { answer, early } = await runningRun(t)
      const ok = assumeRunResponseField(answer, 'ok')
      if (early.finished || typeof ok !== 'boolean')
        throw new NotExercised('each run ended at once; ok may be its outcome')
      expectSame(ok, true, 'ok', answer)
    }),

  must('RUN-ENDS', '§3.1', 'getTask', paid)
    .tests('poll-until-finished')
    .explains('RUN-FINISHED-BY-STATUS')
    .states('Polling a task shows it as finished after its run has ended.')
    .experiment('waiting', async (t) => {
      const { id, end, answer } = await expectReadable(t, ordinaryRun(t))
      if (end) return
      if (isBusy(answer) && t.states.mayOffer('agent_idle'))
        throw queuedRunError(t, 'it may wait for other work')
      const last = await readTask(t, id)
      throw new Violation(
        `finished: true within ${t.settings.runTimeout / 1_000} s (--run-timeout)`,
        `finished: ${last.finished}, status ${shortJson(last.status)}`,
        answer,
        last.exchange,
      )
    }),

  must('RUN-ANSWER-FINISHED', '§2, §4', 'runTask', { ...paid, sharedCredits: 1 })
    .tests('task-finished', 'run-task')
    .states('A task whose run response says finished is finished when it is read (first variant).')
    .judged(async (t) => {
      const { answer, early } = await ordinaryRun(t)
      assumeRunResponseField(answer, 'finished')
      const again = t.run.wants('RUN-AGAIN')
        ? await secondRunWithOtherKey(t).catch(rethrowUnlessNotExercised)
        : undefined
      return [early, ...(again?.early ? [again.early] : [])].map(({ exchange }) => exchange)
    }),

  must('RUN-FINISHED-STAYS', '§3.1', 'getTask', { ...paid, sharedCredits: 1 })
    .tests('finished-stays')
    .states('A finished task stays finished.')
    .judged(async (t) => {
      const { end, last } = await expectReadable(t, rereadAfterOrdinaryRun(t))
      const failed = await failedRunInSecondOrganization(t)
      const again = t.run.exclusive && (await secondRunWithOtherKey(t).catch(rethrowUnlessNotExercised))
      const looks = [...(failed?.looks ?? []), ...(again ? again.looks : [])]
      const readings = [end, last, ...looks]
      if (t.settings.shared && readings.some(({ finished }) => !finished))
        throw new DisturbedByOthers('a task runs again: somebody else may run it')
      return readings.map(({ exchange }) => exchange)
    }),

  must('RUN-LISTED-STATUS', '§2', 'listTasks', { ...paid, sharedCredits: 2 })
    .tests('task-fields', 'list-contents')
    .states('The list shows a finished task with the same status as getTask.')
    .judged(async (t) => {
      const { id, list, last } = await rereadAfterOrdinaryRun(t)
      const lists = [await listWithStatus(t, id, last, list)]
      const one = t.run.wants('CREDITS-ATOMIC')
        ? await concurrentRunsWithOneCredit(t).catch(rethrowUnlessNotExercised)
        : undefined
      if (one?.ended) lists.push(await listWithStatus(t, one.id, one.ended, one.list))
      const failed = await failedRunInSecondOrganization(t)
      if (failed?.later.finished)
        lists.push(await listWithStatus(t.elsewhere ?? t, failed.id, failed.later, failed.list))
      const again = t.run.wants('RUN-AGAIN')
        ? await secondRunWithOtherKey(t).catch(rethrowUnlessNotExercised)
        : undefined
      // A first look that shows an end may show the end of the run before.
      if (again?.end?.finished && !again.early?.finished)
        lists.push(await listWithStatus(t, again.first.id, again.end))
      return lists
    }),

  must('RUN-KEEPS-TASK', '§2', 'getTask', paid)
    .tests('task-fields')
    .states('A run does not change the text of its task.')
    .judged(assumeOrdinaryRunEnded),

  must('RUN-AGAIN', '§3', 'runTask', { ...paid, retryOnViolation: true, cost: 2, sharedCredits: 1 })
    .tests('run-with-credit', 'error-invalid-request')
    .explainsBalances('CREDITS-REFUND-AGAIN', 'BUSY-COSTS', 'BUSY-REFUND')
    .states('Running a finished task again costs another credit or is rejected with invalid_request.')
    .experiment('balance', async (t) => {
      const { before, answer, end, after } = await secondRunWithOtherKey(t)
      if (!isRunAccepted(answer)) {
        expectRefused(answer, documentedRefusals.badInput, 'an accepted run')
        await expectSpent(t, 0, { before, after }, 'by the refused run', answer)
        return undefined
      }
      if (isBusy(answer)) throw new NotExercised('the second run had to wait')
      if (!end) {
        // A single run may take longer than this waits.
        throw new Violation(
          'finished: true again within --run-timeout',
          'finished: false',
          answer,
        ).asTentative()
      }
      await expectRunsCharged(t, [end], { before, after }, 'by the second run', answer)
      return undefined
    }),

  must('RUN-IN-PROGRESS-UNFINISHED', '§2, §3', null)
    .tests('task-finished', 'status-in-progress')
    .explains('RUN-LISTED-STATUS')
    .states('A task with the status in_progress is not finished.')
    .seen('task in_progress', ofRuns),

  should('RUN-FINISHED-BY-STATUS', '§2', 'getTask')
    .tests('task-finished')
    .states('Each status is either always finished or never finished.')
    .seen('finished task', ofRuns),
]
