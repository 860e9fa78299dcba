/** §3, §3.2, §3.3: what becomes of the credit of a run that is asked for twice, fails again, or waits and fails. */

import { brief, field, idOf } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../client/finding.ts'
import { expectSpent, needCredits, readCredits, restingCredits, settledCredits } from '../evidence/credits.ts'
import { newTask } from '../evidence/resources.ts'
import {
  failedRun,
  isBusy,
  isTaken,
  type Look,
  ordinaryRun,
  requestRun,
  rest,
  waitForEnd,
} from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import { expectThat, need, needAccepted, needItems, needRefused, refusals } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'

const paid = { writes: true, alone: true, quiet: true, cost: 2 } as const

const crowded = { ...paid, cost: 3 }

/** Two tasks that run one right after the other, the first of them asked for twice. */
const crowd = (t: TestContext) =>
  t.evidence('crowd', async () => {
    await rest(t)
    t.budget.allow(3)
    await needCredits(t, 3)
    const ids = [(await newTask(t)).id, (await newTask(t)).id] as const
    const before = await readCredits(t)
    const first = await requestRun(t, ids[0])
    const again = await requestRun(t, ids[0])
    const answers = [first, await requestRun(t, ids[1])]
    for (const answer of answers)
      if (!isTaken(answer)) throw new NotExercised(`a run was not accepted (${brief(answer)})`)
    const ends = [await waitForEnd(t, ids[0]), await waitForEnd(t, ids[1])]
    return { again, answers, before, ends, after: await restingCredits(t) }
  })

/** A new task, run while the next run is made to fail; what has to be arranged with it is done by `arrange`. */
async function askToFail(t: TestContext, arrange?: () => Promise<unknown>) {
  await rest(t)
  t.budget.allow(1)
  await needCredits(t, 1)
  const { id } = await newTask(t)
  const before = await readCredits(t)
  return t.during('next_run_fails', {}, async () => {
    await arrange?.()
    const answer = await requestRun(t, id)
    return { before, answer, end: isTaken(answer) ? await waitForEnd(t, id) : undefined }
  })
}

/** Judges that a run which ended as one that failed before has cost nothing in the end. */
async function expectRefund(
  t: TestContext,
  { before, answer, end }: Awaited<ReturnType<typeof askToFail>>,
  failed: Look,
  by: string,
): Promise<void> {
  if (need(end, 'the end of the run').status !== failed.status)
    throw new NotExercised('the run did not end as the one that failed before')
  const after = await settledCredits(t, before)
  await expectSpent(t, 0, { before, after }, by, answer)
}

export const runCosts: Requirement[] = [
  probe(
    'RUN-LISTED',
    'SHOULD',
    '§4',
    'listTasks',
    'A task that has run is still listed.',
    async (t) => {
      const { id, end, list } = await ordinaryRun(t)
      need(end, 'the end of the run')
      const listed = needItems(needAccepted(list))
      expectThat(
        listed.some((item) => idOf(field(item, 'id')) === id),
        `the task ${id} in items`,
        `${listed.length} other items`,
        list,
      )
    },
    paid,
  ),

  probe(
    'RUN-TWICE',
    'MUST',
    '§3.2, §7',
    'runTask',
    'A run that is refused, since its task runs already, costs nothing.',
    async (t) => {
      const { again, answers, before, after, ends } = await crowd(t)
      if (isTaken(again)) throw new NotApplicable('the task was run again, which it may be')
      needRefused(again, refusals.badInput)
      need(ends.every((end) => end) || undefined, 'the end of a run')
      await expectSpent(
        t,
        { least: 0, most: answers.filter(isTaken).length },
        { before, after },
        'by all',
        again,
      )
    },
    crowded,
  ),

  probe(
    'RUN-BESIDE',
    'MUST',
    '§3.1, §3.3',
    'runTask',
    'A run goes on to its end when others are asked for meanwhile.',
    async (t) => {
      const { answers, ends } = await crowd(t)
      const stuck = answers.find((answer, i) => isTaken(answer) && !ends[i])
      if (!stuck) return
      need((await ordinaryRun(t)).end, 'the end of a run that nothing was asked for beside')
      throw new Violation('finished: true within --run-timeout', 'it never ended', stuck)
    },
    crowded,
  ),

  probe(
    'CREDITS-REFUND-AGAIN',
    'MUST',
    '§3.2',
    'runTask',
    'Another run that fails gives its credit back, too.',
    async (t) => {
      const first = await failedRun(t)
      if (!first.end || first.after !== first.before)
        throw new NotExercised('the first run that failed did not give its credit back')
      await expectRefund(t, await askToFail(t), first.end, 'by a run that failed')
    },
    { ...paid, needs: ['state:next_run_fails'] },
  ),

  probe(
    'BUSY-REFUND',
    'MUST',
    '§3.2, §3.3',
    'runTask',
    'A run that had to wait and then fails gives its credit back.',
    async (t) => {
      const failed = await failedRun(t)
      if (!failed.end || failed.after !== failed.before)
        throw new NotExercised('a run that failed at once did not give its credit back')
      const told = await askToFail(t, async () =>
        t.states.setup('agent_busy', { org_id: await t.orgId(), duration_ms: 400 }),
      )
      if (!isBusy(told.answer)) throw new NotApplicable('the run did not have to wait')
      await expectRefund(t, told, failed.end, 'by a run that waited and failed')
    },
    { ...paid, needs: ['state:next_run_fails', 'state:agent_busy'] },
  ),
]
