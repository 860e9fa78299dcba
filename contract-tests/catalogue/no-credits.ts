/** §3, §7.1, §8.2: what an organization without credits is answered; its requests are made once and shared. */

import { briefAnswer, type Exchange, hasSuccessStatus, isRunAccepted } from '#traffic/exchange.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import {
  DisturbedByOthers,
  NotExercised,
  rethrowUnlessNotExercised,
  returnNotExercised,
  Violation,
} from '../client/check-errors.ts'
import { assumeNoLateRunEnd, readTask, waitForIdleAgent, waitForRunEnd } from '../fixtures/awaited-runs.ts'
import {
  creditsInResponse,
  creditsSpentBetween,
  readCredits,
  setCreditsUntilSuiteEnd,
} from '../fixtures/credits.ts'
import { runCostBounds } from '../fixtures/failed-runs.ts'
import { requestFirstGeneration, requestGeneration } from '../fixtures/generations.ts'
import { deleteKey, requestKeyCreation } from '../fixtures/keys.ts'
import { concurrentRunsWithOneCredit, waitingRunsWithOneCredit } from '../fixtures/one-credit.ts'
import { hasSeenOtherClients } from '../fixtures/other-clients.ts'
import { waitAfterRefusals } from '../fixtures/refusals.ts'
import { expectTaskStatusKept, lastFinishedTaskId } from '../fixtures/refused-runs.ts'
import { createTask } from '../fixtures/resources.ts'
import { ordinaryRun, requestRefusedRun, requestRun, taskAfterOrdinaryRun } from '../fixtures/runs.ts'
import {
  assumeBalanceUnchangedByReading,
  restoreBalance,
  setCreditsAndCheck,
  withCreditsSet,
} from '../fixtures/set-credits.ts'
import { assumeBalanceUndisturbed, expectSpent } from '../fixtures/spending.ts'
import { assumePositiveControl, prepareRequest } from '../fixtures/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumePresent,
  documentedRefusals,
  expectAccepted,
  expectRefused,
  expectSame,
  expectThat,
  findItem,
} from '../harness/expect.ts'
import {
  cookieAuthorizedOperations,
  type FreeOperation,
  freeKeyAuthorizedOperations,
} from '../harness/operations.ts'
import { must, type Requirement } from '../harness/requirement.ts'

/** Every request that is made at zero balance, and the responses. */
const requestsAtZeroBalance = (t: TestContext) =>
  t.evidence('no credits', async () => {
    await waitForIdleAgent(t)
    const { id } = await createTask(t)
    const before = await readTask(t, id)
    const sends = await prepareFreeRequests(t)
    const balance = await readCredits(t)
    // A fraction of a credit pays for nothing either.
    const whoami = await removeCredits(t, creditsSpentBetween(balance, Math.floor(balance)))
    try {
      const first = await requestRefusedRun(t, { id })
      const credits = await readCredits(t).catch(rethrowUnlessNotExercised)
      const again: Exchange[] = []
      // A task that has run is refused for that, or as any other.
      const runAgain = async (task: string) => again.push(await requestRefusedRun(t, { id: task }))
      if (!isRunAccepted(first)) {
        await runAgain(id)
        await whileBusy(t, () => runAgain(lastFinishedTaskId(t) ?? id))
      }
      for (const exchange of [first, ...again]) if (isRunAccepted(exchange)) t.budget.spend(1)
      const after = await readTask(t, id).catch(rethrowUnlessNotExercised)
      const creative = await requestRefusedGeneration(t).catch(returnNotExercised)
      const free = [whoami, ...(await Promise.all(sends.map((send) => send()))).flat()]
      return { id, before, first, again, after, creative, free, credits, balance }
    } finally {
      await restoreBalance(t, Math.max(balance, 2))
    }
  })

/** Requests a generation: once more after an outage that passes (§7.3). */
async function requestRefusedGeneration(t: TestContext): Promise<Exchange> {
  const answer = await requestGeneration(t)
  return answer.status === 503 ? requestGeneration(t) : answer
}

/** Runs an action while a provider state keeps the agent busy, if one can. */
const whileBusy = <T>(t: TestContext, action: () => Promise<T>): Promise<T> =>
  t.states.mayOffer('agent_busy')
    ? t
        .during('agent_busy', { duration_ms: 1_000 }, action)
        .catch((error) => rethrowUnlessNotExercised(error) ?? action())
    : action()

/** Sets the balance to less than a credit; returns the response of whoami, which may wrongly require a credit. */
async function removeCredits(t: TestContext, rest: number): Promise<Exchange> {
  await setCreditsUntilSuiteEnd(t, rest)
  const exchange = await t.call('whoami')
  if (hasSuccessStatus(exchange) && creditsInResponse(exchange) !== rest) await setCreditsAndCheck(t, rest)
  else if (hasSuccessStatus(exchange)) await assumeBalanceUnchangedByReading(t, rest)
  return exchange
}

/** Prepares a valid request for each free route that accepts one; other requirements test the acceptance. */
async function prepareFreeRequests(t: TestContext): Promise<(() => Promise<Exchange | Exchange[]>)[]> {
  const sessionToo = t.settings.sessionCookie ? cookieAuthorizedOperations : []
  const isMeant = async (operation: FreeOperation) =>
    operation !== 'whoami' &&
    (await assumePositiveControl(t, operation).catch(rethrowUnlessNotExercised)) !== undefined
  const prepare = async (operation: FreeOperation) => {
    if (!(await isMeant(operation))) return undefined
    if (operation === 'deleteKey' && (await isMeant('createKey'))) return undefined
    if (operation === 'createKey' && (await isMeant('deleteKey'))) return () => createAndDelete(t)
    return prepareRequest(t, operation).catch(rethrowUnlessNotExercised)
  }
  const sends = await Promise.all([...freeKeyAuthorizedOperations, ...sessionToo].map(prepare))
  return sends.filter((send) => send !== undefined)
}

/** The creation of a key and its immediate deletion. */
async function createAndDelete(t: TestContext): Promise<Exchange[]> {
  const made = await requestKeyCreation(t)
  const key = t.keys.find(({ shownBy }) => shownBy === made.number)
  return key?.id === undefined ? [made] : [made, await deleteKey(t, key)]
}

/** Requires at most as many of the waiting runs to take place as there are credits, unless some may have failed. */
async function expectOneOfWaiting(t: TestContext): Promise<void> {
  if (t.settings.shared || !t.states.mayOffer('agent_busy')) return
  const waiting = await waitingRunsWithOneCredit(t).catch(rethrowUnlessNotExercised)
  if (!waiting || waiting.ran.length < 2) return
  const { answers, ran } = waiting
  const { least } = await runCostBounds(t, ran)
  if (waiting.refunded || least < 2) throw new NotExercised('runs that waited may have failed')
  await assumeBalanceUndisturbed(t)
  throw new Violation(
    'at most 1 run with 1 credit, of runs that wait',
    `${least} of ${answers.length} tasks ran`,
    ...answers,
    ...ran.map(({ exchange }) => exchange),
  )
}

/** The refused task before and after credits were added. */
const toppedUp = (t: TestContext) =>
  t.evidence('topped up', async () => {
    const requests = await requestsAtZeroBalance(t)
    const { id, after } = requests
    assumeNeverTaken(requests)
    await waitAfterRefusals(t)
    return { id, refused: assumePresent(after, 'the refused task'), afterTopUp: await readTask(t, id) }
  })

/** Throws a violation for a run that never ended, if an ordinary run ends and other clients are no explanation. */
async function expectEnd(t: TestContext, answer: Exchange): Promise<void> {
  const never = new Violation('a run that ends within --run-timeout', 'it never ended', answer)
  if (hasSeenOtherClients(t)) throw new DisturbedByOthers('somebody else may keep the agent busy', never)
  assumePresent(await taskAfterOrdinaryRun(t), 'the end of another run')
  await assumeNoLateRunEnd(t)
  // A single run may take longer than this waits.
  throw never.asTentative()
}

const zeroBalance = { writes: true, retryOnViolation: true, needs: ['state:credits'] } as const

/** The requests at zero balance. Continues only if the run was refused with 402. */
async function assumeNoCredits(t: TestContext) {
  const requests = await requestsAtZeroBalance(t)
  if (requests.first.status === 402) return requests
  throw new NotExercised(
    `the run was not refused with 402 (${briefAnswer(requests.first)})`,
    undefined,
    requests.first,
  )
}

/** Continues only if no run of the task was accepted. */
function assumeNeverTaken({
  first,
  again,
}: {
  readonly first: Exchange
  readonly again: readonly Exchange[]
}): void {
  const taken = [first, ...again].find(isRunAccepted)
  if (taken)
    throw new NotExercised(`a run was accepted without a credit (${briefAnswer(taken)})`, undefined, taken)
}

/** True if an answer is a 404 to marking a notification that the service no longer keeps. */
async function isOfGone(t: TestContext, { operation, status, url }: Exchange): Promise<boolean> {
  if (operation !== 'readNotification' || status !== 404) return false
  const list = assumeAccepted(await t.call('listNotifications'))
  return findItem(list, decodedPathId({ operation, url }) ?? '') === undefined
}

/** Requirements on the answers to an organization that has no credits. */
export const noCreditRequirements: Requirement[] = [
  must('NO-CREDITS-REFUSED', '§3, §7', 'runTask', { ...zeroBalance, sharedCredits: 1 })
    .tests('billing-unavoidable', 'run-without-credit', 'run-task', 'error-no-credits')
    .states('A run at zero balance returns 402 no_credits.')
    .experiment('condition', async (t) => {
      const { first } = await requestsAtZeroBalance(t)
      if (isRunAccepted(first)) await assumeBalanceUndisturbed(t)
      else if (first.status !== 402) await ordinaryRun(t)
      expectRefused(first, documentedRefusals.noCredits)
    }),

  must('NO-CREDITS-PERSISTS', '§7.1', 'runTask', zeroBalance)
    .tests('after-402')
    .states('A run at zero balance keeps returning 402 no_credits until credits are added.')
    .experiment('condition', async (t) => {
      const { id, again } = await assumeNoCredits(t)
      if (again.some(isRunAccepted)) await assumeBalanceUndisturbed(t)
      for (const exchange of again)
        if (decodedPathId(exchange) === id || isRunAccepted(exchange))
          expectRefused(exchange, documentedRefusals.noCredits)
    }),

  must('NO-CREDITS-UNCHANGED', '§3', 'runTask', zeroBalance)
    .tests('run-without-credit')
    .states('A run rejected with 402 leaves its task unchanged.')
    .experiment('absence', async (t) => {
      const requests = await assumeNoCredits(t)
      const { first, before, after } = requests
      assumeNeverTaken(requests)
      const task = assumePresent(after, 'the refused task')
      await expectTaskStatusKept(t, before, task, first)
      expectSame(task.finished, before.finished, 'finished', first, task.exchange)
    }),

  must('NO-CREDITS-FREE-ROUTES', '§8.2', null, zeroBalance)
    .tests('cost-none', 'prices')
    .states('Free routes work at zero balance.')
    .experiment('condition', async (t) => {
      for (const exchange of (await requestsAtZeroBalance(t)).free)
        if (!(await isOfGone(t, exchange))) expectAccepted(exchange)
    }),

  must('NO-CREDITS-BALANCE', '§3', 'runTask', zeroBalance)
    .tests('run-without-credit')
    .states('A run rejected with 402 leaves the balance at zero.')
    .experiment('balance', async (t) => {
      const { first, credits } = await assumeNoCredits(t)
      const after = assumePresent(credits, 'the balance')
      await expectSpent(t, 0, { before: 0, after }, 'by the refused run', first)
    }),

  must('NO-CREDITS-NOT-QUEUED', '§3', 'runTask', zeroBalance)
    .tests('run-without-credit')
    .states('A run rejected with 402 does not start when credits are added.')
    .experiment('absence', async (t) => {
      const { refused, afterTopUp } = await toppedUp(t)
      await expectTaskStatusKept(t, refused, afterTopUp, refused.exchange)
    }),

  must('NO-CREDITS-RECOVERS', '§7.1', 'runTask', { ...zeroBalance, cost: 1, sharedCredits: 1 })
    .tests('run-with-credit', 'error-no-credits', 'after-402')
    .states('A run is accepted again after one credit was added.')
    .experiment('condition', async (t) => {
      const { id, refused, afterTopUp } = await toppedUp(t)
      if (afterTopUp.status !== refused.status) throw new NotExercised('the run started by itself')
      const { answers, ended, ran } = await concurrentRunsWithOneCredit(t, { id, task: afterTopUp })
      const [answer] = answers
      if (answer && isRunAccepted(answer)) {
        if (ran.length === 0 && !ended) await expectEnd(t, answer)
        return void assumePresent(ended, 'the end of the run')
      }
      const exchange = await withCreditsSet(t, 1, async () => {
        const answer = await requestRun(t, id)
        if (isRunAccepted(answer)) assumePresent(await waitForRunEnd(t, id), 'the end of the run')
        return answer
      })
      if (isRunAccepted(exchange)) return undefined
      await assumeBalanceUndisturbed(t)
      await ordinaryRun(t)
      throw new Violation('a success, or 409 busy', briefAnswer(exchange), exchange)
    }),

  must('NO-CREDITS-CREATIVE', '§4, §7', 'generateCreative', { ...zeroBalance, sharedCredits: 1 })
    .tests('billing-unavoidable', 'generate-creative', 'error-no-credits')
    .states('A generation at zero balance returns 402 no_credits.')
    .experiment('condition', async (t) => {
      const { creative } = await requestsAtZeroBalance(t)
      if (creative instanceof Error) throw creative
      if (hasSuccessStatus(creative)) await assumeBalanceUndisturbed(t)
      else if (creative.status !== 402) assumeAccepted((await requestFirstGeneration(t)).exchange)
      expectRefused(creative, documentedRefusals.noCredits)
    }),

  must('CREDITS-ATOMIC', '§3', 'runTask', { ...zeroBalance, cost: 1, isRace: true })
    .tests('billing-unavoidable', 'run-with-credit', 'run-without-credit')
    .states('Of several simultaneous runs, no more succeed than there are credits.')
    .experiment('moment', async (t) => {
      const { answers: runs, beside, ran, refunded } = await concurrentRunsWithOneCredit(t)
      const answers = beside ? [...runs, beside] : runs
      if (refunded)
        throw new NotExercised(
          'the credit was refunded: runs may have failed, and others may have used it again',
        )
      const started = answers.filter(hasSuccessStatus)
      if (started.length > 1 || ran.length > 1) await assumeBalanceUndisturbed(t)
      expectThat(
        started.length <= 1,
        'at most 1 success with 1 credit',
        `${started.length} of ${answers.length} succeeded`,
        ...answers,
      )
      const ends = ran.map(({ exchange }) => exchange)
      const actual = `${ran.length} of ${answers.length} tasks ran`
      expectThat(ran.length <= 1, 'at most 1 run with 1 credit', actual, ...answers, ...ends)
      await expectOneOfWaiting(t)
    }),
]
