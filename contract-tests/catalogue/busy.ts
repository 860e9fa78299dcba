/** §3.3: while the agent is busy a run is answered 409 busy, is accepted all the same, and starts by itself. */
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
import { brief, type Exchange, isAccepted } from '../exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectThat, need } from '../words.ts'

const paid = { writes: true, alone: true, quiet: true, cost: 2 } as const

/** How long the agent is made to work on something else, ms. */
const otherWork = 400

/** Runs that meet a busy agent: arranged by a state where it is offered, else two runs at once. */
const waitingRun = (kit: Kit) =>
  kit.evidence('busy', async () => {
    kit.budget.allow(2)
    await rest(kit)
    await needCredits(kit, 2)
    return (kit.states.mayOffer('agent_busy') && (await arranged(kit))) || induced(kit)
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

async function follow(kit: Kit, before: number, ids: string[], answers: Exchange[]): Promise<Waiting> {
  const ends: (Look | undefined)[] = []
  for (const [i, id] of ids.entries())
    ends.push(isTaken(answers[i] as Exchange) ? await waitForEnd(kit, id) : undefined)
  const after = await restingCredits(kit)
  const later: Look[] = []
  for (let waited = 0; waited < 2 * otherWork; waited += 100) {
    for (const [i, id] of ids.entries()) if (ends[i]) later.push(await look(kit, id))
    await kit.target.sleep(100)
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
async function arranged(kit: Kit): Promise<Waiting | undefined> {
  try {
    const [{ id }, { id: second }] = [await newTask(kit), await newTask(kit)]
    const before = await readCredits(kit)
    await kit.states.setup('agent_busy', { org_id: await kit.orgId(), duration_ms: otherWork })
    const answer = await requestRun(kit, id)
    if (isAccepted(answer)) await waitForEnd(kit, id)
    if (!isBusy(answer)) return isAccepted(answer) ? undefined : await follow(kit, before, [id], [answer])
    return await follow(kit, before, [id, second], [answer, await requestRun(kit, second)])
  } catch (error) {
    if (error instanceof NotExercised) return undefined
    throw error
  }
}

async function induced(kit: Kit): Promise<Waiting> {
  kit.budget.allow(2)
  const ids = [(await newTask(kit)).id, (await newTask(kit)).id]
  const before = await readCredits(kit)
  const answers = await Promise.all(ids.map((id) => requestRun(kit, id)))
  return follow(kit, before, ids, answers)
}

/** The story, where some run was answered busy. */
async function busyStory(kit: Kit): Promise<Waiting> {
  const story = await waitingRun(kit)
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
    async (kit) => {
      const { answers } = await waitingRun(kit)
      for (const answer of answers) {
        if (isTaken(answer)) continue
        await ordinaryRun(kit)
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
    async (kit) => {
      const { answers, ends } = await busyStory(kit)
      const never = answers.find((answer, i) => isBusy(answer) && !ends[i])
      if (!never) return
      need((await ordinaryRun(kit)).end, 'the end of a run that did not wait')
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
    async (kit) => {
      const { later } = await busyStory(kit)
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
    async (kit) => {
      const { before, after, ends, answers } = await busyStory(kit)
      if (ends.some((end, i) => !end && isTaken(answers[i] as Exchange)))
        throw new NotExercised('not every run has ended')
      const ended = ends.filter((end) => end !== undefined)
      const wanted = await possibleCosts(kit, ended)
      await expectSpent(kit, wanted, { before, after }, `by ${ended.length} run(s)`, ...answers)
    },
    paid,
  ),
]
