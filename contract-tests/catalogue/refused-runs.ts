/** §7, §8.1: what is refused with 429 or 503 has not happened, so that a client may ask for it again. */
import { expectSpent, needCredits, readCredits } from '../evidence/credits.ts'
import { newTask } from '../evidence/resources.ts'
import { isTaken, look, ordinaryRun, rest, waitForEnd } from '../evidence/runs.ts'
import { brief, type Exchange, field } from '../exchange.ts'
import { NotExercised, Violation } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectRefused, expectSame, expectThat, needAccepted, needItems, refusals } from '../words.ts'
import { exceed, longWindow, needLimited } from './limits.ts'

const paid = { writes: true, alone: true, quiet: true, cost: 1 } as const

/** Time in which a run that was started after all would end or show, ms. */
const soon = 250

/** A run that is asked for in a state in which it is refused, and what became of its task and of the balance. */
async function refusedRun(kit: Kit, during: (ask: () => Promise<Exchange>) => Promise<Exchange>) {
  await rest(kit)
  kit.budget.allow(1)
  await needCredits(kit, 1)
  const { id } = await newTask(kit)
  const [before, balance] = [await look(kit, id), await readCredits(kit)]
  const exchange = await during(() => kit.call('runTask', { id, takes: [429, 503] }))
  if (isTaken(exchange)) {
    kit.budget.spend(1)
    await waitForEnd(kit, id)
  }
  await kit.target.sleep(soon)
  return {
    exchange,
    before,
    after: await look(kit, id),
    balance: { before: balance, after: await readCredits(kit) },
  }
}

/** Judges that nothing came of it. */
async function expectNothingRan(kit: Kit, told: Awaited<ReturnType<typeof refusedRun>>): Promise<void> {
  const { exchange, before, after, balance } = told
  expectSame(after.status, before.status, 'task.status', exchange, after.exchange)
  await expectSpent(kit, 0, balance, 'by a run that was refused', exchange)
}

const limitedRun = (kit: Kit) =>
  kit.evidence('limited run', () =>
    refusedRun(kit, (ask) =>
      kit.during('rate_limit', { limit: 1, window_s: longWindow }, async () => {
        needLimited(await exceed(kit.main, 'whoami', {}))
        return ask()
      }),
    ),
  )

const unavailableRun = (kit: Kit) =>
  kit.evidence('unavailable run', () => refusedRun(kit, (ask) => kit.during('unavailable', {}, ask)))

export const refusedRuns: Requirement[] = [
  probe(
    'LIMIT-REFUSED-RUN',
    'MUST',
    '§7, §8.1',
    'runTask',
    'A run that is refused with 429 does not start, and costs nothing.',
    async (kit) => {
      const told = await limitedRun(kit)
      if (told.exchange.status !== 429)
        throw new NotExercised(`the run was not refused with 429 (${brief(told.exchange)})`)
      await expectNothingRan(kit, told)
    },
    { ...paid, needs: ['state:rate_limit'] },
  ),

  probe(
    'LIMIT-REFUSED-TASK',
    'MUST',
    '§7, §8.1',
    'createTask',
    'A task that is refused with 429 is not created.',
    async (kit) => {
      const text = kit.name('Task')
      const exchange = await kit.during('rate_limit', { limit: 1, window_s: longWindow }, () =>
        exceed(kit.main, 'whoami', {})
          .then(needLimited)
          .then(() => kit.call('createTask', { body: { text }, takes: [429] })),
      )
      if (exchange.status !== 429)
        throw new NotExercised(`the task was not refused with 429 (${brief(exchange)})`)
      const list = needAccepted(await kit.call('listTasks'))
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
    async (kit) => {
      const told = await unavailableRun(kit)
      if (isTaken(told.exchange)) {
        const whoami = await kit.during('unavailable', {}, () => kit.call('whoami', { takes: [503] }))
        if (whoami.status !== 503)
          throw new NotExercised(
            `the provider's set-up is at fault: with the state "unavailable" all is answered`,
          )
        throw new Violation('503 unavailable', brief(told.exchange), told.exchange)
      }
      if (told.exchange.status !== 503) await ordinaryRun(kit)
      expectRefused(told.exchange, refusals.unavailable)
      await expectNothingRan(kit, told)
    },
    { ...paid, needs: ['state:unavailable'] },
  ),
]
