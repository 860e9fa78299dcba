/** From a contradiction to the steps that may suffice for it, fewest first. The model alone decides; nothing is sent. */
import { routeOf } from '#contract/operation.ts'
import type { ModelViolation } from '../model/index.ts'
import type { Log } from './log.ts'
import { type CallStep, callsOf, refersTo, type Step } from './step.ts'

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

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

/** The thing that a request is about. */
const thingOf = ({ of }: CallStep) => (typeof of === 'object' && 'made' in of ? [of.made] : [])

/** The requests of a burst that are needed, one after the other. */
function alone(step: Step, needed: ReadonlySet<number>): Step[] {
  return step.kind === 'burst' ? step.calls.filter(({ at }) => needed.has(at)) : [step]
}

function tenantsOf(step: Step): string[] {
  if (step.kind === 'end' || step.kind === 'state') return [step.tenant]
  return callsOf(step).map(({ tenant }) => tenant)
}

const isChange = ({ operation }: CallStep) => routeOf(operation).method !== 'GET'
export const changes = (step: Step) =>
  step.kind === 'state' || step.kind === 'end' || callsOf(step).some(isChange)
const isPaid = (step: Step) => callsOf(step).some(({ operation }) => routeOf(operation).cost > 0)

/** The places of steps with those of everything that they refer to or depend on. */
function closed(log: Log, places: Set<number>): Set<number> {
  for (const place of places) {
    const step = log.entries[place]?.step
    if (!step) continue
    for (const at of refersTo(step)) add(places, log.placeOf(at))
    if (isPaid(step)) for (const state of statesBefore(log, place)) places.add(state)
    if (step.kind === 'end') add(places, runBefore(log, place, step))
  }
  add(places, waitBefore(log, Math.max(...places)))
  return places
}

/** The wait before the last step, with nothing but readings between. */
function waitBefore(log: Log, last: number): number | undefined {
  for (let at = last - 1; at >= 0; at--) {
    const step = log.entries[at]?.step as Step
    if (step.kind === 'wait') return at
    if (changes(step)) return undefined
  }
  return undefined
}

function add(places: Set<number>, place: number | undefined): void {
  if (place !== undefined) places.add(place)
}

/** The states that were set up for a paid step: since the paid step before, and the last balance. */
function statesBefore(log: Log, place: number): number[] {
  const [tenant] = tenantsOf(log.entries[place]?.step as Step)
  const found: number[] = []
  let sawPaid = false
  for (let at = place - 1; at >= 0; at--) {
    const step = log.entries[at]?.step
    if (!step || !tenantsOf(step).includes(tenant ?? '')) continue
    if (isPaid(step)) sawPaid = true
    if (step.kind !== 'state' || step.state === 'unread_notification') continue
    if (step.state === 'credits') return [...found, at]
    if (!sawPaid) found.push(at)
  }
  return found
}

/** The request for the run whose end a step awaits. */
function runBefore(log: Log, place: number, end: Step): number | undefined {
  const [thing] = refersTo(end)
  return range(0, place - 1).findLast((at) =>
    callsOf(log.entries[at]?.step as Step).some(
      ({ operation, of }) =>
        operation === 'runTask' && typeof of === 'object' && 'made' in of && of.made === thing,
    ),
  )
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

/** Of bursts that are not cited, only the requests that other steps refer to, one after the other. */
function asNeeded(steps: readonly Step[], log: Log, isCited: (place: number) => boolean): Step[] {
  const wanted = new Set(steps.flatMap(refersTo))
  return steps.flatMap((step): Step[] => {
    const place = log.placeOf(step.at)
    if (step.kind !== 'burst' || place === undefined || isCited(place)) return [step]
    const needed = step.calls.filter(({ at }) => wanted.has(at))
    return needed.length > 0 ? needed : [step]
  })
}

/** Without the waits for ends of runs that are not among the steps. */
function withoutIdleEnds(steps: readonly Step[]): Step[] {
  const going = new Set<number | undefined>()
  return steps.filter((step) => {
    for (const { operation, of } of callsOf(step))
      if (operation === 'runTask' && typeof of === 'object' && 'made' in of) going.add(of.made)
    return step.kind !== 'end' || going.delete(refersTo(step)[0])
  })
}

/** The same steps, all with the key of the operator in place of created ones. */
export function mergedClients(steps: readonly Step[]): Step[] {
  const merged = (call: CallStep): CallStep => (typeof call.as === 'object' ? { ...call, as: 'key' } : call)
  return steps
    .filter((step) => !(step.kind === 'call' && step.operation === 'createKey'))
    .map((step) =>
      step.kind === 'burst'
        ? { ...step, calls: step.calls.map(merged) }
        : step.kind === 'call'
          ? merged(step)
          : step,
    )
}

/** Credits to begin with, where the steps spend some and arrange none before. */
function withCredits(steps: Step[], next: () => number): Step[] {
  const paid = steps.filter(isPaid)
  const tenants = [...new Set(paid.flatMap(tenantsOf))] as ('main' | 'other')[]
  const missing = tenants.filter((tenant) => {
    const spends = steps.findIndex((step) => isPaid(step) && tenantsOf(step).includes(tenant))
    const arranges = steps.findIndex(
      (step) => step.kind === 'state' && step.state === 'credits' && step.tenant === tenant,
    )
    return arranges < 0 || arranges > spends
  })
  const credits = 2 * paid.flatMap(callsOf).length + 3
  return [
    ...missing.map(
      (tenant): Step => ({ kind: 'state', at: next(), tenant, state: 'credits', params: { credits } }),
    ),
    ...steps,
  ]
}
