/**
 * How long checks wait for something that may never happen: the full time once for each kind of event, since
 * later waits would show the same and only take longer.
 */

/** A refund after any failed run: if one did not come, the next will not either. */
const refundsOfRuns = ['a refund', 'another refund'] as const

/** The events that checks wait for, each with those that make it hopeless once they were missed. */
const hopelessAfter = {
  'a run to end': [],
  'a failing run to end': ['a run to end'],
  'a second run to end': ['a run to end'],
  'simultaneous runs to end': ['a run to end'],
  'a waiting run to end': ['a run to end', 'simultaneous runs to end'],
  'a refund': refundsOfRuns,
  'another refund': refundsOfRuns,
  'the refund of a generation': [],
} as const

/** What is waited for, as it completes "waiting for …". */
export type AwaitedEvent = keyof typeof hopelessAfter

/** Shortest wait for an event that was missed before, ms: while events of any kind were seen, or none. */
const shortest = { seen: 500, none: 300 } as const

/** Its length says nothing of runs that do not wait. */
const waiting = 'a waiting run to end' satisfies AwaitedEvent

const isRun = (event: AwaitedEvent) => /runs? to end$/.test(event)

export class Patience {
  readonly #full: number
  readonly #missed = new Set<AwaitedEvent>()
  /** The longest waits that ended with the event, ms. */
  readonly #slowest: { run?: number; refund?: number } = {}
  /** The shortest wait for the end of a run, ms. */
  #shortest: number | undefined

  /** full: ms to wait for the first event of a kind. */
  constructor(full: number) {
    this.#full = full
  }

  /** ms to wait for an event: less than the full time if it, or what it depends on, was missed before. */
  for(event: AwaitedEvent): number {
    if (!this.isHopeless(event)) return this.#full
    const slowest = isRun(event) ? this.#slowest.run : this.#slowest.refund
    const known = this.#slowest.run ?? this.#slowest.refund
    const brief = known === undefined ? shortest.none : Math.max(shortest.seen, 3 * (slowest ?? 0))
    return Math.min(this.#full, brief)
  }

  /** Whether an event was missed, so that what it leads to cannot be exercised anywhere. */
  get missed(): boolean {
    return this.#missed.size > 0
  }

  /** The shortest wait for the end of a run, ms; undefined: none has ended. */
  get shortestRun(): number | undefined {
    return this.#shortest
  }

  /** ms that a run takes at least: a part of the shortest wait for the end of one so far. */
  get leastRun(): number {
    return 0.8 * (this.#shortest ?? 0)
  }

  /** ms for which it is no use to look. */
  before(event: AwaitedEvent): number {
    // A run that waits may look ended before it starts.
    return isRun(event) && event !== waiting && !this.isHopeless(event) ? this.leastRun : 0
  }

  /** Records how long a wait took, and whether the event came. */
  record(event: AwaitedEvent, came: boolean, ms: number): void {
    if (!came) return void this.#missed.add(event)
    const kind = isRun(event) ? 'run' : 'refund'
    this.#slowest[kind] = Math.max(this.#slowest[kind] ?? 0, ms)
    if (kind === 'run' && event !== waiting) this.#shortest = Math.min(this.#shortest ?? Infinity, ms)
  }

  /** Whether an event is not expected any more, since it or what it depends on was missed. */
  isHopeless(event: AwaitedEvent): boolean {
    return [event, ...hopelessAfter[event]].some((one) => this.#missed.has(one))
  }
}
