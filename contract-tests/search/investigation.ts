/** What is done about a violation: it is looked at again, tried in a fresh context, and made smaller. */
import { routeOf } from '#contract/operation.ts'
import type { ModelViolation } from '../model/index.ts'
import type { Findings } from './findings.ts'
import type { Log } from './log.ts'
import type { Play } from './play.ts'
import { Shrinker } from './shrink.ts'
import type { Stage } from './stage.ts'
import { type CallStep, callsOf } from './step.ts'
import type { World } from './world.ts'

/** What an investigation needs of the search. */
export interface Search {
  readonly stage: Stage
  readonly play: Play
  readonly log: Log
  readonly world: World
  readonly found: Findings
  /** The number of the next step. */
  next(): number
  newTag(): string
}

/** Investigates a violation and adds what comes of it to the findings. */
export async function investigate(search: Search, violation: ModelViolation): Promise<void> {
  const { stage, play, log, found, next, newTag } = search
  const attempt = found.attempt(violation.requirement)
  const stepOf = (event: number) => play.stepOf(event)
  const origin = { log, stepOf, violation, next, gaps: stage.gaps }
  const first = await lookAgain(search, violation)
  await calm(search)
  const shrinker = new Shrinker(stage, play.state.endings, newTag, origin)
  let shrunk = await shrinker.tryFew()
  const second = first && shrunk.times < 2 ? await lookAgain(search, violation) : undefined
  if (!second && shrunk.times < 2) shrunk = await shrinker.tryMany(attempt)
  play.violations.splice(0)
  const { steps, times, requests, shown } = shrunk
  if (times < 2 && first && second) {
    const cited = [violation, first, second].flatMap(({ because }) => because)
    const evidence = [...new Set(cited)].toSorted((a, b) => a - b)
    return found.add(second, { how: 'read again', steps, requests: requests + 2 }, evidence, shown)
  }
  const evidence =
    shown && times >= 2 ? shown.play.eventsUntil(shown.violation.because.at(-1) ?? 0) : undefined
  const how = evidence ? 'replayed' : 'once'
  const counted = requests + (first ? 1 : 0)
  found.add(
    shown?.violation ?? violation,
    { how, steps, requests: counted },
    evidence ?? violation.because,
    shown,
  )
}

/** Reads the same once more, if nobody else can have caused what it showed. Returns the same violation, seen again. */
async function lookAgain(
  { stage, play, log, next }: Search,
  { because, rule, others }: ModelViolation,
): Promise<ModelViolation | undefined> {
  const at = play.stepOf(because.at(-1) ?? 0)
  const step = at === undefined ? undefined : log.entries[log.placeOf(at) ?? -1]?.step
  const call = step && callsOf(step).find((one) => one.at === at)
  if (others || !call || routeOf(call.operation).method !== 'GET') return undefined
  const { target, settings } = stage.t
  await target.sleep(settings.consistency)
  const again: CallStep = { ...call, at: next() }
  play.violations.splice(0)
  await play.perform(again)
  return play.violations.splice(0).find((one) => one.rule === rule)
}

/** Waits until nothing is going on, so that a replay begins in peace. */
async function calm({ play, world, next }: Search): Promise<void> {
  await play.tearDown()
  for (const { made, tenant, id } of world.things)
    if (id !== undefined && play.isGoing(tenant, id))
      await play.finish({ kind: 'end', at: next(), tenant, of: { made } })
}
