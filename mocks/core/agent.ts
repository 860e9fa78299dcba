/**
 * The agent of one organization: it executes one run at a time and queues the others (§3). There are no timers:
 * a run has a start, an end and an outcome, and due events are settled when the organization is next accessed.
 */
import { Queue } from './queue.ts'
import type { Run, RunOutcome } from './resources.ts'
import type { AgentState } from './state.ts'

/** Callbacks of the agent, called in chronological order. */
export interface AgentEvents {
  /** Returns how a starting run will end. */
  outcomeOf(run: Run): RunOutcome
  /** Called when a run has started, at `run.started_at`. */
  started(run: Run): void
  /** Called when a run has ended, at `run.ends_at`. */
  ended(run: Run): void
}

/** Executes the runs of one organization in order. All times are ms since the epoch. */
export class Agent {
  readonly #queue = new Queue<Run>()
  readonly #events: AgentEvents
  #active: Run | undefined
  #freeSince = Number.NEGATIVE_INFINITY
  #otherWorkUntil = Number.NEGATIVE_INFINITY

  constructor(events: AgentEvents) {
    this.#events = events
  }

  /** Returns whether a run requested at `now` has to wait. Call `settle` first. */
  busy(now: number): boolean {
    return this.#active !== undefined || this.#queue.size > 0 || now < this.#otherWorkUntil
  }

  /** Accepts a run: it starts immediately or is queued. */
  accept(run: Run, now: number): void {
    this.#queue.push(run)
    this.settle(now)
  }

  /** Occupies the agent with other work until a moment. */
  busyUntil(moment: number): void {
    this.#otherWorkUntil = Math.max(this.#otherWorkUntil, moment)
  }

  /** Ends other work; the next queued run starts now. */
  freeOtherWork(now: number): void {
    this.#otherWorkUntil = Math.min(this.#otherWorkUntil, now)
    this.#freeSince = Math.max(this.#freeSince, now)
    this.settle(now)
  }

  /** Ends every accepted run now, in order. */
  finishAll(now: number): void {
    this.freeOtherWork(now)
    while (this.#active) {
      this.#active.ends_at = now
      this.settle(now)
    }
  }

  /**
   * Counts a poll of a task: the active run ends after its configured number of polls. Polling a queued run
   * counts for the active run, otherwise the queue would never advance.
   */
  polled(run: Run, now: number): void {
    const active = this.#active
    if (!active || active.polls === null || run.ended) return
    active.looks++
    if (active.looks < active.polls) return
    active.ends_at = now
    this.settle(now)
  }

  /** Returns the time of the next scheduled event; undefined: none is scheduled. */
  nextEvent(): number | undefined {
    return this.#active ? (this.#active.ends_at ?? undefined) : this.#startOf(this.#queue.peek())
  }

  /** Number of active and queued runs. */
  get load(): number {
    return this.#queue.size + (this.#active ? 1 : 0)
  }

  /** Returns the state for a snapshot. */
  dump(): AgentState {
    return {
      active: this.#active?.task_id ?? null,
      waiting: this.#queue.items().map(({ task_id }) => task_id),
      free_since: finite(this.#freeSince),
      other_work_until: finite(this.#otherWorkUntil),
    }
  }

  /** Restores a saved state; `runOf` returns the latest run of a task. */
  restore(state: AgentState, runOf: (task_id: string) => Run | undefined): void {
    this.#active = state.active === null ? undefined : runOf(state.active)
    for (const task_id of state.waiting) {
      const run = runOf(task_id)
      if (run) this.#queue.push(run)
    }
    this.#freeSince = state.free_since ?? Number.NEGATIVE_INFINITY
    this.#otherWorkUntil = state.other_work_until ?? Number.NEGATIVE_INFINITY
  }

  #startOf(next: Run | undefined): number | undefined {
    return next && Math.max(next.accepted_at, this.#freeSince, this.#otherWorkUntil)
  }

  /** Applies every event that is due by `now`: ends, refunds and starts of queued runs, in order. */
  settle(now: number): void {
    for (;;) {
      if (this.#active) {
        if (this.#active.ends_at === null || this.#active.ends_at > now) return
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
    run.ends_at = run.polls === null ? at + run.duration_ms : null
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

const finite = (at: number) => (Number.isFinite(at) ? at : null)
