/** What is done about a violation: it is looked at again, tried in a fresh context, and made smaller. */
import { routeOf } from '#contract/operation.ts'
import { field } from '#traffic/exchange.ts'
import type { ModelViolation } from '../model/index.ts'
import type { AssumedLateness } from './assumed-lateness.ts'
import { deleteKeys } from './clean-up.ts'
import type { Findings } from './findings.ts'
import { most } from './limits.ts'
import type { Log } from './log.ts'
import type { Play } from './play.ts'
import { Shrinker } from './shrink.ts'
import { margin, type Stage } from './stage.ts'
import { type CallStep, callsOf } from './step.ts'
import type { World } from './world.ts'

/** What an investigation needs of the search. */
export interface Search {
  readonly stage: Stage
  readonly play: Play
  readonly log: Log
  readonly world: World
  readonly found: Findings
  readonly lateness: AssumedLateness
  /** The number of the next step. */
  next(): number
  newTag(): string
}

/** Investigates a violation, or a suspicion of one, and adds what comes of it to the findings. */
export async function investigate(
  search: Search,
  given: ModelViolation,
  isSuspicion: boolean,
): Promise<void> {
  try {
    await lookInto(search, given, isSuspicion)
  } catch (error) {
    if (!isSuspicion) search.found.add(given, { how: 'once', steps: [], requests: 0 }, given.because)
    throw error
  }
}

async function lookInto(search: Search, given: ModelViolation, isSuspicion: boolean): Promise<void> {
  const { stage, play, log, found, lateness, next, newTag } = search
  const waited = isSuspicion ? await wait(search, given) : undefined
  const violation = waited?.violation ?? given
  const attempt = found.attempt(violation.requirement)
  const stepOf = (event: number) => play.stepOf(event)
  const creditsIn = (event: number) => numberIn(field(stage.wire.exchanges.get(event)?.json, 'credits'))
  const origin = { log, stepOf, creditsIn, violation, next, gaps: stage.gaps }
  const first = await lookAgain(search, violation)
  // Before the replays, which may change what is read.
  const second = first && (await lookAgain(search, violation))
  await calm(search)
  // How many keys there are may matter.
  if (violation.requirement.startsWith('KEY-')) await deleteAll(search)
  const shrinker = new Shrinker(stage, play.state.endings, newTag, origin, lateness)
  let shrunk = await shrinker.tryFew(second ? most.readable : undefined)
  const { isOver } = waited ?? {}
  if (!second && shrunk.times < 2 && !isOver && !shrinker.isLate) shrunk = await shrinker.tryMany(attempt)
  play.violations.splice(0)
  play.suspicions.splice(0)
  if (isSuspicion) lateness.note(shrunk.times >= 2, { isOver, isLate: shrinker.isLate })
  if (isSuspicion && violation === given && shrunk.times < 2) return
  const { steps, times, requests, shown } = shrunk
  if (times < 2 && first && second) {
    const cited = [violation, first, second].flatMap(({ because }) => because)
    const evidence = [...new Set(cited)].toSorted((a, b) => a - b)
    return found.add(second, { how: 'read again', steps, requests: requests + 2 }, evidence, shown, stepOf)
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
    stepOf,
  )
}

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined)

/**
 * Reads the same once more when the service may not be late any more. `violation`: what it is then; `isOver`: the
 * service shows something else now.
 */
async function wait(search: Search, suspicion: ModelViolation) {
  const { stage, play } = search
  const call = lastCallOf(search, suspicion)
  if (!call) return undefined
  const { target, settings } = stage.t
  await target.sleep(settings.consistency + margin)
  await again(search, call)
  const [violation, changed] = [play.violations, play.suspicions].map((all) =>
    all.splice(0).find(({ rule }) => suspicion.rule === rule || suspicion.rule === `${rule}-promptly`),
  )
  return { violation, isOver: !violation && changed !== undefined }
}

/** Reads the same once more, if nobody else can have caused what it showed. Returns the same violation, seen again. */
async function lookAgain(search: Search, violation: ModelViolation): Promise<ModelViolation | undefined> {
  const { stage, play } = search
  const call = lastCallOf(search, violation)
  if (violation.others || !call) return undefined
  const { target, settings } = stage.t
  await target.sleep(settings.consistency)
  await again(search, call)
  return play.violations.splice(0).find(({ rule }) => rule === violation.rule)
}

/** The last request of a contradiction, if it only reads. */
function lastCallOf({ play, log }: Search, { because }: ModelViolation): CallStep | undefined {
  const at = play.stepOf(because.at(-1) ?? 0)
  const step = at === undefined ? undefined : log.entries[log.placeOf(at) ?? -1]?.step
  const call = step && callsOf(step).find((one) => one.at === at)
  return call && routeOf(call.operation).method === 'GET' ? call : undefined
}

async function again({ stage, play, log, next }: Search, call: CallStep): Promise<void> {
  const step = { ...call, at: next() }
  log.add({ step, ms: stage.t.target.now(), case: log.entries.at(-1)?.case ?? 0 })
  play.violations.splice(0)
  play.suspicions.splice(0)
  await play.perform(step)
}

/** Deletes all keys that exist: first those that the model knows, then those of replays. */
async function deleteAll({ stage, play, world, next }: Search): Promise<void> {
  for (const tenant of ['main', 'other'] as const)
    for (const { made } of world.keys(tenant)) {
      const deletion = { kind: 'call', tenant, as: 'session', operation: 'deleteKey' } as const
      await play.perform({ ...deletion, at: next(), of: { made } })
    }
  await deleteKeys(stage, [])
}

/** Waits until nothing is going on, so that a replay begins in peace. */
async function calm({ play }: Search): Promise<void> {
  await play.tearDown()
  await play.calm()
}
