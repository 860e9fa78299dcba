/** Reproduces a violation by replaying histories in the search's own organizations or in isolated tenants. */
import { judgeHistory, type ModelViolation } from '../../model/index.ts'
import type { SearchEnvironment } from '../execute/env.ts'
import type { Executor } from '../execute/executor.ts'
import type { LatencyAssumption } from '../execute/latency-assumption.ts'
import {
  estimatedMsOf,
  estimatedRequestCountOf,
  payerOfEachPaidRequest,
  requestsOfStep,
  type Step,
} from '../step.ts'
import { createStepSelector, type ExecutedSearch } from './cited-scope.ts'
import { type ReproducedSteps, replaySteps } from './replay.ts'
import { comparesBalances } from './step-transforms.ts'
import { isRace } from './strategies.ts'

/** The number of replays that must show a violation to confirm a finding. */
export const requiredReproductions = 2

/** Budget of a confirmation. */
const confirmLimits: ReproductionLimits = { requests: 1_000, ms: 40_000 }
/** Maximum number of steps whose recorded answers are judged again before a replay is sent. */
const maxJudgedSteps = 150

/** The parts of a search that are needed to replay its steps. */
export interface ReproductionContext extends ExecutedSearch {
  readonly env: SearchEnvironment
  readonly executor: Executor
  /** The assumption on how late changes show, under which steps are replayed until they are minimized. */
  readonly latency: LatencyAssumption
  newTag(): string
}

/** The most requests and the most time (ms) that reproductions may use. */
export interface ReproductionLimits {
  readonly requests: number
  readonly ms: number
}

/** A function that returns whether the remaining requests and time suffice for replaying some steps. */
export type BudgetCheck = (steps: readonly Step[]) => boolean

const stepIdsOf = (steps: readonly Step[]) =>
  new Set(steps.flatMap((step) => [step, ...requestsOfStep(step)].map(({ stepId }) => stepId)))

/** Ids of requests, without provider states. */
const requestIdsOf = (steps: readonly Step[]) => stepIdsOf(steps.filter(({ kind }) => kind !== 'state'))

/** Replays histories to see whether a violation shows again. */
export class Reproducer {
  readonly search: ReproductionContext
  readonly violation: ModelViolation
  /** Ids of the cited steps and of those that they depend on. */
  readonly requiredSteps: ReadonlySet<number>
  /** Number of requests sent. */
  requests = 0
  /** The last reproduction. The first one may violate any requirement, later ones only the same. */
  last: ReproducedSteps | undefined
  readonly #envFor: ((steps: readonly Step[]) => Promise<SearchEnvironment>) | undefined
  /** The wanted requirement: the violation's, or that of the last reproduction. */
  #requirement: string
  /** True if the violation concerns keys, and may depend on how many exist. */
  readonly #concernsKeys: boolean
  /** Ids of sequences that did not reproduce. */
  readonly #failed: ReadonlySet<number>[] = []

  /** `envFor` opens isolated tenants; without it, steps are replayed in the search's own organizations. */
  constructor(
    search: ReproductionContext,
    violation: ModelViolation,
    envFor?: (steps: readonly Step[]) => Promise<SearchEnvironment>,
  ) {
    this.search = search
    this.violation = violation
    this.#envFor = envFor
    this.#requirement = violation.requirement
    const { requiredSteps, concernsKeys } = createStepSelector(search, violation, false)
    this.requiredSteps = requiredSteps
    this.#concernsKeys = concernsKeys
  }

  get isIsolated(): boolean {
    return this.#envFor !== undefined
  }

  /** Starts a budget. Without the latency assumption, replays may take longer. */
  budgetOf({ requests, ms }: ReproductionLimits): BudgetCheck {
    const { env, latency } = this.search
    const { target } = env.t
    const most = this.requests + requests
    const until = target.now() + ms + (latency.isOptimistic ? 0 : 3 * env.replayWaits.afterFailureMs)
    return (steps) =>
      estimatedRequestCountOf(steps) <= most - this.requests &&
      estimatedMsOf(steps) <= Math.min(until - target.now(), env.deadline.msLeft) &&
      env.deadline.msLeft > 0
  }

  /** Replays steps if the budget allows. Returns the reproduction, if any. */
  async replay(
    steps: readonly Step[],
    budget: BudgetCheck,
    withoutAssumption = false,
  ): Promise<ReproducedSteps | undefined> {
    const { env, executor, latency, newTag } = this.search
    if (!budget(steps) || !env.creditSource.allows(payerOfEachPaidRequest(steps))) return undefined
    const attempt = await replaySteps(
      (await this.#envFor?.(steps)) ?? env,
      steps,
      newTag(),
      this.#requirement,
      executor.state.finalStatuses,
      {
        latency: withoutAssumption || !latency.isOptimistic ? undefined : latency,
        deletesKeysAfter: this.#concernsKeys,
      },
    )
    this.requests += attempt.requests
    const { violation, isCertain } = attempt
    if (!violation && !withoutAssumption) this.#failed.push(requestIdsOf(steps))
    // Another requirement is accepted at first, and once more if it alone is certain.
    const acceptsOther = !this.last || (isCertain && this.last.times === 0)
    if (!violation || (violation.requirement !== this.#requirement && !acceptsOther)) return undefined
    this.#requirement = violation.requirement
    const upTo = attempt.log.entries.map(({ step }) => step)
    this.last = { steps: upTo, shown: { ...attempt, violation }, times: isCertain ? 1 : 0 }
    return this.last
  }

  /** Replays steps until they reproduced often enough. `known` counts earlier reproductions. */
  async confirm(steps: readonly Step[], known: number): Promise<ReproducedSteps | undefined> {
    const { env } = this.search
    const { now, sleep } = env.t.target
    const budget = this.budgetOf(confirmLimits)
    for (let [times, failed] = [known, 0]; ; ) {
      // Refunds of earlier failures may still arrive.
      const until = comparesBalances(this.violation)
        ? env.runTimes.failureArrangedAt + env.replayWaits.afterFailureMs
        : 0
      if (!this.isIsolated) await sleep(Math.min(Math.max(0, until - now()), env.deadline.msLeft))
      const shown = await this.replay(steps, budget, true)
      if (shown) times++
      else failed++
      if (shown && times >= requiredReproductions) return { ...shown, steps, times }
      if (failed > (times > 0 || isRace(this.search, this.violation, steps) ? 1 : 0)) return undefined
    }
  }

  /** True if fewer steps are worth a replay: no larger sequence failed, and their recorded answers still contradict. */
  mayReproduce({ shown }: ReproducedSteps, steps: readonly Step[]): boolean {
    const sent = requestIdsOf(steps)
    if (this.#failed.some((one) => sent.isSubsetOf(one))) return false
    const { violation, transport, executor } = shown
    if (violation.rule === 'run-ends' || steps.length > maxJudgedSteps) return true
    const ids = stepIdsOf(steps)
    const events = transport.history.filter(({ id }) => ids.has(executor.stepOf(id) ?? Number.NaN))
    // Lateness can only be judged with the real consistency time.
    const { consistency, runTimeout } =
      violation.requirement === 'LIST-PROMPT' ? this.search.env.t.settings : { consistency: 0, runTimeout: 0 }
    const { finalStatuses } = this.search.executor.state
    const { violations } = judgeHistory(events, { consistency, runTimeout, finalStatuses })
    return violations.some(({ requirement }) => requirement === violation.requirement)
  }
}
