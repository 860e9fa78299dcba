/** §5.3, §7, §8.1: a request refused with 401, 429 or 503 has no effect, so that a client may repeat it. */

import { brief, type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import { assumeCreditsOfFree, betweenReadings } from '../evidence/credits.ts'
import { oneLimit } from '../evidence/one-limit.ts'
import { outage, outageFault, runDuringOutage } from '../evidence/outage.ts'
import { expectSpent } from '../evidence/quiet-balance.ts'
import { assumeLimited, duringLimit, exceedNew } from '../evidence/rate-limit.ts'
import { outwaitRefusals } from '../evidence/refusals.ts'
import { concludeRun, endIfTaken, expectNothingRan, prepareRun, readyRun } from '../evidence/refused-runs.ts'
import { isTaken, ordinaryRun, readTask } from '../evidence/runs.ts'
import { unknownKey } from '../evidence/unauthorized.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumeItems,
  assumePresent,
  assumeRefused,
  expectRefused,
  expectSame,
  expectThat,
  refusals,
} from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'

const paid = { writes: true, alone: true, quiet: true, cost: 1 } as const

/** Requires the list not to contain the task of a refused request, also a moment later. */
async function expectNoTask(t: TestContext, exchange: Exchange): Promise<void> {
  const { text } = JSON.parse(exchange.requestBody ?? '{}') as { text?: string }
  await outwaitRefusals(t, exchange)
  const list = assumeAccepted(await t.call('listTasks'))
  const left = assumeItems(list).some((item) => field(item, 'text') === text)
  expectThat(!left, `no task "${text}"`, 'the list contains it', exchange, list)
}

/** A response beyond a limit of one, to a request of its own. */
const beyondOwnLimit = (t: TestContext, request: () => Promise<Exchange>) =>
  duringLimit(t, 1, async () => {
    assumeLimited(await exceedNew(t.main))
    return request()
  })

const limitedRun = (t: TestContext) =>
  t.evidence('limited run', async () => {
    const shared = t.run.overlapped ? (await oneLimit(t)).run : undefined
    if (shared?.answer.status === 429) return concludeRun(t, shared.ready, shared.answer)
    const ready = await readyRun(t)
    const request = () => t.call('runTask', { id: ready.id, takes: [429] })
    const answer = await beyondOwnLimit(t, request)
    await endIfTaken(t, ready.id, answer)
    return concludeRun(t, ready, answer)
  })

const limitedTask = async (t: TestContext) => {
  const shared = t.run.overlapped ? (await oneLimit(t)).answers.get('createTask') : undefined
  const isSame = (one: Exchange) =>
    one.operation === 'createTask' && one.requestBody === shared?.requestBody && isAccepted(one)
  // Routes may be counted each for itself: then it was accepted before.
  if (shared && !t.recorder.exchanges.some(isSame)) return shared
  const body = { text: t.name('Task') }
  return beyondOwnLimit(t, () => t.call('createTask', { body, takes: [429] }))
}

const unavailableRun = (t: TestContext) =>
  t.evidence('unavailable run', async () => {
    // One check after the other, much would be paid between the outage and its conclusion.
    const run = t.run.overlapped ? await runDuringOutage(t) : undefined
    if (run) return run
    const ready = await readyRun(t)
    const request = () => t.call('runTask', { id: ready.id, takes: [503] })
    const answer = await t.during('unavailable', {}, request)
    await endIfTaken(t, ready.id, answer)
    return concludeRun(t, ready, answer)
  })

export const refusedRuns: Requirement[] = [
  must('LIMIT-REFUSED-RUN', '§7, §8.1', 'runTask', { ...paid, needs: ['state:rate_limit'] })
    .states('A run rejected with 429 does not start and costs nothing.')
    .check(async (t) => {
      const run = await limitedRun(t)
      if (run.exchange.status !== 429)
        throw new NotExercised(`the run was not refused with 429 (${brief(run.exchange)})`)
      await expectNothingRan(t, run)
    }),

  must('AUTH-REFUSED-RUN', '§5.3', 'runTask', paid)
    .states('A run rejected with 401 does not start and costs nothing.')
    .check(async (t) => {
      const stranger = t.as('stranger', bearer(unknownKey(t.settings.apiKey)))
      const { id, task: before } = await prepareRun(t, () => assumeCreditsOfFree(t))
      const { made: answers, ...balance } = await betweenReadings(t, async () => {
        const made = await Promise.all([t.nobody, stranger].map((client) => client.call('runTask', { id })))
        for (const exchange of made) await endIfTaken(t, id, exchange)
        await outwaitRefusals(t, ...made)
        return made
      })
      const refused = answers.filter(({ status }) => status === 401)
      // One may be refused because of the run that the other one has started.
      const isJudged = refused.length > 0 && !answers.some(isTaken)
      for (const exchange of isJudged ? refused : answers) assumeRefused(exchange, refusals.unauthorized)
      const after = await readTask(t, id)
      expectSame(after.status, before.status, 'task.status', ...answers, after.exchange)
      await expectSpent(t, 0, balance, 'by the refused runs', ...answers)
    }),

  must('LIMIT-REFUSED-TASK', '§7, §8.1', 'createTask', {
    writes: true,
    alone: true,
    needs: ['state:rate_limit'],
  })
    .states('A task rejected with 429 is not created.')
    .check(async (t) => {
      const exchange = await limitedTask(t)
      if (exchange.status !== 429)
        throw new NotExercised(`the task was not refused with 429 (${brief(exchange)})`)
      await expectNoTask(t, exchange)
    }),

  must('UNAVAILABLE-TASK', '§7', 'createTask', {
    writes: true,
    alone: true,
    needs: ['state:unavailable'],
  })
    .states('A task rejected with 503 is not created.')
    .check(async (t) => {
      const shared = (await outage(t)).answers.find(({ operation }) => operation === 'createTask')
      const exchange = assumePresent(shared, 'a task that is created otherwise')
      if (exchange.status !== 503)
        throw new NotExercised(`the task was not refused with 503 (${brief(exchange)})`)
      await expectNoTask(t, exchange)
    }),

  must('UNAVAILABLE-RUN', '§7', 'runTask', { ...paid, needs: ['state:unavailable'] })
    .states(
      'While the service is unavailable, a run returns 503 unavailable, does not start and costs nothing.',
    )
    .check(async (t) => {
      const run = await unavailableRun(t)
      if (isTaken(run.exchange)) {
        const whoami = await t.during('unavailable', {}, () => t.call('whoami', { takes: [503] }))
        if (whoami.status !== 503) throw outageFault()
        throw new Violation('503 unavailable', brief(run.exchange), run.exchange)
      }
      if (run.exchange.status !== 503) await ordinaryRun(t)
      expectRefused(run.exchange, refusals.unavailable)
      await expectNothingRan(t, run)
    }),
]
