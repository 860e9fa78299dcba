/** §7, §8.1: what is refused with 429 or 503 has not happened, so that a client may ask for it again. */

import { brief, type Exchange, field } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/finding.ts'
import { expectSpent, needCredits, readCredits } from '../evidence/credits.ts'
import { newTask } from '../evidence/resources.ts'
import { isTaken, look, ordinaryRun, rest, waitForEnd } from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import {
  expectRefused,
  expectSame,
  expectThat,
  needAccepted,
  needItems,
  refusals,
} from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import { exceed, longWindow, needLimited } from './limits.ts'

const paid = { writes: true, alone: true, quiet: true, cost: 1 } as const

/** Time in which a run that was started after all would end or show, ms. */
const soon = 250

/** A run that is asked for in a state in which it is refused, and what became of its task and of the balance. */
async function refusedRun(t: TestContext, during: (ask: () => Promise<Exchange>) => Promise<Exchange>) {
  await rest(t)
  t.budget.allow(1)
  await needCredits(t, 1)
  const { id } = await newTask(t)
  const [before, balance] = [await look(t, id), await readCredits(t)]
  const exchange = await during(() => t.call('runTask', { id, takes: [429, 503] }))
  if (isTaken(exchange)) {
    t.budget.spend(1)
    await waitForEnd(t, id)
  }
  await t.target.sleep(soon)
  return {
    exchange,
    before,
    after: await look(t, id),
    balance: { before: balance, after: await readCredits(t) },
  }
}

/** Judges that nothing came of it. */
async function expectNothingRan(t: TestContext, told: Awaited<ReturnType<typeof refusedRun>>): Promise<void> {
  const { exchange, before, after, balance } = told
  expectSame(after.status, before.status, 'task.status', exchange, after.exchange)
  await expectSpent(t, 0, balance, 'by a run that was refused', exchange)
}

const limitedRun = (t: TestContext) =>
  t.evidence('limited run', () =>
    refusedRun(t, (ask) =>
      t.during('rate_limit', { limit: 1, window_s: longWindow }, async () => {
        needLimited(await exceed(t.main, 'whoami', {}))
        return ask()
      }),
    ),
  )

const unavailableRun = (t: TestContext) =>
  t.evidence('unavailable run', () => refusedRun(t, (ask) => t.during('unavailable', {}, ask)))

export const refusedRuns: Requirement[] = [
  probe(
    'LIMIT-REFUSED-RUN',
    'MUST',
    '§7, §8.1',
    'runTask',
    'A run that is refused with 429 does not start, and costs nothing.',
    async (t) => {
      const told = await limitedRun(t)
      if (told.exchange.status !== 429)
        throw new NotExercised(`the run was not refused with 429 (${brief(told.exchange)})`)
      await expectNothingRan(t, told)
    },
    { ...paid, needs: ['state:rate_limit'] },
  ),

  probe(
    'LIMIT-REFUSED-TASK',
    'MUST',
    '§7, §8.1',
    'createTask',
    'A task that is refused with 429 is not created.',
    async (t) => {
      const text = t.name('Task')
      const exchange = await t.during('rate_limit', { limit: 1, window_s: longWindow }, () =>
        exceed(t.main, 'whoami', {})
          .then(needLimited)
          .then(() => t.call('createTask', { body: { text }, takes: [429] })),
      )
      if (exchange.status !== 429)
        throw new NotExercised(`the task was not refused with 429 (${brief(exchange)})`)
      const list = needAccepted(await t.call('listTasks'))
      const left = needItems(list).some((item) => field(item, 'text') === text)
      expectThat(!left, `no task "${text}"`, 'it is among the items', exchange, list)
    },
    { writes: true, alone: true, needs: ['state:rate_limit'] },
  ),

  probe(
    'UNAVAILABLE-RUN',
    'MUST',
    '§7',
    'runTask',
    'While the service is unavailable, a run is answered 503 unavailable, does not start, and costs nothing.',
    async (t) => {
      const told = await unavailableRun(t)
      if (isTaken(told.exchange)) {
        const whoami = await t.during('unavailable', {}, () => t.call('whoami', { takes: [503] }))
        if (whoami.status !== 503)
          throw new NotExercised(
            `the provider's set-up is at fault: with the state "unavailable" all is answered`,
          )
        throw new Violation('503 unavailable', brief(told.exchange), told.exchange)
      }
      if (told.exchange.status !== 503) await ordinaryRun(t)
      expectRefused(told.exchange, refusals.unavailable)
      await expectNothingRan(t, told)
    },
    { ...paid, needs: ['state:unavailable'] },
  ),
]
