/** From a contradiction to the steps that may suffice for it, fewest first. The model alone decides; nothing is sent. */
import type { ModelViolation } from '../model/index.ts'
import { changes, closed, isPaid, range, tenantsOf } from './closure.ts'
import type { Log } from './log.ts'
import { type CallStep, callsOf, refersTo, type Step } from './step.ts'
import { asNeeded, withCredits, withoutIdleEnds } from './trim.ts'

/** The steps of a contradiction: the log, the steps of its events, and the numbers of new steps. */
export interface Origin {
  readonly log: Log
  readonly stepOf: (event: number) => number | undefined
  readonly violation: ModelViolation
  readonly next: () => number
  /** Pauses between steps that are kept, ms: shorter ones are not, longer ones are cut. */
  readonly gaps: Gaps
}

export interface Gaps {
  readonly shortest: number
  readonly longest: number
}

/** How many steps before another are just before it. */
const nearby = 2

/** Lists of steps that may suffice, from the fewest to the whole case. */
export interface Slices {
  /** What the model cites, and what that depends on; of a burst only what is cited. */
  readonly alone: Step[]
  /** The same with whole bursts. */
  readonly cited: Step[]
  /** The first and the last of it, and one run between with all that was done to its task: one list for each. */
  readonly single: readonly Step[][]
  /** And all that was done to the same things. */
  readonly things: Step[]
  /** And the steps just before each. */
  readonly near: Step[]
  /** And all that was changed in the same organizations since the case began. */
  readonly changes: Step[]
  /** And the whole case. */
  readonly whole: Step[]
}

/** The lists for a contradiction; undefined: its steps are not known. */
export function slicesOf(origin: Origin): Slices | undefined {
  const { log, violation, stepOf } = origin
  const places = violation.because.flatMap((event) => log.placeOf(stepOf(event) ?? -1) ?? [])
  const last = Math.max(...places)
  if (!Number.isFinite(last)) return undefined
  const needed = new Set(violation.because.flatMap((event) => stepOf(event) ?? []))
  const core = closed(log, new Set(places))
  const things = new Set([...core].flatMap((place) => refersTo(log.entries[place]?.step as Step)))
  const tenants = new Set([...core].flatMap((place) => tenantsOf(log.entries[place]?.step as Step)))
  const start = startOfCase(log, last)
  const and = (from: number, fits: (step: Step, place: number) => boolean) => {
    const chosen = range(from, last).filter((at) => fits(log.entries[at]?.step as Step, at))
    return closed(log, new Set([...core, ...chosen]))
  }
  const isNear = (place: number) => places.some((at) => at - place > 0 && at - place <= nearby)
  const isAside = (place: number) => log.entries[place]?.aside === true
  const isOnThings = (step: Step) => changes(step) && refersTo(step).some((at) => things.has(at))
  const isOfTenants = (step: Step) => changes(step) && tenantsOf(step).some((one) => tenants.has(one))
  const isCited = (place: number) => places.includes(place)
  const steps = (chosen: ReadonlySet<number>) => {
    const paused = stepsOf(
      origin,
      [...chosen].sort((a, b) => a - b),
      Math.min(...places),
    )
    return withCredits(withoutIdleEnds(asNeeded(paused, log, isCited)), origin.next)
  }
  const cited = steps(core)
  const paid = places.filter((place) => isPaid(log.entries[place]?.step as Step))
  const singles = paid.toReversed().map((place) => {
    const own = new Set(callsOf(log.entries[place]?.step as Step).flatMap(thingOf))
    const isOnTask = (at: number) => {
      const step = log.entries[at]?.step as Step
      return at >= start && at < last && changes(step) && refersTo(step).some((thing) => own.has(thing))
    }
    return steps(
      closed(log, new Set([Math.min(...places), place, last, ...range(start, last).filter(isOnTask)])),
    )
  })
  return {
    alone: cited.flatMap((step) => alone(step, needed)),
    cited,
    single: singles,
    things: steps(and(0, isOnThings)),
    near: steps(and(0, (_, place) => isNear(place))),
    changes: steps(and(start, (step, place) => isOfTenants(step) && !isAside(place))),
    whole: steps(and(start, (_, place) => !isAside(place))),
  }
}

/** The thing that a request is about. */
const thingOf = ({ of }: CallStep) => (typeof of === 'object' && 'made' in of ? [of.made] : [])

/** The requests of a burst that are needed, one after the other. */
function alone(step: Step, needed: ReadonlySet<number>): Step[] {
  return step.kind === 'burst' ? step.calls.filter(({ at }) => needed.has(at)) : [step]
}

function startOfCase(log: Log, place: number): number {
  const { case: number } = log.entries[place] as { case: number }
  return log.entries.findIndex((one) => one.case === number)
}

/** The steps at places, with the pauses between them from the first that is cited. */
function stepsOf({ log, next, gaps }: Origin, places: readonly number[], first: number): Step[] {
  return places.flatMap((place, i): Step[] => {
    const entry = log.entries[place]
    const before = log.entries[places[i - 1] ?? -1]
    if (!entry) return []
    const gap = before ? Math.min(entry.ms - before.ms, gaps.longest) : 0
    const waits = before?.step.kind === 'wait' || entry.step.kind === 'wait' || entry.step.kind === 'end'
    return place > first && gap >= gaps.shortest && !waits
      ? [{ kind: 'wait', at: next(), ms: Math.ceil(gap) }, entry.step]
      : [entry.step]
  })
}
