/** §3, §7.1: at zero balance a run is refused with 402, changes nothing, and stays refused until credits are added. */
import { brief, type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../client/check-errors.ts'
import { assumeQuietBalance, expectSpent } from '../evidence/credits.ts'
import { generation, isTaken, ordinaryRun, requestRun, waitForEnd } from '../evidence/runs.ts'
import { requestsAtZeroBalance, runsWithOneCredit, toppedUp, withCredits } from '../evidence/zero-balance.ts'
import type { TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumePresent,
  expectAccepted,
  expectRefused,
  expectSame,
  expectThat,
  refusals,
} from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'

const zeroBalance = { writes: true, alone: true, quiet: true, needs: ['state:credits'] } as const

/** Continues only if the run at zero balance was refused with 402. */
async function assumeNoCredits(t: TestContext) {
  const requests = await requestsAtZeroBalance(t)
  if (requests.first.status === 402) return requests
  throw new NotExercised(`the run was not refused with 402 (${brief(requests.first)})`)
}

export const noCredits: Requirement[] = [
  must('NO-CREDITS-REFUSED', '§3, §7', 'runTask', zeroBalance)
    .states('A run at zero balance returns 402 no_credits.')
    .check(async (t) => {
      const { first } = await requestsAtZeroBalance(t)
      if (isTaken(first)) await assumeQuietBalance(t)
      else if (first.status !== 402) await ordinaryRun(t)
      expectRefused(first, refusals.noCredits)
    }),

  must('NO-CREDITS-PERSISTS', '§7.1', 'runTask', zeroBalance)
    .states('A run at zero balance keeps returning 402 no_credits until credits are added.')
    .check(async (t) => {
      const { again } = await assumeNoCredits(t)
      if (again.some(isTaken)) await assumeQuietBalance(t)
      for (const exchange of again) expectRefused(exchange, refusals.noCredits)
    }),

  must('NO-CREDITS-UNCHANGED', '§3', 'runTask', zeroBalance)
    .states('A run rejected with 402 leaves its task unchanged.')
    .check(async (t) => {
      const { first, before, after } = await assumeNoCredits(t)
      const { status, finished, exchange } = assumePresent(after, 'the refused task')
      expectSame(status, before.status, 'task.status', first, exchange)
      expectSame(finished, before.finished, 'finished', first, exchange)
    }),

  must('NO-CREDITS-FREE-ROUTES', '§8.2', null, zeroBalance)
    .states('Free routes work at zero balance.')
    .check(async (t) => {
      for (const exchange of (await requestsAtZeroBalance(t)).free) expectAccepted(exchange)
    }),

  must('NO-CREDITS-BALANCE', '§3', 'runTask', zeroBalance)
    .states('A run rejected with 402 leaves the balance at zero.')
    .check(async (t) => {
      const { first, credits } = await assumeNoCredits(t)
      await expectSpent(
        t,
        0,
        { before: 0, after: assumePresent(credits, 'the balance') },
        'by the refused run',
        first,
      )
    }),

  must('NO-CREDITS-NOT-QUEUED', '§3', 'runTask', zeroBalance)
    .states('A run rejected with 402 does not start when credits are added.')
    .check(async (t) => {
      const { refused, afterTopUp } = await toppedUp(t)
      expectSame(afterTopUp.status, refused.status, 'task.status', refused.exchange, afterTopUp.exchange)
    }),

  must('NO-CREDITS-RECOVERS', '§7.1', 'runTask', { ...zeroBalance, cost: 1 })
    .states('A run is accepted again after one credit was added.')
    .check(async (t) => {
      const { id, refused, afterTopUp } = await toppedUp(t)
      if (afterTopUp.status !== refused.status) throw new NotExercised('the run started by itself')
      const { answers, ended } = await runsWithOneCredit(t, id)
      if (isTaken(answers[0] as Exchange)) return void assumePresent(ended, 'the end of the run')
      const exchange = await withCredits(t, 1, async () => {
        const answer = await requestRun(t, id)
        if (isTaken(answer)) assumePresent(await waitForEnd(t, id), 'the end of the run')
        return answer
      })
      if (isTaken(exchange)) return undefined
      await assumeQuietBalance(t)
      await ordinaryRun(t)
      throw new Violation('a success, or 409 busy', brief(exchange), exchange)
    }),

  must('NO-CREDITS-CREATIVE', '§4, §7', 'generateCreative', zeroBalance)
    .states('A generation at zero balance returns 402 no_credits.')
    .check(async (t) => {
      const { creative } = await requestsAtZeroBalance(t)
      if (!creative) throw new NotApplicable('the extended route generateCreative is not offered (404)')
      if (!isAccepted(creative) && creative.status !== 402) assumeAccepted((await generation(t)).exchange)
      expectRefused(creative, refusals.noCredits)
    }),

  must('CREDITS-ATOMIC', '§3', 'runTask', { ...zeroBalance, cost: 1 })
    .states('Of several simultaneous runs, no more succeed than there are credits.')
    .check(async (t) => {
      const { answers, ran, refunded } = await runsWithOneCredit(t)
      if (refunded)
        throw new NotExercised(
          'the credit was refunded: runs may have failed, and others may have used it again',
        )
      const started = answers.filter(isAccepted)
      if (started.length > 1 || ran.length > 1) await assumeQuietBalance(t)
      expectThat(
        started.length <= 1,
        'at most 1 success with 1 credit',
        `${started.length} of ${answers.length} succeeded`,
        ...answers,
      )
      const ends = ran.map(({ exchange }) => exchange)
      const actual = `${ran.length} of ${answers.length} tasks ran`
      expectThat(ran.length <= 1, 'at most 1 run with 1 credit', actual, ...answers, ...ends)
    }),
]
