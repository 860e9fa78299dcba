/** From a contradiction to the steps that may suffice for it, fewest first. The model alone decides; nothing is sent. */
import { field } from '#traffic/exchange.ts'
import { changes, closed, isPaid, makesFail, range, subjectsOf, tenantsOf } from './closure.ts'
import type { Entry, Log } from './log.ts'
import { type Origin, readAlone, stepsOf } from './origin.ts'
import { comparesBalances } from './pauses.ts'
import { type CallStep, callsOf, refersTo, type Step } from './step.ts'
import { withEnds, withoutIdleEnds } from './trim.ts'
import { creations, isCreation } from './world.ts'

/** Lists of steps that may suffice, from the fewest to the most. */
export interface Slices {
  /** It is about keys, so that it matters which key asks. */
  readonly isAboutKeys: boolean
  /** What the model cites, and what that depends on. */
  readonly cited: Step[]
  /** The first and the last of it, and one run between with all that was done to its task: one list for each. */
  readonly single: readonly Step[][]
  /** The last step, and one request of each kind that was paid, with the end of its run: one list for each. */
  readonly kinds: readonly Step[][]
  /** What is cited, and the last requests before it that cost a credit, refused ones too. */
  readonly trail: Step[]
  /** What is cited, and the paid requests of the other organization right before and after what was paid of it. */
  readonly around: Step[]
  /** What is cited, and all that was changed on the same things. */
  readonly things: Step[]
  /** And on things of the same name, of both organizations. */
  readonly namesakes: Step[]
  /** What is cited, and all that was asked about these things, or with them. */
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

/** How many steps before another are just before it, and how many are recent. */
const before = { near: 2, trail: 3, kindred: 12, akin: 80, between: 50, recent: 60, window: 1_500 } as const

/**
 * What becomes of bursts: each request is a step of its own, so that only those are kept that matter; or those stay
 * together that are cited or paid; or whole bursts are kept.
 */
export type Bursts = 'apart' | 'together' | 'whole'

/** The lists for a contradiction; undefined: its steps are not known. */
export function slicesOf(given: Origin, bursts: Bursts = 'whole'): Slices | undefined {
  const cited = new Set(given.violation.because.flatMap((event) => given.stepOf(event) ?? []))
  const isTogether = (call: CallStep) => bursts === 'together' && (cited.has(call.at) || isPaid(call))
  const log = bursts === 'whole' ? given.log : given.log.apart(isTogether)
  const origin = { ...given, log }
  const { violation, stepOf } = origin
  const places = violation.because.flatMap((event) => log.placeOf(stepOf(event) ?? -1) ?? [])
  const last = Math.max(...places)
  if (!Number.isFinite(last)) return undefined
  const stepAt = (place: number) => log.entries[place]?.step as Step
  const [first, number] = [Math.min(...places), log.entries[last]?.case]
  const core = closed(log, new Set(places))
  const isAboutKeys =
    violation.requirement.startsWith('KEY-') ||
    (!comparesBalances(violation.rule) && places.some((place) => subjectsOf(stepAt(place)).includes('keys')))
  const about = (step: Step) => (isAboutKeys ? refersTo(step) : namesIn(step))
  const things = new Set([...core].flatMap((place) => about(stepAt(place))))
  const isOfCase = (place: number) => log.entries[place]?.case === number
  const keys = new Set(places.flatMap((place) => keysOf(stepAt(place))))
  const isOnThings = (place: number) =>
    about(stepAt(place)).some((at) => things.has(at)) || keysOf(stepAt(place)).some((at) => keys.has(at))
  const named = new Set([...core].flatMap((place) => namesAt(log, place).map(({ name }) => name)))
  const alike = range(0, last).flatMap((place) => namesAt(log, place).filter(({ name }) => named.has(name)))
  const namesakes = new Set(alike.map(({ at }) => at))
  const isOnNamesakes = (place: number) =>
    namesIn(stepAt(place)).some((at) => namesakes.has(at)) ||
    callsOf(stepAt(place)).some(({ at }) => namesakes.has(at))
  const isNear = (place: number) => {
    if (!isOfCase(place)) return false
    return range(place + 1, last)
      .filter(isOfCase)
      .slice(0, before.near)
      .some((at) => places.includes(at))
  }
  const steps = (chosen: ReadonlySet<number>) => {
    const places = [...chosen].sort((a, b) => a - b)
    const paused = stepsOf(origin, places, first)
    const needed = withoutIdleEnds(paused)
    return bursts === 'whole' ? needed : readAlone(needed, violation)
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
  const trail = new Set(akin.filter((place) => place < last && isPaid(stepAt(place))).slice(-before.trail))
  const spent = range(Math.max(0, last - before.window), last - 1).filter((place) => isPaid(stepAt(place)))
  /** The paid requests of others right before and right after one. */
  const besides = (place: number) => {
    const own = tenantsOf(stepAt(place))
    const others = spent.filter((at) => tenantsOf(stepAt(at)).some((tenant) => !own.includes(tenant)))
    return [others.findLast((at) => at < place), others.find((at) => at > place)].filter(
      (at) => at !== undefined,
    )
  }
  const around = new Set(places.filter((place) => isPaid(stepAt(place))).flatMap(besides))
  const since = akin.filter((place) => place >= first).length
  const lastChanges = (from: number) => {
    const chosen = new Set(
      range(from, last)
        .filter((place) => changes(stepAt(place)))
        .slice(-before.between),
    )
    return and((place) => chosen.has(place))
  }
  const single = (place: number) => {
    const own = new Set(callsOf(stepAt(place)).flatMap(thingOf))
    const isOnTask = (at: number) => changes(stepAt(at)) && refersTo(stepAt(at)).some((one) => own.has(one))
    return steps(closed(log, new Set([first, place, last, ...range(0, last).filter(isOnTask)])))
  }
  const isAboutRefunds = violation.rule === 'refund-comes'
  const paid = places.filter(
    (place) => isPaid(stepAt(place)) && (!isAboutRefunds || isMadeToFail(log, place)),
  )
  /** The last of what is cited and paid, of each kind. */
  const oneOfEach = (kindAt: (place: number) => string) =>
    [...new Map(paid.map((place) => [kindAt(place), place])).values()].toReversed()
  return {
    cited: steps(core),
    isAboutKeys,
    between: lastChanges(first),
    single: oneOfEach((place) => callsOf(stepAt(place)).flatMap(thingOf).join() || kindOf(log, place)).map(
      single,
    ),
    kinds: oneOfEach((place) => kindOf(log, place)).map((place) =>
      withEnds(steps(closed(log, new Set([place, last]))), origin.next),
    ),
    trail: and((place) => trail.has(place)),
    around: and((place) => around.has(place)),
    things: and((place) => isOnThings(place) && changes(stepAt(place))),
    namesakes: and((place) => (isOnThings(place) || isOnNamesakes(place)) && changes(stepAt(place))),
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
const kindOf = (log: Log, place: number) =>
  `${callsOf(log.entries[place]?.step as Step)[0]?.operation} ${isMadeToFail(log, place)}`

const isMadeToFail = (log: Log, place: number) =>
  [...closed(log, new Set([place]))].some((at) => makesFail(log.entries[at]?.step as Step))

/** What a step creates, with its name, which is the same in one case only. */
function namesAt(log: Log, place: number): { at: number; name: string }[] {
  const { step, case: number } = log.entries[place] as Entry
  return callsOf(step).flatMap(({ at, operation, body }) =>
    isCreation(operation) ? [{ at, name: `${number} ${field(body, creations[operation][1])}` }] : [],
  )
}

/** The created keys that a paid step asks with. */
const keysOf = (step: Step) =>
  isPaid(step) ? callsOf(step).flatMap(({ as }) => (typeof as === 'object' ? [as.made] : [])) : []

/** What a step names, other than the key that it asks with. */
const namesIn = (step: Step) => (step.kind === 'end' ? refersTo(step) : callsOf(step).flatMap(thingOf))

/** The thing that a request is about. */
const thingOf = ({ of }: CallStep) => (typeof of === 'object' && 'made' in of ? [of.made] : [])
