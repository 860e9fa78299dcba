/**
 * The agent of one organization: one run at a time, the rest wait (§3). No timers: a run has a start, an end
 * and an outcome, and everything that has happened by now is settled when the organization is looked at.
 */
import { Queue } from './queue.ts'
import type { Run, RunOutcome } from './resources.ts'
import type { AgentState } from './state.ts'

/** What the agent tells the organization, in the order in which it happens. */
export interface AgentEvents {
  /** Decides how a starting run will end. */
  outcomeOf(run: Run): RunOutcome
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

  /**
   * Counts a look at a task: the run that is going ends with the last look that it was given. A look at a run
   * that waits counts for the one before it, or nobody would ever come to the end of the line.
   */
  lookedAt(run: Run, now: number): void {
    const going = this.#active
    if (!going || going.polls === null || run.ended) return
    going.looks++
    if (going.looks < going.polls) return
    going.ends_at = now
    this.settle(now)
  }

  /** When something happens next, ms; undefined: nothing does by itself. */
  nextEvent(): number | undefined {
    return this.#active ? (this.#active.ends_at ?? undefined) : this.#startOf(this.#queue.peek())
  }

  /** Runs that are going or waiting. */
  get load(): number {
    return this.#queue.size + (this.#active ? 1 : 0)
  }

  dump(): AgentState {
    return {
      active: this.#active?.task_id ?? null,
      waiting: this.#queue.items().map(({ task_id }) => task_id),
      free_since: finite(this.#freeSince),
      other_work_until: finite(this.#otherWorkUntil),
    }
  }

  /** Goes on with what another agent was doing; `runOf` finds the latest run of a task. */
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

  /** Lets everything happen that is due by `now`: ends, refunds and the starts of waiting runs, in order. */
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
