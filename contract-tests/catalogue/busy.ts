/** §3.3: while the agent is busy a run is answered 409 busy, is accepted all the same, and starts by itself. */
import { ensureCredits, readCredits, restingCredits } from '../evidence/credits.ts'
import { newTask } from '../evidence/resources.ts'
import { failedRun, isBusy, isTaken, type Look, requestRun, rest, waitForEnd } from '../evidence/runs.ts'
import { brief, type Exchange, isAccepted } from '../exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectThat } from '../words.ts'

const paid = { writes: true, alone: true, cost: 2 } as const

/** How long the agent is made to work on something else, ms. */
const otherWork = 400

/** Runs that meet a busy agent: arranged by a state where it is offered, else two runs at once. */
const waitingRun = (kit: Kit) =>
  kit.evidence('busy', async () => {
    kit.budget.allow(2)
    await rest(kit)
    if ((await ensureCredits(kit, 3)) < 2)
      throw new NotExercised('the organization has not two Work Credits', 'credits, or the state "credits"')
    return (kit.states.mayOffer('agent_busy') && (await arranged(kit))) || induced(kit)
  })

interface Waiting {
  readonly before: number
  readonly cost: number
  readonly answers: readonly Exchange[]
  readonly ids: readonly string[]
  readonly ends: readonly (Look | undefined)[]
  readonly after: number
}

async function follow(kit: Kit, before: number, ids: string[], answers: Exchange[]): Promise<Waiting> {
  const ends: (Look | undefined)[] = []
  for (const [i, id] of ids.entries())
    ends.push(isTaken(answers[i] as Exchange) ? await waitForEnd(kit, id) : undefined)
  return {
    before,
    ids,
    answers,
    ends,
    cost: answers.filter(isTaken).length,
    after: await restingCredits(kit),
  }
}

/** Undefined where the state is not offered, or the run did not wait. */
async function arranged(kit: Kit): Promise<Waiting | undefined> {
  try {
    const { id } = await newTask(kit)
    const before = await readCredits(kit)
    await kit.states.setup('agent_busy', { org_id: await kit.orgId(), duration_ms: otherWork })
    const answer = await requestRun(kit, id)
    if (isAccepted(answer)) await waitForEnd(kit, id)
    return isAccepted(answer) ? undefined : await follow(kit, before, [id], [answer])
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
        if (!isTaken(answer)) throw new Violation('a success, or 409 busy', brief(answer), answer)
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
      answers.forEach((answer, i) => {
        if (isBusy(answer) && !ends[i])
          throw new Violation('finished: true within --run-timeout, by itself', 'it never ran', answer)
      })
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
      const { before, after, cost, ends, answers } = await busyStory(kit)
      if (ends.some((end, i) => !end && isTaken(answers[i] as Exchange)))
        throw new NotExercised('not every run has ended')
      const failed = kit.states.mayOffer('next_run_fails')
        ? (await failedRun(kit).catch(() => undefined))?.end?.status
        : undefined
      const kept = ends.filter((end) => end && (failed === undefined || end.status !== failed)).length
      const spent = before - after
      const fits = failed === undefined ? spent >= 0 && spent <= cost && spent > 0 : spent === kept
      expectThat(fits, `${kept} credits spent by ${cost} runs`, `${spent}`, ...answers)
    },
    { ...paid, quiet: true },
  ),
]
