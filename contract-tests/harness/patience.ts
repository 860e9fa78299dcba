/**
 * How long checks wait for something that may never happen: the full time once for each kind of event, since
 * later waits would show the same and only take longer.
 */

/** A refund after any failed run: if one did not come, the next will not either. */
const refundsOfRuns = ['a refund', 'another refund', 'the refund of a waiting run'] as const

/** The events that checks wait for, each with those that make it hopeless once they were missed. */
const hopelessAfter = {
  'a run to end': [],
  'a failing run to end': ['a run to end'],
  'a second run to end': ['a run to end'],
  'simultaneous runs to end': ['a run to end'],
  'a waiting run to end': ['a run to end', 'simultaneous runs to end'],
  'a refund': refundsOfRuns,
  'another refund': refundsOfRuns,
  'the refund of a waiting run': refundsOfRuns,
  'the refund of a generation': [],
} as const

/** What is waited for, as it completes "waiting for …". */
export type AwaitedEvent = keyof typeof hopelessAfter

/** Shortest wait for an event that was missed before, ms: while events of any kind were seen, or none. */
const shortest = { seen: 500, none: 300 } as const

export class Patience {
  readonly #full: number
  readonly #missed = new Set<AwaitedEvent>()
  /** The longest wait that ended with the event, ms. */
  #slowest: number | undefined

  /** full: ms to wait for the first event of a kind. */
  constructor(full: number) {
    this.#full = full
  }

  /** ms to wait for an event: less than the full time if it, or what it depends on, was missed before. */
  for(event: AwaitedEvent): number {
    if (!this.#isHopeless(event)) return this.#full
    const brief = this.#slowest === undefined ? shortest.none : Math.max(shortest.seen, 3 * this.#slowest)
    return Math.min(this.#full, brief)
  }

  /** Records how long a wait took, and whether the event came. */
  record(event: AwaitedEvent, came: boolean, ms: number): void {
    if (came) this.#slowest = Math.max(this.#slowest ?? 0, ms)
    else this.#missed.add(event)
  }

  #isHopeless(event: AwaitedEvent): boolean {
    return [event, ...hopelessAfter[event]].some((one) => this.#missed.has(one))
  }
}
