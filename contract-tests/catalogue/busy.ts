/** §3.3: while the agent is busy a run is answered 409 busy, is accepted all the same, and starts by itself. */

import { brief, type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../client/finding.ts'
import { expectSpent, needCredits, readCredits, restingCredits } from '../evidence/credits.ts'
import { newTask } from '../evidence/resources.ts'
import {
  isBusy,
  isTaken,
  type Look,
  look,
  ordinaryRun,
  possibleCosts,
  requestRun,
  rest,
  waitForEnd,
} from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import { expectThat, need } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'

const paid = { writes: true, alone: true, quiet: true, cost: 2 } as const

/** How long the agent is made to work on something else, ms. */
const otherWork = 400

/** Runs that meet a busy agent: arranged by a state where it is offered, else two runs at once. */
const waitingRun = (t: TestContext) =>
  t.evidence('busy', async () => {
    t.budget.allow(2)
    await rest(t)
    await needCredits(t, 2)
    return (t.states.mayOffer('agent_busy') && (await arranged(t))) || induced(t)
  })

interface Waiting {
  readonly before: number
  readonly answers: readonly Exchange[]
  readonly ids: readonly string[]
  readonly ends: readonly (Look | undefined)[]
  /** Looks at the tasks that had ended, for longer than the other work took. */
  readonly later: readonly Look[]
  readonly after: number
}

async function follow(t: TestContext, before: number, ids: string[], answers: Exchange[]): Promise<Waiting> {
  const ends: (Look | undefined)[] = []
  for (const [i, id] of ids.entries())
    ends.push(isTaken(answers[i] as Exchange) ? await waitForEnd(t, id) : undefined)
  const after = await restingCredits(t)
  const later: Look[] = []
  for (let waited = 0; waited < 2 * otherWork; waited += 100) {
    for (const [i, id] of ids.entries()) if (ends[i]) later.push(await look(t, id))
    await t.target.sleep(100)
  }
  return {
    later,
    before,
    ids,
    answers,
    ends,
    after,
  }
}

/** Undefined where the state is not offered, or the run did not wait. */
async function arranged(t: TestContext): Promise<Waiting | undefined> {
  try {
    const [{ id }, { id: second }] = [await newTask(t), await newTask(t)]
    const before = await readCredits(t)
    await t.states.setup('agent_busy', { org_id: await t.orgId(), duration_ms: otherWork })
    const answer = await requestRun(t, id)
    if (isAccepted(answer)) await waitForEnd(t, id)
    if (!isBusy(answer)) return isAccepted(answer) ? undefined : await follow(t, before, [id], [answer])
    return await follow(t, before, [id, second], [answer, await requestRun(t, second)])
  } catch (error) {
    if (error instanceof NotExercised) return undefined
    throw error
  }
}

async function induced(t: TestContext): Promise<Waiting> {
  t.budget.allow(2)
  const ids = [(await newTask(t)).id, (await newTask(t)).id]
  const before = await readCredits(t)
  const answers = await Promise.all(ids.map((id) => requestRun(t, id)))
  return follow(t, before, ids, answers)
}

/** The story, where some run was answered busy. */
async function busyStory(t: TestContext): Promise<Waiting> {
  const story = await waitingRun(t)
  if (!story.answers.some(isBusy)) throw new NotApplicable('the service was never busy, and need not be')
  return story
}

export const busy: Requirement[] = [
  probe(
    'BUSY-ANSWER',
    'MUST',
    '§3.3, §7',
    'runTask',
    'A run that meets a busy agent is a success or 409 busy, nothing else.',
    async (t) => {
      const { answers } = await waitingRun(t)
      for (const answer of answers) {
        if (isTaken(answer)) continue
        await ordinaryRun(t)
        throw new Violation('a success, or 409 busy', brief(answer), answer)
      }
    },
    paid,
  ),

  probe(
    'BUSY-STARTS',
    'MUST',
    '§3.3',
    'runTask',
    'A run that was answered busy starts by itself and ends, without another request.',
    async (t) => {
      const { answers, ends } = await busyStory(t)
      const never = answers.find((answer, i) => isBusy(answer) && !ends[i])
      if (!never) return
      need((await ordinaryRun(t)).end, 'the end of a run that did not wait')
      throw new Violation('finished: true within --run-timeout, by itself', 'it never ran', never)
    },
    paid,
  ),

  probe(
    'BUSY-FINISHED-STAYS',
    'MUST',
    '§3.1, §3.3',
    'getTask',
    'A task whose run has to wait is not finished before it has run: once finished it stays so.',
    async (t) => {
      const { later } = await busyStory(t)
      const back = later.find(({ finished }) => !finished)
      expectThat(!back, 'finished: true, as before', 'finished: false', back?.exchange)
    },
    paid,
  ),

  probe(
    'BUSY-COSTS',
    'MUST',
    '§3.2, §8.2',
    'runTask',
    'When all have ended, each run has cost one credit, also one that was answered busy.',
    async (t) => {
      const { before, after, ends, answers } = await busyStory(t)
      if (ends.some((end, i) => !end && isTaken(answers[i] as Exchange)))
        throw new NotExercised('not every run has ended')
      const ended = ends.filter((end) => end !== undefined)
      const wanted = await possibleCosts(t, ended)
      await expectSpent(t, wanted, { before, after }, `by ${ended.length} run(s)`, ...answers)
    },
    paid,
  ),
]
