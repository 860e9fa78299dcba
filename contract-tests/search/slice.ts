/** From a contradiction to the steps that may suffice for it, fewest first. The model alone decides; nothing is sent. */
import type { ModelViolation } from '../model/index.ts'
import { changes, closed, isPaid, range, subjectsOf, tenantsOf } from './closure.ts'
import type { Entry, Log } from './log.ts'
import type { Gaps } from './stage.ts'
import { type CallStep, callsOf, refersTo, type Step } from './step.ts'
import { asNeeded, withoutIdleEnds } from './trim.ts'

/** The steps of a contradiction: the log, the steps of its events, and the numbers of new steps. */
export interface Origin {
  readonly log: Log
  readonly stepOf: (event: number) => number | undefined
  readonly violation: ModelViolation
  readonly next: () => number
  /** Pauses between steps that are kept, ms: shorter ones are not, longer ones are cut. */
  readonly gaps: Gaps
}

/** Lists of steps that may suffice, from the fewest to the most. */
export interface Slices {
  /** It is about keys, so that it matters which key asks. */
  readonly isAboutKeys: boolean
  /** What the model cites, and what that depends on; of a burst only what is cited. */
  readonly alone: Step[]
  /** The same with whole bursts. */
  readonly cited: Step[]
  /** The first and the last of it, and one run between with all that was done to its task: one list for each. */
  readonly single: readonly Step[][]
  /** The last step, and one request of each kind that was paid: one list for each. */
  readonly kinds: readonly Step[][]
  /** What is cited, and all that was changed on the same things. */
  readonly things: Step[]
  /** And all that was asked about them, or with them. */
  readonly touched: Step[]
  /** What is cited, and the steps just before each. */
  readonly near: Step[]
  /** What is cited, and the last changes of the same subjects in the same organizations, with all runs of the same tasks. */
  readonly kindred: Step[]
  /** And all of these since the first that is cited, and some before. */
  readonly akin: Step[]
  /** What is cited, and the last changes since the first of it. */
  readonly between: Step[]
  /** What is cited, and the whole case. */
  readonly whole: Step[]
  /** What is cited, and the last steps of any case. */
  readonly recent: Step[]
  /** The last step, and what it depends on. */
  readonly last: Step[]
}

/** Whether a rule compares balances: by the beginning of its id. */
export const comparesBalances = (rule: string) => /^(credits|refund|affordable|solvent)-/.test(rule)
const readsBalance = (rule: string) => /^(credits|refund)-/.test(rule)

/** How many steps before another are just before it, and how many are recent. */
const before = { near: 2, kindred: 12, akin: 80, between: 50, recent: 60, window: 1_500 } as const

/** The lists for a contradiction, with pauses up to `longest` ms; undefined: its steps are not known. */
export function slicesOf(origin: Origin, longest: number): Slices | undefined {
  const { log, violation, stepOf } = origin
  const places = violation.because.flatMap((event) => log.placeOf(stepOf(event) ?? -1) ?? [])
  const last = Math.max(...places)
  if (!Number.isFinite(last)) return undefined
  const stepAt = (place: number) => log.entries[place]?.step as Step
  const [first, number] = [Math.min(...places), log.entries[last]?.case]
  const needed = new Set(violation.because.flatMap((event) => stepOf(event) ?? []))
  const core = closed(log, new Set(places))
  const isAboutKeys =
    violation.requirement.startsWith('KEY-') ||
    places.some((place) => subjectsOf(stepAt(place)).includes('keys'))
  const about = (step: Step) => (isAboutKeys ? refersTo(step) : namesIn(step))
  const things = new Set([...core].flatMap((place) => about(stepAt(place))))
  const isOfCase = (place: number) => log.entries[place]?.case === number
  const isOnThings = (place: number) => about(stepAt(place)).some((at) => things.has(at))
  const isNear = (place: number) => {
    if (!isOfCase(place)) return false
    return range(place + 1, last)
      .filter(isOfCase)
      .slice(0, before.near)
      .some((at) => places.includes(at))
  }
  const steps = (chosen: ReadonlySet<number>) => {
    const places = [...chosen].sort((a, b) => a - b)
    const paused = stepsOf({ ...origin, gaps: { ...origin.gaps, longest } }, places, first)
    return withoutIdleEnds(asNeeded(paused, log, (place) => places.includes(place)))
  }
  const and = (fits: (place: number) => boolean) =>
    steps(closed(log, new Set([...core, ...range(0, last).filter(fits)])))
  const subjects = new Set([...(isAboutKeys ? core : places)].flatMap((place) => subjectsOf(stepAt(place))))
  const tenants = new Set(places.flatMap((place) => tenantsOf(stepAt(place))))
  const isAkin = (place: number) =>
    subjectsOf(stepAt(place)).some((one) => one !== undefined && subjects.has(one)) &&
    tenantsOf(stepAt(place)).some((one) => tenants.has(one))
  const akin = range(Math.max(0, last - before.window), last).filter(isAkin)
  const lastOf = (many: number) => {
    const chosen = new Set(akin.slice(-many))
    const ran = new Set([...chosen].flatMap((place) => namesIn(stepAt(place))))
    const isEarlierRun = (place: number) =>
      subjectsOf(stepAt(place)).includes('credits') && namesIn(stepAt(place)).some((at) => ran.has(at))
    return and((place) => chosen.has(place) || isEarlierRun(place))
  }
  const since = akin.filter((place) => place >= first).length
  const lastChanges = (from: number) => {
    const chosen = new Set(
      range(from, last)
        .filter((place) => changes(stepAt(place)))
        .slice(-before.between),
    )
    return and((place) => chosen.has(place))
  }
  const cited = steps(core)
  const single = (place: number) => {
    const own = new Set(callsOf(stepAt(place)).flatMap(thingOf))
    const isOnTask = (at: number) => changes(stepAt(at)) && refersTo(stepAt(at)).some((one) => own.has(one))
    return steps(closed(log, new Set([first, place, last, ...range(0, last).filter(isOnTask)])))
  }
  const paid = places.filter((place) => isPaid(stepAt(place))).toReversed()
  return {
    alone: readAlone(
      cited.flatMap((step) => alone(step, new Set([...needed, ...cited.flatMap(refersTo)]))),
      violation,
    ),
    cited,
    isAboutKeys,
    between: lastChanges(first),
    single: paid.map(single),
    kinds: [...new Map(paid.map((place) => [kindOf(log, place), place])).values()].map((place) =>
      steps(closed(log, new Set([place, last]))),
    ),
    things: and((place) => isOnThings(place) && changes(stepAt(place))),
    touched: and(isOnThings),
    near: and(isNear),
    kindred: lastOf(before.kindred),
    akin: lastOf(Math.min(since + before.kindred, before.akin)),
    whole: and(isOfCase),
    recent: and((place) => place > last - before.recent),
    last: steps(closed(log, new Set([last]))),
  }
}

/** What was paid, and whether it was made to fail. */
function kindOf(log: Log, place: number): string {
  const step = log.entries[place]?.step as Step
  const before = [...closed(log, new Set([place]))].map((at) => log.entries[at]?.step)
  const isFailing = before.some((one) => one?.kind === 'state' && one.state.endsWith('_fails'))
  return `${callsOf(step)[0]?.operation} ${isFailing}`
}

/** What a step names, other than the key that it asks with. */
const namesIn = (step: Step) => (step.kind === 'end' ? refersTo(step) : callsOf(step).flatMap(thingOf))

/** The thing that a request is about. */
const thingOf = ({ of }: CallStep) => (typeof of === 'object' && 'made' in of ? [of.made] : [])

/** A balance that an answer to something else showed is read by itself. */
function readAlone(steps: Step[], { rule }: ModelViolation): Step[] {
  const last = steps.at(-1)
  if (!readsBalance(rule) || last?.kind !== 'call') return steps
  const read: CallStep = { kind: 'call', at: last.at, tenant: last.tenant, as: 'key', operation: 'whoami' }
  return [...steps.slice(0, -1), read]
}

/** The requests of a burst that are needed, one after the other. */
function alone(step: Step, needed: ReadonlySet<number>): Step[] {
  return step.kind === 'burst' ? step.calls.filter(({ at }) => needed.has(at)) : [step]
}

/** The steps at places, with the pauses between those from the first that is cited. */
function stepsOf({ log, next, gaps, violation }: Origin, places: readonly number[], first: number): Step[] {
  const awaitsRefunds = readsBalance(violation.rule)
  return places.flatMap((place, i): Step[] => {
    const entry = log.entries[place]
    const before = log.entries[places[i - 1] ?? -1]
    if (!entry) return []
    const isLast = i === places.length - 1
    const ms = isLast ? untilSettled(log, places, awaitsRefunds, gaps) : pauseBetween(before, entry, gaps)
    return place > first && ms > 0
      ? [{ kind: 'wait', at: next(), ms: Math.ceil(ms) }, entry.step]
      : [entry.step]
  })
}

/** The pause before a step, where it is long enough to matter. */
function pauseBetween(before: Entry | undefined, { step, ms }: Entry, { shortest, longest }: Gaps): number {
  const gap = before ? Math.min(ms - before.ms, longest) : 0
  const waits = before?.step.kind === 'wait' || step.kind === 'wait' || step.kind === 'end'
  return gap >= shortest && !waits ? gap : 0
}

/** What is missing, before the last step, of the time that passed since the last change, or that refunds may take. */
function untilSettled(log: Log, places: readonly number[], awaitsRefunds: boolean, gaps: Gaps): number {
  const steps = places.map((place) => log.entries[place] as Entry)
  const fails = steps.some(({ step }) => step.kind === 'state' && step.state.endsWith('_fails'))
  const isCause = awaitsRefunds && fails ? spends : changes
  const cause = steps.findLastIndex(({ step }, i) => i < steps.length - 1 && isCause(step))
  const [from, to] = [steps[cause], steps.at(-1)]
  if (!from || !to) return 0
  const waits = steps.slice(cause).flatMap(({ step }) => (step.kind === 'wait' ? step.ms : []))
  const least = awaitsRefunds ? gaps.short : 0
  const passed = isCause === spends ? gaps.settled : Math.max(least, Math.min(to.ms - from.ms, gaps.longest))
  const missing = passed - waits.reduce((sum, ms) => sum + ms, 0)
  return missing >= gaps.shortest ? missing : 0
}

const spends = (step: Step) => subjectsOf(step).includes('credits')
