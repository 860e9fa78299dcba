/** Pending runs and when to poll them, by a running estimate of their duration. */
import type { ModelViolation } from '../../model/index.ts'
import type { CallStep, StepTenant } from '../step.ts'

/** Polling state of a run. Times in ms on the clock of the target. */
interface RunPoll {
  /** Time of acceptance, which tells this run from later runs of the task. */
  readonly acceptedAt: number
  /** Time of the first poll. */
  readonly firstPolledAt: number
  readonly pendingAhead: number
  /** Allowed duration from the first poll on. */
  readonly allowedMs: number
  /** Pause before the next poll. */
  pauseMs: number
  /** Pause after the next poll. */
  nextPauseMs: number
  /** Age of the run at the last poll. */
  pendingMs?: number
}

/** Initial estimate of a run's duration, and limits of the pause between polls. */
const pollPausesMs = { first: 40, shortest: 10, longest: 1_000 } as const
/** Pause after the first poll as a share of a run, and growth of later pauses. */
const pauseGrowth = { second: 0.2, others: 1.5 } as const
/** Multiple of the typical duration after which a run is suspected to be overdue. */
const overdueFactor = 4
/**
 * Smoothing of the estimate: decay if the first poll already finds the run finished, else the weight of the new value.
 */
const estimateWeights = { down: 0.9, seen: 0.3 } as const

/** An estimate of how long runs take, from those that were seen to end, ms. */
export type RunDurationEstimate = ReturnType<typeof createRunDurationEstimate>

/** Creates the estimate of how long runs take. */
export const createRunDurationEstimate = () => ({
  /** Running estimate of a run's duration. */
  typicalMs: pollPausesMs.first as number,
  /** Minimum duration before a run is suspected to be overdue. */
  overdueMs: 1_000,
  /** Time of the last arranged failure, on the clock of the target. */
  failureArrangedAt: Number.NEGATIVE_INFINITY,
})

/** A run that was accepted, and is not known to be over. */
interface PendingRun {
  readonly tenant: StepTenant
  /** Id of its task. */
  readonly id: string
  /** Time of acceptance, on the clock of the target. */
  readonly acceptedAt: number
  /** Event id of its request; undefined if the answer was lost. */
  readonly requestId: number | undefined
  /** Number of runs pending before it. */
  readonly queuedBehind: number
  /** Event ids of its own request and of concurrently pending runs. */
  readonly concurrentRequests: number[]
  /** Set when overdue: the violation, the re-check, the final deadline. */
  overdue?: OverdueRun
}

interface OverdueRun {
  readonly violation: ModelViolation
  readonly recheck: CallStep
  /** ms on the clock of the target. */
  readonly deadline: number
}

/** Runs that a search has started and not yet seen to end. */
export class PendingRuns {
  readonly #runTimes: RunDurationEstimate
  /** Pending runs by organization and task. */
  readonly #accepted = new Map<string, PendingRun>()
  /** Polling states by the awaiting step. */
  readonly #polls = new Map<number, RunPoll>()

  constructor(runTimes: RunDurationEstimate) {
    this.#runTimes = runTimes
  }

  /** Runs that neither ended nor count as overdue. */
  get pending(): PendingRun[] {
    return [...this.#accepted.values()].filter(({ overdue }) => overdue === undefined)
  }

  /** The runs that did not end in time. */
  get overdueRuns(): OverdueRun[] {
    return [...this.#accepted.values()].flatMap(({ overdue }) => overdue ?? [])
  }

  /** Adds a run that a request has started or queued. */
  accept(tenant: StepTenant, id: string, now: number, requestId: number | undefined): void {
    const going = this.#ofTenant(tenant)
    const own = requestId === undefined ? [] : [requestId]
    for (const { concurrentRequests } of going) concurrentRequests.push(...own)
    const concurrentRequests = [...going.flatMap((one) => one.requestId ?? []), ...own]
    const run = { tenant, id, acceptedAt: now, requestId, queuedBehind: going.length, concurrentRequests }
    this.#accepted.set(keyOf(tenant, id), run)
  }

  /** Event ids of a run's request and of concurrent ones. */
  concurrentRequestsOf(tenant: StepTenant, id: string): readonly number[] {
    return this.#run(tenant, id)?.concurrentRequests ?? []
  }

  /** True if a run takes much longer than others did. */
  isUnusuallyLong({ firstPolledAt, pendingAhead }: RunPoll, now: number): boolean {
    const { overdueMs, typicalMs } = this.#runTimes
    return now - firstPolledAt >= Math.max(overdueMs, overdueFactor * typicalMs * (1 + pendingAhead))
  }

  /** Returns the polling state of a task's pending run, or undefined if none is pending. `isFirst`: not polled yet. */
  startPolling(stepId: number, tenant: StepTenant, id: string, now: number, runTimeout: number) {
    const run = this.#run(tenant, id)
    const known = this.#polls.get(stepId)
    if (run === undefined || run.overdue) return undefined
    if (known?.acceptedAt === run.acceptedAt) return { poll: known, isFirst: false }
    const { typicalMs } = this.#runTimes
    const pendingAhead = this.#ofTenant(tenant).length
    const poll: RunPoll = {
      acceptedAt: run.acceptedAt,
      firstPolledAt: now,
      pendingAhead,
      allowedMs: runTimeout * (1 + pendingAhead),
      pauseMs: Math.max(1, typicalMs * (1 + run.queuedBehind) - (now - run.acceptedAt)),
      nextPauseMs: typicalMs * pauseGrowth.second,
    }
    this.#polls.set(stepId, poll)
    return { poll, isFirst: true }
  }

  /** Records a poll that found the run pending; the next pause is longer. */
  recordPending(poll: RunPoll, now: number): void {
    poll.pendingMs = now - poll.acceptedAt
    poll.pauseMs = Math.min(Math.max(poll.nextPauseMs, pollPausesMs.shortest), pollPausesMs.longest)
    poll.nextPauseMs = poll.pauseMs * pauseGrowth.others
  }

  /** Records the end of a run. */
  recordEnd(stepId: number, tenant: StepTenant, id: string, now: number): void {
    const run = this.#run(tenant, id)
    if (run?.queuedBehind === 0)
      this.#updateEstimate(now - run.acceptedAt, this.#polls.get(stepId)?.pendingMs)
    this.forget(stepId, tenant, id)
  }

  /** Marks a run as overdue. Later runs may still be queued behind it. */
  markOverdue(stepId: number, tenant: StepTenant, id: string, overdue: OverdueRun): void {
    const run = this.#run(tenant, id)
    if (run) run.overdue = overdue
    this.#polls.delete(stepId)
  }

  /** Stops waiting for a run. */
  forget(stepId: number, tenant: StepTenant, id: string): void {
    this.#accepted.delete(keyOf(tenant, id))
    this.#polls.delete(stepId)
  }

  #run(tenant: StepTenant, id: string): PendingRun | undefined {
    return this.#accepted.get(keyOf(tenant, id))
  }

  #ofTenant(tenant: StepTenant): PendingRun[] {
    return [...this.#accepted.values()].filter((one) => one.tenant === tenant)
  }

  /** Updates the estimate from a run that took at most `most` ms and, if known, at least `least`. */
  #updateEstimate(most: number, least: number | undefined): void {
    const { typicalMs } = this.#runTimes
    const next =
      least === undefined
        ? Math.min(typicalMs, most) * estimateWeights.down
        : typicalMs + ((least + most) / 2 - typicalMs) * estimateWeights.seen
    this.#runTimes.typicalMs = Math.min(next, pollPausesMs.longest)
  }
}

const keyOf = (tenant: StepTenant, id: string) => `${tenant} ${id}`
