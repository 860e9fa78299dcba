/** What was tried live to show a contradiction again, and what showed it. */

import { field } from '#traffic/exchange.ts'
import type { State } from '../model/index.ts'
import type { Candidate } from './findings.ts'
import { creations, isCreation } from './inventory.ts'
import { replay } from './replay.ts'
import type { AssumedLateness, Stage } from './stage.ts'
import {
  type CallStep,
  callsOf,
  costOf,
  durationOf,
  isPaid,
  payersOf,
  type Ref,
  refersTo,
  type Step,
  type Tenant,
  tenantsOf,
} from './step.ts'

/** How often a history must show the same before it accuses. */
export const enough = 2

/** Where steps are tried; undefined: where the search is. */
export type StageFor = ((steps: readonly Step[]) => Promise<Stage | undefined>) | undefined

interface TrialOptions {
  readonly requirement: string
  readonly lateness: AssumedLateness
  /** Each replay begins without the keys of those before. */
  readonly deletes: boolean
  readonly stageFor?: StageFor
}

export class Trials {
  readonly #stageFor: StageFor
  /** Those that showed it, in their order. */
  readonly candidates: Candidate[] = []
  requests = 0
  /** An assumption by which steps are tried until they are few; undefined: none is made. */
  readonly lateness: AssumedLateness | undefined
  readonly stage: Stage
  /** What is known of the final statuses of runs. */
  readonly endings: State['endings']
  readonly #newTag: () => string
  /** Whether each replay begins without the keys of those before. */
  readonly #deletes: boolean
  /** The requirement that is wanted: of the violation, or of the first that a replay showed. */
  #requirement: string
  /** Whether a replay has shown it, so that another requirement does not count. */
  #isBound = false

  constructor(
    stage: Stage,
    endings: State['endings'],
    newTag: () => string,
    { requirement, lateness, deletes, stageFor }: TrialOptions,
  ) {
    this.#stageFor = stageFor
    this.stage = stage
    this.endings = endings
    this.#newTag = newTag
    this.#requirement = requirement
    this.#deletes = deletes
    this.lateness = lateness.isAssumed ? lateness : undefined
  }

  /** The one that was seen often enough, otherwise the last one. */
  get best(): Candidate | undefined {
    return this.candidates.findLast(({ times }) => times >= enough) ?? this.candidates.at(-1)
  }

  /** What showed it comes now and then only: another requirement may be violated next. */
  release(): void {
    this.#isBound = false
  }

  /** How often steps showed it for certain. */
  timesOf(steps: readonly Step[]): number {
    return this.#known(steps)?.times ?? 0
  }

  /** Requests and time that are left of limits from now on; `isSettled`: no assumption is made. */
  budget(limits: Limits, isSettled = !this.lateness): Budget {
    return budgetOf(this.stage, limits, isSettled, () => this.requests)
  }

  /** Tries steps if the budget allows; undefined: it does not. `isSettled`: no assumption is made. */
  async try(steps: readonly Step[], budget: Budget, isSettled = false): Promise<boolean | undefined> {
    const left = budget()
    if (left.ms === 0 || costOf(steps) > left.requests || durationOf(steps) > left.ms) return undefined
    if (!this.stage.creditSource.allows(payersOf(steps))) return undefined
    const stage = (await this.#stageFor?.(steps)) ?? this.stage
    const done = await replay(stage, steps, this.#newTag(), this.#requirement, this.endings, {
      lateness: isSettled ? undefined : this.lateness,
      deletes: this.#deletes,
    })
    this.requests += done.requests
    const { violation } = done
    if (!violation) return false
    const isFirst = this.candidates.every(({ times }) => times === 0) && done.isCertain
    if (!this.#isBound || isFirst) this.#requirement = violation.requirement
    this.#isBound = true
    if (violation.requirement !== this.#requirement) return false
    const shown = { ...done, violation }
    const known = this.#known(steps)
    const times = (known?.times ?? 0) + (done.isCertain ? 1 : 0)
    if (known) Object.assign(known, { shown, times })
    else this.candidates.push({ tried: steps, steps: done.log.entries.map(({ step }) => step), shown, times })
    return true
  }

  #known(steps: readonly Step[]): Candidate | undefined {
    return this.candidates.find((one) => one.steps === steps || one.tried === steps)
  }
}

/** Without the waits for ends of runs that are not among the steps. */
export function withoutIdleEnds(steps: readonly Step[]): Step[] {
  const going = new Set<number | undefined>()
  return steps.filter((step) => {
    for (const { operation, of } of callsOf(step))
      if (operation === 'runTask' && typeof of === 'object' && 'made' in of) going.add(of.made)
    return step.kind !== 'end' || going.delete(refersTo(step)[0])
  })
}

/** The tasks of an organization whose runs the steps do not await. */
export function goingAfter(steps: readonly Step[], tenant: Tenant): Ref[] {
  const going = new Map<number, Ref>()
  for (const step of steps) {
    for (const { operation, of, tenant: own } of callsOf(step))
      if (operation === 'runTask' && own === tenant && typeof of === 'object' && 'made' in of)
        going.set(of.made, of)
    if (step.kind === 'end') for (const made of refersTo(step)) going.delete(made)
  }
  return [...going.values()]
}

/** The steps with another thing made after each that is used: what mixes things up needs two. */
export function withNeighbours(steps: readonly Step[], next: () => number): Step[] {
  const used = new Set(steps.flatMap(refersTo))
  return steps.flatMap((step): Step[] => {
    if (step.kind !== 'call' || !used.has(step.at) || !isCreation(step.operation)) return [step]
    const [, member] = creations[step.operation]
    const name = `Another ${String(field(step.body, member))}`
    return [step, { ...step, at: next(), body: { ...(step.body as object), [member]: name } }]
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
export function withCredits(steps: Step[], next: () => number): Step[] {
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

/** The same steps, `times` times. */
export function repeated(steps: readonly Step[], times: number, next: () => number): Step[] {
  return Array.from({ length: times }, () => withNumbers(steps, next)).flat()
}

/** The same steps with numbers of their own: lists that do the same are equal. */
export function numbered(steps: readonly Step[]): Step[] {
  let last = 0
  return withNumbers(steps, () => ++last)
}

function withNumbers(steps: readonly Step[], next: () => number): Step[] {
  const numbers = new Map<number, number>()
  for (const step of steps) for (const { at } of [step, ...callsOf(step)]) numbers.set(at, next())
  const renumber = (at: number) => numbers.get(at) ?? at
  return steps.map((step) => renumbered(step, renumber))
}

/** A step with other numbers, also where it refers to others. */
function renumbered<T>(value: T, renumber: (at: number) => number): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => renumbered(one, renumber)) as T
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      typeof one === 'number' && (name === 'at' || name === 'made' || name === 'listed')
        ? [name, renumber(one)]
        : [name, name === 'body' || name === 'params' ? one : renumbered(one, renumber)],
    ),
  ) as T
}

/** Most requests, ms, and waits for a list and a refund: to try few steps, to try many, and to make many fewer. */
export const most = {
  few: { requests: 180, ms: 9_000, waits: 2 },
  many: { requests: 500, ms: 7_000, waits: 4 },
  /** `small`: requests of what is short already, and how often they may be sent; what is `long` is sliced first. */
  ddmin: { small: { requests: 14, times: 4 }, times: 16, long: 24, ms: 10_000, waits: 2 },
  confirm: 3,
  /** Requests to show again what can be read again. */
  readable: 24,
} as const

/** Requests of a history that is tried twice where its order depends on chance. */
export const racing = 25
/** Requests of a history that is tried again to find out whether the service is late. */
export const short = 12
/** ms that a replay may wait longer so that what it shows counts at once. */
export const brief = 400
/** The share of what was shown last that a slice of it may have to be tried. */
export const worthwhile = 0.7

export interface Limits {
  readonly requests: number
  readonly ms: number
  readonly waits: number
}
/** What is left. */
export type Budget = () => Pick<Limits, 'requests' | 'ms'>

/** What is left of limits from now on. `isSettled`: replays wait as long as the service may be late. */
function budgetOf(
  { t: { target, settings }, end }: Pick<Stage, 't' | 'end'>,
  { requests, ms, waits }: Limits,
  isSettled: boolean,
  sent: () => number,
): Budget {
  const wait = isSettled ? settings.consistency + settings.runTimeout : 0
  const [before, until] = [sent(), target.now() + ms + waits * wait]
  return () => ({ requests: requests - (sent() - before), ms: Math.min(until - target.now(), end.left) })
}
