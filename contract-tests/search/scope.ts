/** What was done before a contradiction, and which of it each strategy takes. Nothing is sent to find it. */
import { codeOf, field } from '#traffic/exchange.ts'
import type { ModelViolation } from '../model/index.ts'
import type { Env } from './env.ts'
import type { Executor } from './executor.ts'
import { isCreation } from './inventory.ts'
import { closed, type Entry, type Log, range } from './log.ts'
import { callsOf, changes, isPaid, type Step, subjectsOf, tenantsOf } from './step.ts'
import { type Suspect, suspectsOf } from './suspects.ts'
import { comparesBalances, endsOf, goingAfter, readsBalance, withoutIdleEnds } from './variants.ts'

/** What was done, by whom, and with what it contradicts. */
export interface Context {
  readonly env: Pick<Env, 'wire'>
  readonly executor: Pick<Executor, 'stepOf' | 'answers'>
  readonly log: Log
  /** The number of the next step. */
  next(): number
}

/** A list of steps that may suffice. */
export interface Strategy {
  /**
   * What is taken besides what is cited: nothing, suspects, the last steps about the same, those that made something,
   * those of its case, the last ones of each kind, however long ago, with suspects, or the last ones.
   */
  readonly take: 'cited' | 'since' | 'subject' | 'made' | 'case' | 'kinds' | 'recent'
  /** Most steps of these. */
  readonly most?: number
  /** Without the first so many suspects. */
  readonly from?: number
  /** Most steps of each kind. */
  readonly each?: number
  /** With bursts as they were sent, and pauses as long as they were; otherwise one request after the other. */
  readonly whole?: true
}

/** Where a contradiction comes from, with the requests of its bursts as they were or apart. */
export class Scope {
  readonly log: Log
  readonly places: readonly number[]
  readonly first: number
  readonly last: number
  /** What is cited, and what that depends on. */
  readonly core: ReadonlySet<number>
  readonly isAboutKeys: boolean
  readonly #context: Context
  readonly #violation: ModelViolation
  readonly #isWhole: boolean
  readonly #longest: number

  constructor(context: Context, violation: ModelViolation, isWhole: boolean, longest: number) {
    const { log } = context
    this.#context = context
    this.#violation = violation
    this.#isWhole = isWhole
    this.#longest = longest
    this.log = isWhole ? log : log.apart()
    this.places = violation.because.flatMap((event) => this.#placeOf(event) ?? [])
    this.first = Math.min(...this.places)
    this.last = Math.max(...this.places)
    this.core = closed(this.log, new Set(this.places))
    this.isAboutKeys =
      violation.requirement.startsWith('KEY-') ||
      (!comparesBalances(violation.rule) &&
        this.places.some((place) => subjectsOf(this.#stepAt(place)).includes('keys')))
  }

  #placeOf(event: number): number | undefined {
    return this.log.placeOf(this.#context.executor.stepOf(event) ?? Number.NaN)
  }

  #stepAt(place: number): Step {
    return (this.log.entries[place] as Entry).step
  }

  /** The places up to the last one whose steps fit. */
  #where(fits: (step: Step) => boolean): number[] {
    return range(0, this.last).filter((place) => fits(this.#stepAt(place)))
  }

  /** The places that a strategy takes besides what is cited. */
  placesOf({ take, from = 0, most = 0, each = 1 }: Strategy): number[] {
    switch (take) {
      case 'cited':
        return []
      case 'since':
        return this.#since(from, most, each)
      case 'subject':
        return this.#onSubject().slice(-most)
      case 'made':
        return this.#where(makes).slice(-most)
      case 'case':
        return this.#ofCase().slice(-most)
      case 'kinds':
        return union(this.#ofEachKind(each).slice(-most), this.#since(0, suspected, 1))
      case 'recent':
        return range(0, this.last).slice(-most)
    }
  }

  /** Places of the case in which the contradiction showed. */
  #ofCase(): number[] {
    const { entries } = this.log
    return range(0, this.last).filter((place) => entries[place]?.case === entries[this.last]?.case)
  }

  /** Places of changes of the same subjects, in the same organizations. */
  #onSubject(): number[] {
    const causes = this.isAboutKeys ? [...this.core] : this.places
    const subjects = new Set(causes.flatMap((place) => subjectsOf(this.#stepAt(place))))
    const tenants = new Set(this.places.flatMap((place) => tenantsOf(this.#stepAt(place))))
    return this.#where((step) => {
      const isSame = subjectsOf(step).some((one) => one !== undefined && subjects.has(one))
      return isSame && changes(step) && tenantsOf(step).some((one) => tenants.has(one))
    })
  }

  /** Places of the suspects `from` on, `each` of a kind, and of the requests that they may have made go wrong. */
  #since(from: number, most: number, each: number): number[] {
    const places = this.suspects(each).flatMap((one) => [one.cause, ...one.places])
    const taken = new Set(places.filter((place) => !this.core.has(place)))
    return [...taken].slice(from, most).sort((a, b) => a - b)
  }

  /** What may have made what is cited go wrong, the likeliest first. */
  suspects(each: number): Suspect[] {
    return suspectsOf(this.log, this.places, (step) => kindOf(this.#context.executor, step), each)
  }

  /** Places of the last `each` steps of each kind. */
  #ofEachKind(each: number): number[] {
    const { executor } = this.#context
    const all = Map.groupBy(range(0, this.last), (place) => kindOf(executor, this.#stepAt(place)))
    all.delete(undefined)
    return union(...[...all.values()].map((places) => places.slice(-each)))
  }

  /** The steps at what is cited and at other places, with what those depend on. */
  and(others: readonly number[]): Step[] {
    const chosen = closed(this.log, new Set([...this.core, ...others]))
    const places = [...chosen].sort((a, b) => a - b)
    const base = this.#base()
    const steps = places.flatMap((place, i): Step[] => {
      const { step } = this.log.entries[place] as Entry
      const pause = place >= this.first ? this.#pauseBefore(place, places[i - 1]) : []
      if (place !== this.first || !base) return [...pause, step]
      // What was going on before is over when the balance is set.
      const going = goingAfter(
        places.slice(0, i).map((one) => this.#stepAt(one)),
        base.tenant,
      )
      return [...endsOf(going, base.tenant, () => this.#context.next()), ...pause, base, step]
    })
    return this.#readAlone(withoutIdleEnds(steps))
  }

  /** The pause before a step as it was, where pauses are kept and it is long enough to matter. */
  #pauseBefore(place: number, before: number | undefined): Step[] {
    const [from, to] = [this.log.entries[before ?? -1], this.log.entries[place] as Entry]
    if (
      !this.#isWhole ||
      !from ||
      [from, to].some(({ step: { kind } }) => kind === 'wait') ||
      to.step.kind === 'end'
    )
      return []
    const ms = Math.ceil(Math.min(to.ms - from.ms, this.#longest))
    return ms >= briefest ? [{ kind: 'wait', at: this.#context.next(), ms }] : []
  }

  /** A balance that an answer to something else showed is read by itself, after it if it changes something. */
  #readAlone(steps: Step[]): Step[] {
    const last = steps.at(-1)
    if (this.#isWhole || !readsBalance(this.#violation.rule) || last?.kind !== 'call') return steps
    const { at, tenant } = last
    const reading = { kind: 'call', tenant, as: 'key', operation: 'whoami' } as const
    if (changes(last)) return [...steps, { ...reading, at: this.#context.next() }]
    return [...steps.slice(0, -1), { ...reading, at }]
  }

  /** The state that sets the balance to what it was before the first step that is cited: a reading, or paid work that it shows. */
  #base() {
    const [event = 0, ...others] = this.#violation.because
    const place = this.#placeOf(event)
    const step = this.log.entries[place ?? -1]?.step
    const credits = field(this.#context.env.wire.exchanges.get(event)?.json, 'credits')
    if (!comparesBalances(this.#violation.rule) || step?.kind !== 'call' || typeof credits !== 'number')
      return undefined
    const earlier = new Set(others.flatMap((one) => this.#placeOf(one) ?? []))
    const taken = [...earlier].filter((one) => one < (place ?? 0) && isPaid(this.#stepAt(one))).length
    const params = { credits: credits + taken }
    return { kind: 'state', at: this.#context.next(), tenant: step.tenant, state: 'credits', params } as const
  }
}

/** Suspects that are taken with the last ones of each kind. */
const suspected = 12

const union = (...lists: readonly (readonly number[])[]) => [...new Set(lists.flat())].sort((a, b) => a - b)

/** ms of the shortest pause that is kept: a run may be over by then. */
const briefest = 100

/** Whether a step makes a thing: how many there are may matter. */
const makes = (step: Step) =>
  callsOf(step).some(({ operation }) => isCreation(operation)) ||
  (step.kind === 'state' && step.state === 'unread_notification')

/** By whom and to which end a step did something: of those that are equal, one may stand for the other. */
function kindOf({ answers }: Context['executor'], step: Step): string | undefined {
  if (step.kind === 'wait') return undefined
  if (step.kind === 'state') return `${step.tenant} ${step.state}`
  if (step.kind === 'end') return `${step.tenant} end`
  const outcomes = callsOf(step).map(({ at, tenant, operation }) => {
    const answer = answers.get(at)
    return `${tenant} ${operation} ${answer?.status} ${answer && answer.status >= 400 ? codeOf(answer) : ''}`
  })
  return outcomes.join()
}
