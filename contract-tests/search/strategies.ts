/**
 * From a contradiction to the steps that may show it again, fewest first: what the model cites, and more and more of what
 * was done to the same things, about the same subject, or just before, by anybody. Nothing is sent to find them.
 */
import { field } from '#traffic/exchange.ts'
import { creations, isCreation } from './inventory.ts'
import { closed, type Entry, type Log, range } from './log.ts'
import { comparesBalances, type FailureContext, isRace, readAlone, stepsOf } from './pauses.ts'
import { briefest, withShort } from './stage.ts'
import {
  type CallStep,
  callsOf,
  changes,
  costOf,
  durationOf,
  isPaid,
  refersTo,
  type Step,
  subjectsOf,
  tenantsOf,
} from './step.ts'
import { mergedClients, numbered, repeated, withCredits, withNeighbours, withoutIdleEnds } from './trials.ts'

/**
 * What becomes of bursts: each request is a step of its own, so that only those are kept that matter; or those stay
 * together that are cited or paid; or whole bursts are kept.
 */
type Bursts = 'apart' | 'together' | 'whole'

/** A list of steps that may suffice. */
export interface Strategy {
  /**
   * What is taken besides what is cited: nothing, the last steps about the same, those since it, of anybody, or the
   * last two of each kind, however long ago: what matters may be that something was ever refused.
   */
  readonly take: 'cited' | 'things' | 'namesakes' | 'subject' | 'between' | 'recent' | 'case' | 'kinds'
  /** Most steps of these. */
  readonly most?: number
  readonly bursts: Bursts
  /** With created keys as they were; otherwise with the key of the operator. */
  readonly keys?: true
  /** With pauses as long as they were; otherwise with short ones. */
  readonly slow?: true
  /** With another thing beside each that is made. */
  readonly beside?: true
  /** As often as this, as far as requests and time allow. */
  readonly times?: number
}

/** What is tried within few requests, and what then. */
export const strategies: { readonly few: readonly Strategy[]; readonly many: readonly Strategy[] } = {
  few: [
    { take: 'cited', bursts: 'apart' },
    { take: 'cited', bursts: 'together' },
    { take: 'things', most: 8, bursts: 'apart' },
    { take: 'subject', most: 6, bursts: 'apart' },
    { take: 'cited', bursts: 'apart', keys: true },
    { take: 'between', most: 16, bursts: 'apart', keys: true },
    { take: 'cited', bursts: 'apart', beside: true },
    { take: 'namesakes', most: 12, bursts: 'apart' },
    { take: 'recent', most: 16, bursts: 'apart', keys: true },
    { take: 'cited', bursts: 'apart', times: 8 },
    { take: 'subject', most: 24, bursts: 'together' },
  ],
  many: [
    { take: 'kinds', most: 90, bursts: 'apart', keys: true },
    { take: 'between', most: 60, bursts: 'apart', keys: true },
    { take: 'case', most: 60, bursts: 'apart', keys: true },
    { take: 'recent', most: 60, bursts: 'apart', keys: true },
    { take: 'case', most: 80, bursts: 'whole', keys: true, slow: true },
    { take: 'recent', most: 120, bursts: 'whole', keys: true, slow: true },
  ],
}

/** Where a contradiction comes from, with the requests of its bursts apart or together. */
class Scope {
  readonly log: Log
  readonly places: readonly number[]
  readonly first: number
  readonly last: number
  /** What is cited, and what that depends on. */
  readonly core: ReadonlySet<number>
  /** It is about keys, so that it matters which key asks. */
  readonly isAboutKeys: boolean
  readonly #context: FailureContext
  readonly #bursts: Bursts

  constructor(given: FailureContext, bursts: Bursts) {
    const { violation, stepOf } = given
    const cited = new Set(violation.because.flatMap((event) => stepOf(event) ?? []))
    const isTogether = (call: CallStep) => bursts === 'together' && (cited.has(call.at) || isPaid(call))
    this.log = bursts === 'whole' ? given.log : given.log.apart(isTogether)
    this.#context = { ...given, log: this.log }
    this.#bursts = bursts
    this.places = violation.because.flatMap((event) => this.log.placeOf(stepOf(event) ?? -1) ?? [])
    this.first = Math.min(...this.places)
    this.last = Math.max(...this.places)
    this.core = closed(this.log, new Set(this.places))
    this.isAboutKeys =
      violation.requirement.startsWith('KEY-') ||
      (!comparesBalances(violation.rule) &&
        this.places.some((place) => subjectsOf(this.stepAt(place)).includes('keys')))
  }

  stepAt(place: number): Step {
    return (this.log.entries[place] as Entry).step
  }

  /** The steps at what is cited and the last `most` of other places, with what those depend on. */
  and(places: readonly number[], most: number): Step[] {
    return this.#steps(closed(this.log, new Set([...this.core, ...places.slice(-most)])))
  }

  #steps(chosen: ReadonlySet<number>): Step[] {
    const places = [...chosen].sort((a, b) => a - b)
    const needed = withoutIdleEnds(stepsOf(this.#context, places, this.first))
    return this.#bursts === 'whole' ? needed : readAlone(needed, this.#context.violation)
  }

  /** Places of steps about the things that are cited; `alike`: and about things of the same name. */
  onThings(alike: boolean): number[] {
    const about = (step: Step) => (this.isAboutKeys ? refersTo(step) : namesIn(step))
    const keys = new Set(this.places.flatMap((place) => keysOf(this.stepAt(place))))
    const things = new Set([...this.core].flatMap((place) => about(this.stepAt(place))))
    if (alike) {
      const names = new Set(
        [...this.core].flatMap((place) => namesAt(this.log, place).map(({ name }) => name)),
      )
      for (const place of range(0, this.last))
        for (const { at, name } of namesAt(this.log, place)) if (names.has(name)) things.add(at)
    }
    return range(0, this.last).filter((place) => {
      const step = this.stepAt(place)
      return (
        about(step).some((at) => things.has(at)) ||
        callsOf(step).some(({ at }) => alike && things.has(at)) ||
        keysOf(step).some((at) => keys.has(at))
      )
    })
  }

  /** Places of changes of the same subjects, in the same organizations. */
  get onSubject(): number[] {
    const causes = this.isAboutKeys ? [...this.core] : this.places
    const subjects = new Set(causes.flatMap((place) => subjectsOf(this.stepAt(place))))
    const tenants = new Set(this.places.flatMap((place) => tenantsOf(this.stepAt(place))))
    return range(0, this.last).filter((place) => {
      const step = this.stepAt(place)
      const isSame = subjectsOf(step).some((one) => one !== undefined && subjects.has(one))
      return isSame && changes(step) && tenantsOf(step).some((one) => tenants.has(one))
    })
  }

  /** Places of the case in which it was seen. */
  get ofCase(): number[] {
    const { case: own } = this.log.entries[this.last] as Entry
    return range(0, this.last).filter((place) => this.log.entries[place]?.case === own)
  }

  /** Places of the last two steps of each kind. */
  get ofEachKind(): number[] {
    const seen = new Map<string, number>()
    const isWanted = (place: number) => {
      const kind = this.#context.kindOf(this.stepAt(place))
      const times = seen.get(kind ?? '') ?? 0
      if (kind !== undefined) seen.set(kind, times + 1)
      return kind !== undefined && times < 2
    }
    return range(0, this.last).toReversed().filter(isWanted).toReversed()
  }
}

/** The lists of steps of strategies, each once, with their credits; `left`: requests and time for one. */
export function* listsOf(
  tried: readonly Strategy[],
  given: FailureContext,
  left: () => { readonly requests: number; readonly ms: number },
): Generator<readonly Step[]> {
  const scopes = new Map<string, Scope>()
  const scopeOf = ({ bursts, slow }: Strategy) => {
    const name = `${bursts} ${slow}`
    const gaps = slow ? { ...given.gaps, shortest: briefest } : withShort(given.gaps)
    const scope = scopes.get(name) ?? new Scope({ ...given, gaps }, bursts)
    scopes.set(name, scope)
    return scope
  }
  const whole = new Scope(given, 'whole')
  if (!Number.isFinite(whole.last)) return
  // Where requests were sent at once, that matters.
  const isAtOnce = isRace(given, whole.and([], 0))
  const known = new Set<string>()
  for (const strategy of isAtOnce ? tried.toSorted((a, b) => rankOf(a) - rankOf(b)) : tried) {
    const steps = listOf(strategy, scopeOf(strategy), given.next, left())
    const key = JSON.stringify(numbered(steps))
    if (costOf(steps) > 0 && !known.has(key)) yield steps
    known.add(key)
  }
}

const rankOf = ({ bursts }: Strategy) => (bursts === 'together' ? 0 : 1)

/** Whether a contradiction is about keys: its replays begin without those of earlier ones. */
export const isAboutKeys = (given: FailureContext): boolean => new Scope(given, 'whole').isAboutKeys

/** What a contradiction cites, as it was, and what that depends on. */
export function citedBy(given: FailureContext): Step[] {
  const scope = new Scope({ ...given, gaps: withShort(given.gaps) }, 'whole')
  return scope.places.length > 0 ? scope.and([], 0) : []
}

/** The slices of a contradiction that a replay has shown, fewest first. */
export function slicesOf(given: FailureContext): readonly Step[][] {
  const scope = new Scope({ ...given, gaps: withShort(given.gaps) }, 'apart')
  return [scope.and([], 0), scope.and(scope.onThings(false), 24), scope.and(scope.onSubject, 24)]
}

function listOf(
  { take, most = 0, keys, beside, times = 1 }: Strategy,
  scope: Scope,
  next: () => number,
  left: { readonly requests: number; readonly ms: number },
): Step[] {
  const taken = takenOf(take, scope, most)
  const asked = keys || scope.isAboutKeys ? taken : mergedClients(taken)
  const steps = beside ? withNeighbours(asked, next) : asked
  if (times === 1) return withCredits(steps, next)
  // What is repeated: all up to the last change, and then what reads it.
  const end = steps.findLastIndex(changes) + 1
  // A balance that is set in between would hide what came before.
  const again = steps.slice(0, end).filter((step) => step.kind !== 'state' || step.state !== 'credits')
  const fits = Math.min(left.requests / Math.max(costOf(again), 1), left.ms / Math.max(durationOf(again), 1))
  const many = repeated(again, Math.max(1, Math.min(times, Math.floor(fits))), next)
  return withCredits([...many, ...steps.slice(end)], next)
}

function takenOf(take: Strategy['take'], scope: Scope, most: number): Step[] {
  switch (take) {
    case 'cited':
      return scope.and([], 0)
    case 'things':
      return scope.and(scope.onThings(false), most)
    case 'namesakes':
      return scope.and(scope.onThings(true), most)
    case 'subject':
      return scope.and(scope.onSubject, most)
    case 'between':
      return scope.and(range(scope.first, scope.last), most)
    case 'recent':
      return scope.and(range(Math.max(0, scope.last - most), scope.last), most)
    case 'case':
      return scope.and(scope.ofCase, most)
    case 'kinds':
      return scope.and(scope.ofEachKind, most)
  }
}

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
