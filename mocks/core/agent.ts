/**
 * The agent of one organization: one run at a time, the rest wait (§3). No timers: a run has a start, an end
 * and an outcome, and everything that has happened by now is settled when the organization is looked at.
 */
import type { LedgerEntry } from './ledger.ts'
import { Queue } from './queue.ts'

export type Outcome = 'completed' | 'failed'

/** One run of a task. Times are ms since the epoch, null until they are known. */
export interface Run {
  readonly id: string
  readonly task_id: string
  readonly accepted_at: number
  readonly duration_ms: number
  readonly reserve: LedgerEntry
  started_at: number | null
  ends_at: number | null
  outcome: Outcome | null
  /** True once the end is past and its effects have happened. */
  ended: boolean
}

/** What the agent tells the organization, in the order in which it happens. */
export interface AgentEvents {
  /** Decides how a starting run will end. */
  outcomeOf(run: Run): Outcome
  /** A run has ended at `run.ends_at`. */
  ended(run: Run): void
}

export class Agent {
  readonly #queue = new Queue<Run>()
  readonly #events: AgentEvents
  #active: Run | undefined
  #freeSince = Number.NEGATIVE_INFINITY
  #otherWorkUntil = Number.NEGATIVE_INFINITY

  constructor(events: AgentEvents) {
    this.#events = events
  }

  /** Whether a run that is asked for at `now` has to wait. Settle first. */
  busy(now: number): boolean {
    return this.#active !== undefined || this.#queue.size > 0 || now < this.#otherWorkUntil
  }

  /** Accepts a run: it starts at once, or waits its turn. */
  accept(run: Run, now: number): void {
    this.#queue.push(run)
    this.settle(now)
  }

  /** Works on something else until then (ms). */
  busyUntil(moment: number): void {
    this.#otherWorkUntil = Math.max(this.#otherWorkUntil, moment)
  }

  /** Stops whatever other work there is; what waits starts now. */
  freeOtherWork(now: number): void {
    this.#otherWorkUntil = Math.min(this.#otherWorkUntil, now)
    this.#freeSince = Math.max(this.#freeSince, now)
    this.settle(now)
  }

  /** Brings every accepted run to its end now, in turn. */
  finishAll(now: number): void {
    this.freeOtherWork(now)
    while (this.#active) {
      this.#active.ends_at = now
      this.settle(now)
    }
  }

  /** Lets everything happen that is due by `now`: ends, refunds and the starts of waiting runs, in order. */
  settle(now: number): void {
    for (;;) {
      if (this.#active) {
        if ((this.#active.ends_at ?? 0) > now) return
        this.#end(this.#active)
      }
      const next = this.#queue.peek()
      if (!next) return
      const start = Math.max(next.accepted_at, this.#freeSince, this.#otherWorkUntil)
      if (start > now) return
      this.#queue.shift()
      this.#start(next, start)
    }
  }

  #start(run: Run, at: number): void {
    run.started_at = at
    run.ends_at = at + run.duration_ms
    run.outcome = this.#events.outcomeOf(run)
    this.#active = run
  }

  #end(run: Run): void {
    this.#freeSince = run.ends_at ?? this.#freeSince
    this.#active = undefined
    this.#events.ended(run)
  }
}
