/** Shrinks a contradiction and tries it again live, within a number of requests. */
import type { ModelViolation, State } from '../model/index.ts'
import { changes } from './closure.ts'
import type { Stage } from './play.ts'
import { costOf, creditsOf, type Replay, replay } from './replay.ts'
import { type Origin, type Slices, slicesOf } from './slice.ts'
import { callsOf, type Step } from './step.ts'
import { mergedClients } from './trim.ts'

/** Most requests that shrinking and confirming may send. */
export const mostRequests = 40
/** Most repetitions of the same steps. */
const mostTimes = 6
/** How often a history must show the same before it accuses. */
const enough = 2

/** What each attempt tries, so that together they fit into few requests each. */
const strategies: readonly (readonly {
  readonly slice: keyof Slices
  readonly times?: true
  readonly merged?: true
}[])[] = [
  [
    { slice: 'alone', merged: true },
    { slice: 'cited', merged: true },
    { slice: 'single', merged: true },
    { slice: 'things', merged: true },
    { slice: 'cited' },
  ],
  [{ slice: 'single', times: true, merged: true }, { slice: 'near' }, { slice: 'things' }],
  [{ slice: 'cited', times: true }],
  [{ slice: 'changes' }, { slice: 'near', merged: true }],
  [{ slice: 'whole' }, { slice: 'single' }],
  [{ slice: 'things', times: true }],
]

/** What shrinking came to. */
export interface Shrunk {
  readonly steps: readonly Step[]
  /** How often the steps showed the violation. */
  readonly times: number
  /** Requests that were sent to find out. */
  readonly requests: number
  /** The last time; undefined: never. */
  readonly shown: (Replay & { readonly violation: ModelViolation }) | undefined
}

export class Shrinker {
  readonly #stage: Stage
  readonly #requirement: string
  readonly #endings: State['endings']
  readonly #newTag: () => string
  readonly #next: () => number
  #left = mostRequests
  #shown: Shrunk['shown']
  #best: readonly Step[] | undefined
  #times = 0

  constructor(
    stage: Stage,
    requirement: string,
    endings: State['endings'],
    newTag: () => string,
    next: () => number,
  ) {
    this.#stage = stage
    this.#endings = endings
    this.#requirement = requirement
    this.#newTag = newTag
    this.#next = next
  }

  /** `attempt`: how often another contradiction of the requirement was tried, from 0. */
  async shrink(origin: Origin, attempt: number): Promise<Shrunk> {
    const slices = slicesOf(origin)
    if (!slices) return this.#outcome([])
    const tried = new Set<string>()
    for (const { slice, times, merged } of strategies[attempt % strategies.length] ?? []) {
      const lists = slice === 'single' ? slices.single : [slices[slice]]
      for (const list of lists) {
        const clients = merged && !isAboutKeys(slices.cited) ? mergedClients(list) : list
        const steps = times ? this.#repeated(clients) : clients
        const key = steps.map(({ at, kind }) => (kind === 'wait' ? '' : at)).join()
        if (this.#best || steps.length === 0 || tried.has(key)) continue
        tried.add(key)
        await this.#try(steps, costOf(steps))
        if (!this.#best && steps.some(({ kind }) => kind === 'burst')) await this.#try(steps, costOf(steps))
      }
    }
    await this.#lessen()
    for (let misses = 0; this.#best && this.#times < enough && misses < 2; )
      if (!(await this.#try(this.#best))) misses++
    return this.#outcome(slices.cited)
  }

  #outcome(least: readonly Step[]): Shrunk {
    return {
      steps: this.#best ?? least,
      times: this.#times,
      requests: mostRequests - this.#left,
      shown: this.#shown,
    }
  }

  /** Tries steps if there are requests left for them. */
  async #try(steps: readonly Step[], reserve = 0): Promise<boolean> {
    if (costOf(steps) + reserve > this.#left) return false
    const { purse } = this.#stage
    if (!purse.allows('main', creditsOf(steps))) return false
    const done = await replay(this.#stage, steps, this.#newTag(), this.#requirement, this.#endings)
    this.#left -= done.requests
    if (!done.violation) return false
    this.#times = steps === this.#best ? this.#times + 1 : 1
    this.#best = steps
    this.#shown = { ...done, violation: done.violation }
    return true
  }

  /** Does the same steps several times in one go: what shows only the n-th time. */
  #repeated(steps: readonly Step[]): readonly Step[] {
    const once = costOf(steps.filter(changes))
    const times = Math.min(Math.floor((this.#left / 2 - costOf(steps) + once) / Math.max(once, 1)), mostTimes)
    if (times < 2) return []
    return repeated(steps, times, this.#next)
  }

  /** Leaves out what the last contradiction did not need, then single steps. */
  async #lessen(): Promise<void> {
    for (;;) {
      const { best, shown } = { best: this.#best, shown: this.#shown }
      if (!best || !shown) return
      const stepOf = (event: number) => shown.play.stepOf(event)
      const { log, violation } = shown
      const origin = { log, stepOf, violation, next: this.#next, gaps: this.#stage.gaps }
      const slices = Object.values(slicesOf(origin) ?? {}).flatMap((one) => (isList(one) ? [one] : one))
      const smaller = slices.find((steps) => costOf(steps) < costOf(best))
      if (!smaller || !(await this.#try(smaller, costOf(best)))) break
    }
    const all = this.#best ?? []
    for (let at = all.length - 2; at >= 0 && costOf(all) > 6; at--) {
      const best = this.#best ?? []
      const without = best.filter((step) => step !== all[at])
      if (without.length < best.length) await this.#try(without, costOf(best))
    }
  }
}

/** Whether steps make or delete keys other than to ask with them. */
function isAboutKeys(steps: readonly Step[]): boolean {
  const made = new Set(
    steps.flatMap((step) =>
      callsOf(step)
        .filter(({ operation }) => operation === 'createKey')
        .map(({ at }) => at),
    ),
  )
  const isOnKey = (step: Step) =>
    callsOf(step).some(
      ({ of, operation }) =>
        operation === 'listKeys' || (typeof of === 'object' && 'made' in of && made.has(of.made)),
    )
  return steps.some(isOnKey) || made.size > 1
}

const isList = (slice: Slices[keyof Slices]): slice is Step[] => !Array.isArray(slice[0])

const isBalance = (step: Step) => step.kind === 'state' && step.state === 'credits'

/** Steps several times over, each time with things of its own; what is only read at either end, once. */
function repeated(steps: readonly Step[], times: number, next: () => number): Step[] {
  const first = steps.findIndex((step) => changes(step) && !isBalance(step))
  const end = steps.findLastIndex(changes) + 1
  let renumber = (at: number) => at
  const middle = Array.from({ length: times }, () => {
    const numbers = new Map<number, number>()
    renumber = (at) => {
      if (!numbers.has(at)) numbers.set(at, next())
      return numbers.get(at) as number
    }
    const middle = steps.slice(first, end).filter((step) => !isBalance(step))
    return middle.map((step) => renumbered(step, renumber))
  })
  const balances = steps.slice(first, end).filter(isBalance)
  return [
    ...balances,
    ...steps.slice(0, first),
    ...middle.flat(),
    ...steps.slice(end).map((step) => renumbered(step, renumber)),
  ]
}

/** A step with other numbers, also where it refers to others. */
export function renumbered<T>(value: T, renumber: (at: number) => number): T {
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
