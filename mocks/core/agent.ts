/**
 * The agent of one organization: one run at a time, the rest wait (§3). No timers: a run has a start, an end
 * and an outcome, and everything that has happened by now is settled when the organization is looked at.
 */
import type { LedgerEntry } from './ledger.ts'
import { Queue } from './queue.ts'

export type Outcome = 'completed' | 'failed'

/** How a run comes to its end: after its length of time, at once, or when its task was looked at so often. */
export type Progress = 'time' | 'immediate' | { readonly polls: number }

/** One run of a task. Times are ms since the epoch, null until they are known. */
export interface Run {
  readonly id: string
  readonly task_id: string
  readonly accepted_at: number
  readonly duration_ms: number
  /** Looks at the task after which the run ends; null: time decides. */
  readonly polls: number | null
  /** The outcome that it was asked to have; null: chance decides. */
  readonly destined: Outcome | null
  readonly reserve: LedgerEntry
  started_at: number | null
  ends_at: number | null
  outcome: Outcome | null
  /** True once the end is past and its effects have happened. */
  ended: boolean
  /** Looks at the task since the run started. */
  looks: number
}

/** What the agent tells the organization, in the order in which it happens. */
export interface AgentEvents {
  /** Decides how a starting run will end. */
  outcomeOf(run: Run): Outcome
  /** A run has started at `run.started_at`. */
  started(run: Run): void
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

  /** Counts a look at a task; the run that is going ends with the last one that it was given. */
  lookedAt(run: Run, now: number): void {
    if (run !== this.#active || run.polls === null) return
    run.looks++
    if (run.looks < run.polls) return
    run.ends_at = now
    this.settle(now)
  }

  /** When something happens next, ms; undefined: nothing does by itself. */
  nextEvent(): number | undefined {
    const at = this.#active ? this.#active.ends_at : this.#startOf(this.#queue.peek())
    return at === undefined || at === null || !Number.isFinite(at) ? undefined : at
  }

  #startOf(next: Run | undefined): number | undefined {
    return next && Math.max(next.accepted_at, this.#freeSince, this.#otherWorkUntil)
  }

  /** Lets everything happen that is due by `now`: ends, refunds and the starts of waiting runs, in order. */
  settle(now: number): void {
    for (;;) {
      if (this.#active) {
        if ((this.#active.ends_at ?? 0) > now) return
        this.#end(this.#active)
      }
      const next = this.#queue.peek()
      const start = this.#startOf(next)
      if (!next || start === undefined || start > now) return
      this.#queue.shift()
      this.#start(next, start)
    }
  }

  #start(run: Run, at: number): void {
    run.started_at = at
    run.ends_at = run.polls === null ? at + run.duration_ms : Number.POSITIVE_INFINITY
    run.outcome = this.#events.outcomeOf(run)
    this.#active = run
    this.#events.started(run)
  }

  #end(run: Run): void {
    this.#freeSince = run.ends_at ?? this.#freeSince
    this.#active = undefined
    this.#events.ended(run)
  }
}
