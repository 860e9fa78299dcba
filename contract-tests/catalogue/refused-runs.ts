/** §5.3, §7, §8.1: a request refused with 401, 429 or 503 has no effect, so that a client may repeat it. */

import { brief, type Exchange, field } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import { assumeCredits, expectSpent, readCredits } from '../evidence/credits.ts'
import { outageFault } from '../evidence/outage.ts'
import { assumeLimited, duringLimit, exceedNew } from '../evidence/rate-limit.ts'
import { newTask } from '../evidence/resources.ts'
import { isTaken, ordinaryRun, readTask, soon, waitForEnd, waitForIdleAgent } from '../evidence/runs.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumeItems,
  assumeRefused,
  expectRefused,
  expectSame,
  expectThat,
  refusals,
} from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import { unknownKey } from './authentication.ts'

const paid = { writes: true, alone: true, quiet: true, cost: 1 } as const

/** A run requested while it should be refused, with its task and the balance before and after. */
async function refusedRun(
  t: TestContext,
  during: (request: () => Promise<Exchange>) => Promise<Exchange>,
  client: Client = t.main,
) {
  await waitForIdleAgent(t)
  t.budget.allow(1)
  await assumeCredits(t, 1)
  const { id } = await newTask(t)
  const [before, balance] = await Promise.all([readTask(t, id), readCredits(t)])
  const exchange = await during(() => client.call('runTask', { id, takes: [429, 503] }))
  if (isTaken(exchange)) {
    t.budget.spend(1)
    await waitForEnd(t, id)
  }
  await t.target.sleep(soon)
  const [after, left] = await Promise.all([readTask(t, id), readCredits(t)])
  return { exchange, before, after, balance: { before: balance, after: left } }
}

/** Requires the task and the balance to be unchanged. */
async function expectNothingRan(t: TestContext, run: Awaited<ReturnType<typeof refusedRun>>): Promise<void> {
  const { exchange, before, after, balance } = run
  expectSame(after.status, before.status, 'task.status', exchange, after.exchange)
  await expectSpent(t, 0, balance, 'by the refused run', exchange)
}

/** Requires the list not to contain the task of a refused request, also a moment later. */
async function expectNoTask(t: TestContext, text: string, exchange: Exchange): Promise<void> {
  await t.target.sleep(soon)
  const list = assumeAccepted(await t.call('listTasks'))
  const left = assumeItems(list).some((item) => field(item, 'text') === text)
  expectThat(!left, `no task "${text}"`, 'the list contains it', exchange, list)
}

const limitedRun = (t: TestContext) =>
  t.evidence('limited run', () =>
    refusedRun(t, (request) =>
      duringLimit(t, 1, async () => {
        assumeLimited(await exceedNew(t.main))
        return request()
      }),
    ),
  )

const unavailableRun = (t: TestContext) =>
  t.evidence('unavailable run', () => refusedRun(t, (request) => t.during('unavailable', {}, request)))

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
      const runs = [t.nobody, stranger].map((client) => refusedRun(t, (request) => request(), client))
      const made = await Promise.all(runs)
      for (const { exchange } of made) assumeRefused(exchange, refusals.unauthorized)
      for (const run of made) await expectNothingRan(t, run)
    }),

  must('LIMIT-REFUSED-TASK', '§7, §8.1', 'createTask', {
    writes: true,
    alone: true,
    needs: ['state:rate_limit'],
  })
    .states('A task rejected with 429 is not created.')
    .check(async (t) => {
      const text = t.name('Task')
      const exchange = await duringLimit(t, 1, async () => {
        assumeLimited(await exceedNew(t.main))
        return t.call('createTask', { body: { text }, takes: [429] })
      })
      if (exchange.status !== 429)
        throw new NotExercised(`the task was not refused with 429 (${brief(exchange)})`)
      await expectNoTask(t, text, exchange)
    }),

  must('UNAVAILABLE-TASK', '§7', 'createTask', {
    writes: true,
    alone: true,
    needs: ['state:unavailable'],
  })
    .states('A task rejected with 503 is not created.')
    .check(async (t) => {
      const text = t.name('Task')
      const exchange = await t.during('unavailable', {}, () =>
        t.call('createTask', { body: { text }, takes: [503] }),
      )
      if (exchange.status !== 503)
        throw new NotExercised(`the task was not refused with 503 (${brief(exchange)})`)
      await expectNoTask(t, text, exchange)
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
