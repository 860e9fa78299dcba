/**
 * The agent of one organization: it executes one run at a time and queues the others (§3). There are no timers:
 * a run has a start, an end and an outcome, and due events are settled when the organization is next accessed.
 */
import type { ChangeHistory } from './changes.ts'
import type { AgentState, Run, RunOutcome } from './resources.ts'

/** Callbacks of the agent, called in chronological order. */
interface AgentEvents {
  outcomeOf(run: Run): RunOutcome
  /** Called when a run has started, at `run.started_at`. */
  started(run: Run): void
  /** Called when a run has ended, at `run.ends_at`. */
  ended(run: Run): void
}

/** Executes the runs of one organization in order. All times are ms since the epoch. */
export class Agent {
  readonly #waiting: Run[] = []
  readonly #changes: ChangeHistory
  readonly #events: AgentEvents
  #active: Run | undefined
  /**
   * When the agent became free, and when its other work ends, ms since the epoch: an object whose changes are recorded.
   */
  readonly times = {
    free_since: Number.NEGATIVE_INFINITY,
    other_work_until: Number.NEGATIVE_INFINITY,
  }

  constructor(changes: ChangeHistory, events: AgentEvents) {
    this.#changes = changes
    this.#events = events
  }

  /** Returns whether a run requested at `now` has to wait. Call `settle` first. */
  busy(now: number): boolean {
    return this.#active !== undefined || this.#waiting.length > 0 || now < this.times.other_work_until
  }

  /** Returns when a run requested at `now` would start, as far as times are known. */
  freeAt(now: number): number {
    return Math.max(now, this.times.other_work_until, this.#active?.ends_at ?? now)
  }

  /** Accepts a run: it starts immediately or is queued. */
  accept(run: Run, now: number): void {
    this.#waiting.push(run)
    this.settle(now)
  }

  busyUntil(moment: number): void {
    this.#moveTimes({ other_work_until: Math.max(this.times.other_work_until, moment) })
  }

  /** Ends the other work that keeps the agent busy; the next queued run starts now. */
  freeOtherWork(now: number): void {
    this.#moveTimes({
      other_work_until: Math.min(this.times.other_work_until, now),
      free_since: Math.max(this.times.free_since, now),
    })
    this.settle(now)
  }

  /** Ends an accepted run with the given outcome: now or, if it is queued, as soon as it starts. */
  finish(run: Run, outcome: RunOutcome, now: number): void {
    const isStarted = run.started_at !== null
    const end = isStarted ? { outcome, ends_at: now } : { duration_ms: 0, polls: null }
    this.#changes.change('runs', run, { destined: outcome, ...end })
    this.settle(now)
  }

  /** Ends every accepted run now, in order. */
  finishAll(now: number): void {
    this.freeOtherWork(now)
    while (this.#active) {
      this.#endAt(this.#active, now)
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
    this.#changes.change('runs', active, { looks: active.looks + 1 })
    if (active.looks < active.polls) return
    this.#endAt(active, now)
    this.settle(now)
  }

  /** Returns the time of the next scheduled event; undefined if none is scheduled. */
  nextEvent(): number | undefined {
    return this.#active ? (this.#active.ends_at ?? undefined) : this.#startOf(this.#waiting[0])
  }

  /** Number of active and queued runs. */
  get load(): number {
    return this.#waiting.length + (this.#active ? 1 : 0)
  }

  dump(): AgentState {
    return {
      active: this.#active?.task_id ?? null,
      waiting: this.#waiting.map(({ task_id }) => task_id),
      free_since: finite(this.times.free_since),
      other_work_until: finite(this.times.other_work_until),
    }
  }

  /** Restores a saved state; `runOf` returns the latest run of a task. */
  restore(state: AgentState, runOf: (task_id: string) => Run | undefined): void {
    this.#active = state.active === null ? undefined : runOf(state.active)
    for (const task_id of state.waiting) {
      const run = runOf(task_id)
      if (run) this.#waiting.push(run)
    }
    this.times.free_since = state.free_since ?? Number.NEGATIVE_INFINITY
    this.times.other_work_until = state.other_work_until ?? Number.NEGATIVE_INFINITY
  }

  #startOf(next: Run | undefined): number | undefined {
    return next && Math.max(next.accepted_at, this.times.free_since, this.times.other_work_until)
  }

  /** Applies every event that is due by `now`: ends, refunds and starts of queued runs, in order. */
  settle(now: number): void {
    for (;;) {
      if (this.#active) {
        if (this.#active.ends_at === null || this.#active.ends_at > now) return
        this.#end(this.#active)
      }
      const next = this.#waiting[0]
      const start = this.#startOf(next)
      if (!next || start === undefined || start > now) return
      this.#waiting.shift()
      this.#start(next, start)
    }
  }

  #start(run: Run, at: number): void {
    const ends_at = run.polls === null ? at + run.duration_ms : null
    this.#changes.change('runs', run, { started_at: at, ends_at, outcome: null })
    run.outcome = this.#events.outcomeOf(run)
    this.#active = run
    this.#events.started(run)
  }

  #endAt(run: Run, now: number): void {
    this.#changes.change('runs', run, { ends_at: now })
  }

  #moveTimes(times: Partial<Agent['times']>): void {
    // Records every time anew, since the end of a run changes `free_since` without a record.
    this.#changes.change('agent', this.times, { ...this.times, ...times })
  }

  #end(run: Run): void {
    this.times.free_since = run.ends_at ?? this.times.free_since
    this.#active = undefined
    this.#events.ended(run)
  }
}

const finite = (at: number) => (Number.isFinite(at) ? at : null)
