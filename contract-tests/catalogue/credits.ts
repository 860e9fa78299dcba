/** §2, §3.2, §8.2: what operations cost, and what is refunded. */

import type { OperationId } from '#contract/operation.ts'
import { briefAnswer, type Exchange, hasSuccessStatus, valueAtPath } from '#traffic/exchange.ts'
import {
  NotApplicable,
  NotExercised,
  ProviderStateError,
  rethrowUnlessNotExercised,
  Violation,
} from '../client/check-errors.ts'
import { assumeNoLateRunEnd, queuedRunError } from '../fixtures/awaited-runs.ts'
import {
  assumeBalanceAtLeast,
  assumeOneCredit,
  creditsInResponse,
  creditsSpentBetween,
  minCreditsForFreeRequests,
  raiseCreditsIfOffered,
  readCredits,
  readCreditsOnce,
  withBalancesAround,
} from '../fixtures/credits.ts'
import { failedRunEvidence, runCostBounds } from '../fixtures/failed-runs.ts'
import { furtherFailedRuns } from '../fixtures/further-failures.ts'
import { pollForEffect } from '../fixtures/late-effects.ts'
import { waitAfterRefusals } from '../fixtures/refusals.ts'
import { createTask, sharedTask, unknownIdLike } from '../fixtures/resources.ts'
import { assumeOrdinaryRunEnded, runningRun, taskAfterOrdinaryRun } from '../fixtures/runs.ts'
import { secondFailedRun } from '../fixtures/second-failure.ts'
import { assumeBalanceUndisturbed, expectSpent, wrongBalanceError } from '../fixtures/spending.ts'
import {
  assumePositiveControl,
  positiveControlWithBalances,
  prepareRequest,
} from '../fixtures/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeJson, assumePresent, expectThat } from '../harness/expect.ts'
import {
  type FreeOperation,
  freeOperations,
  type RuleAnchorsByOperation,
  ruleAnchorOfOperation,
  traitsOfOperation,
} from '../harness/operations.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import type { RequirementId } from '../model/requirement-id.ts'

const retried = { retryOnViolation: true } as const
const paid = { ...retried, cost: 1 } as const
const failing = { ...paid, needs: ['state:next_run_fails'] } as const

const freeReads: RuleAnchorsByOperation = {
  listCampaigns: ['extended-reads-only'],
  getInsights: ['extended-reads-only'],
  getWallet: ['extended-reads-only', 'billing-reads-only'],
  getBilling: ['extended-reads-only', 'billing-reads-only'],
}

/** By operation: requirements whose balances are wrong if that free operation is charged. */
const chargeExplains: Partial<Record<OperationId, readonly RequirementId[]>> = {
  whoami: ['RUN-AGAIN'],
  deleteKey: ['CREDITS-REFUND-AGAIN', 'BUSY-REFUND'],
  listTasks: ['CREDITS-RUN-COSTS-ONE'],
  createTask: ['LIMIT-REFUSED-RUN', 'RUN-AGAIN', 'RUN-TWICE'],
  createDocument: ['RUN-AGAIN'],
}

const free = freeOperations.map((operation) =>
  must(`FREE-${operation}`, '§8.2', operation, { ...retried, ...traitsOfOperation(operation) })
    .tests('cost-none', 'prices', ruleAnchorOfOperation(operation), ...(freeReads[operation] ?? []))
    .explainsBalances(...(chargeExplains[operation] ?? []))
    .states(`${operation} is free: it leaves the balance unchanged.`)
    .experiment('balance', async (t) => {
      const shared = t.run.exclusive ? undefined : await positiveControlWithBalances(t, operation)
      const { before, made: exchange, after } = shared ?? (await measuredRequest(t, operation))
      assumeBalanceAtLeast(before, operation === 'whoami' ? minCreditsForFreeRequests : 1)
      assumeAccepted(exchange)
      if (creditsSpentBetween(before, after) === 0) return
      if (operation !== 'whoami') await assumeBalanceUndisturbed(t, 'whoami')
      else await assumeBalanceNotRising(t, after)
      throw wrongBalanceError(t, `${before} credits, as before`, { before, after }, exchange)
    }),
)

/** Throws NotExercised if further readings bring back a balance from before: one that is charged for never does. */
async function assumeBalanceNotRising(t: TestContext, balance: number): Promise<void> {
  for (let reading = 0; reading < 2; reading++)
    if ((await readCreditsOnce(t)) > balance)
      throw new NotExercised('the balance goes back to an earlier one by itself')
}

/** A valid request between two readings of the balance, after the positive control. */
async function measuredRequest(t: TestContext, operation: FreeOperation) {
  await assumePositiveControl(t, operation)
  // If whoami is charged for, the readings are too.
  await raiseCreditsIfOffered(t, operation === 'whoami' ? 2 * minCreditsForFreeRequests : 1)
  return withBalancesAround(t, await prepareRequest(t, operation))
}

/** Requires the `credits` of a response to equal what whoami reports before and after it. */
export async function expectCreditsLikeWhoami(
  t: TestContext,
  request: () => Promise<Exchange>,
): Promise<void> {
  const before = await readCredits(t)
  const first = assumeAccepted(await request())
  if (valueAtPath(assumeJson(first).json, 'credits') === undefined)
    throw new NotApplicable('the response is of the second variant: it has no credits')
  const known = [first]
  const exchange = await pollForEffect(
    t,
    { kind: 'balance', what: 'the balance', source: `credits of ${first.operation}` },
    async () => known.pop() ?? assumeAccepted(await request()),
    (seen) => creditsSpentBetween(creditsInResponse(seen), before) === 0,
  )
  const after = await readCredits(t)
  if (before !== after)
    throw new NotExercised(
      `the balance was ${before} before the comparison and ${after} after it: one was read in the middle of a change, or somebody else uses the organization`,
    )
  const reported = creditsInResponse(exchange)
  expectThat(
    creditsSpentBetween(reported, after) === 0,
    `credits: ${after}`,
    `credits: ${reported}`,
    exchange,
  )
}

/** Requirements on what operations cost, and on what is refunded. */
export const creditRequirements: Requirement[] = [
  ...free,

  must('CREDITS-IN-LIST', '§2', 'listTasks', retried)
    .tests('task-credits')
    .explains('CREDITS-PROMPT')
    .states('The credits field of the task list equals the credits that whoami reports (first variant).')
    .experiment('balance', (t) => expectCreditsLikeWhoami(t, () => t.call('listTasks'))),

  must('CREDITS-IN-CREATE', '§2', 'createTask', { ...retried, writes: true })
    .tests('task-credits')
    .states(
      'The credits field of the createTask response equals the credits that whoami reports (first variant).',
    )
    .experiment('balance', (t) => expectCreditsLikeWhoami(t, async () => (await createTask(t)).exchange)),

  must('CREDITS-RESERVED', '§3, §3.2', 'runTask', paid)
    .tests('cost-one', 'org-credits', 'run-with-credit', 'run-reserves')
    .states('The credit of a run in progress is reserved and cannot be spent.')
    .experiment('balance', async (t) => {
      const { before, during, early, answer, overtaken } = await runningRun(t)
      if (!hasSuccessStatus(answer)) throw queuedRunError(t, 'its credit may be reserved when it starts')
      if (early.finished) throw new NotExercised('each run ended at once')
      if (overtaken) throw new NotExercised('the run ended before the balance showed its credit')
      await expectSpent(t, 1, { before, after: during }, 'while the run is in progress', answer)
    }),

  must('CREDITS-RUN-COSTS-ONE', '§3.2, §8.2', 'runTask', { ...paid, sharesOnce: 1 })
    .tests('runs-cost-credits', 'billing-unavoidable', 'cost-one', 'run-reserves', 'run-task', 'prices')
    .explains('CREDITS-PROMPT', 'RUN-COSTS-AT-ONCE')
    .explainsBalances('CREDITS-RESERVED', 'BUSY-COSTS', 'RUN-AGAIN', 'RUN-TWICE')
    .states('A run that ends without failing costs exactly one credit.')
    .experiment('balance', async (t) => {
      const { before, after, end, answer } = await assumeOrdinaryRunEnded(t)
      const { least } = await runCostBounds(t, [end])
      if (least === 0 && creditsSpentBetween(before, after) === 0) {
        throw new NotExercised(
          'the credit was refunded: the run may have failed, and no status shows failed runs',
          'the state "next_run_fails"',
        )
      }
      await expectSpent(t, 1, { before, after }, 'when the run has ended', answer, end.exchange)
    }),

  must('CREDITS-REFUND', '§3.2', 'runTask', { ...failing, sharesOnce: 1 })
    .tests('run-with-credit', 'run-refund')
    .explains(
      'CREDITS-PROMPT',
      'CREDITS-REFUND-AGAIN',
      'CREDITS-REFUND-EACH',
      'CREDITS-REFUND-OTHER',
      'BUSY-REFUND',
    )
    .states('A failed run refunds its credit.')
    .experiment('balance', async (t) => {
      const { before, after, finalBalance, end } = await endedFailedRun(t)
      const isOrdinary = async () =>
        (await taskAfterOrdinaryRun(t).catch(() => undefined))?.status === end.status
      if (creditsSpentBetween(before, Math.min(after, finalBalance)) === 1 && (await isOrdinary())) {
        throw new ProviderStateError(
          `with "next_run_fails" the run ended as "${String(end.status)}", like other runs, unless somebody else's run came first`,
          true,
        )
      }
      await expectRefunded(t, Math.min(after, finalBalance), 'least')
    }),

  must('CREDITS-REFUND-ONCE', '§3.2', 'runTask', failing)
    .tests('run-with-credit', 'run-refund')
    .explainsBalances('CREDITS-REFUND-AGAIN', 'CREDITS-REFUND-EACH', 'CREDITS-REFUND-OTHER', 'BUSY-REFUND')
    .states('A failed run refunds its credit exactly once.')
    .experiment('balance', async (t) => {
      const { before, finalBalance } = await endedFailedRun(t)
      await expectRefunded(t, finalBalance, 'most')
      // A service that refunds nothing refunds nothing twice, and would be waited for in vain.
      if (finalBalance < before || !t.run.wants('CREDITS-REFUND-EACH')) return
      // A second refund of a run that waited, or ran again, is a finding of BUSY-REFUND or CREDITS-REFUND-AGAIN.
      const second = await secondFailedRun(t).catch(rethrowUnlessNotExercised)
      if (second && second.after > second.before) return
      // A second refund that comes at times only shows among several runs.
      const more = await furtherFailedRuns(t).catch(rethrowUnlessNotExercised)
      if (!more || creditsSpentBetween(more.before, more.after) >= 0) return
      await expectSpent(t, 0, more, `by ${more.answers.length} more failed runs`, ...more.answers)
    }),

  must('CREDITS-FAILED-FINISHED', '§3.1', 'getTask', { ...failing, sharesOnce: 1 })
    .tests('poll-until-finished')
    .states('A task whose run failed becomes finished.')
    .experiment('waiting', async (t) => {
      const { end, answer, id } = await failedRunEvidence(t)
      if (end) return
      assumePresent(await taskAfterOrdinaryRun(t), 'the end of an ordinary run')
      await assumeNoLateRunEnd(t)
      throw new Violation(
        'finished: true within --run-timeout',
        'finished: false',
        answer,
        await t.call('getTask', { id }),
      )
    }),

  must('CREDITS-REFUSED-RUN', '§8.2', 'runTask', { ...retried, writes: true })
    .tests('run-already-active', 'prices')
    .explainsBalances('LEFTOVER-create*', 'FREE-*', 'ISOLATION-RUN-TASK', 'AUTH-REFUSED-RUN')
    .states('A run rejected because the task does not exist costs nothing.')
    .experiment('balance', async (t) => {
      await assumeOneCredit(t)
      const foreign = t.run.exclusive && (await foreignTaskId(t).catch(rethrowUnlessNotExercised))
      const ids = [unknownIdLike((await sharedTask(t)).id), ...(foreign ? [foreign] : [])]
      const { made: answers, ...balance } = await withBalancesAround(t, async () => {
        const made: Exchange[] = []
        for (const id of ids) made.push(await t.call('runTask', { id }))
        await waitAfterRefusals(t, ...made)
        return made
      })
      const other = answers.find(({ status }) => status !== 404)
      if (other) throw new NotExercised(`the run was not refused (${briefAnswer(other)})`, undefined, other)
      await expectSpent(t, 0, balance, `by ${answers.length} refused run(s)`, ...answers)
    }),

  must('CREDITS-NEVER-NEGATIVE', '§3.2', null)
    .tests('org-credits', 'run-reserves')
    .states('No response reports a negative balance.')
    .seen('balance'),
]

/**
 * The id of a task of the other organization; undefined if there is none, or if this one has a task of that id as well.
 */
async function foreignTaskId(t: TestContext): Promise<string | undefined> {
  if (!t.settings.otherApiKey) return undefined
  const { id } = await createTask(t, t.name('Task'), t.other)
  return hasSuccessStatus(await t.call('getTask', { id })) ? undefined : id
}

async function endedFailedRun(t: TestContext) {
  const run = await failedRunEvidence(t)
  return { ...run, end: assumePresent(run.end, 'the end of the failed run') }
}

/** Requires the balance after a failed run to be at least, or at most, what it was before. */
async function expectRefunded(t: TestContext, after: number, bound: 'least' | 'most'): Promise<void> {
  const { before, answer, end } = await endedFailedRun(t)
  const spent = creditsSpentBetween(before, after)
  if (bound === 'least' ? spent <= 0 : spent >= 0) return
  await assumeBalanceUndisturbed(t, 'whoami', 'getTask')
  const expected = `${bound === 'most' ? 'at most ' : ''}${before} credits, as before`
  throw wrongBalanceError(t, expected, { before, after }, answer, end.exchange)
}
