/** Searches a service for sequences and races of requests that violate a requirement. */
import { createSeededSampler } from '#contract/random.ts'
import { nameCreatedKeySecret } from '#traffic/curl.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { NamedSecret } from '#traffic/redaction.ts'
import { Unreachable } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import { balanceQuietMs } from '../harness/deadlines.ts'
import { createdResourcesIn } from '../harness/operations.ts'
import { SuiteRunState, undeletedKeyIds } from '../harness/run-state.ts'
import type { SuiteSettings } from '../harness/terms.ts'
import type { ModelViolation } from '../model/index.ts'
import { createSearchEnvironment, deleteCreatedKeys } from './execute/env.ts'
import { Executor } from './execute/executor.ts'
import { describeChangeByOthers, InterferenceMonitor } from './execute/interference.ts'
import { LatencyAssumption } from './execute/latency-assumption.ts'
import { type RecordingTransport, WaitBeyondEndError } from './execute/transport.ts'
import { parallelClientKinds } from './generate/commands/index.ts'
import { capabilitiesOf, type GeneratorCapabilities } from './generate/generator.ts'
import { ResourceInventory } from './generate/inventory.ts'
import { CaseWorker, coverageKeyOf } from './generate/worker.ts'
import { type Finding, Findings } from './report/findings.ts'
import type { FindingFileContent } from './report/saved.ts'
import { type InvestigationContext, investigateViolation } from './reproduce/investigation.ts'
import { IsolatedTenants } from './reproduce/isolated-tenants.ts'
import { replayFindingFile } from './reproduce/saved-replay.ts'
import { StepLog } from './reproduce/step-log.ts'
import type { CallStep, Step, StepTenant } from './step.ts'

/**
 * The time, ms, by which the investigation of a violation may exceed the length of a search (`ms`), without clean-up.
 */
export const maxOverrunMs = (ms: number): number => Math.min(ms / 4, 8_000)
/** Time reserved for teardown and deletion. */
const cleanUpMs = 5_000

/** A search for violations by random sequences of requests; `run` starts it. */
export class Explorer {
  readonly t: TestContext
  readonly transport: RecordingTransport
  /** Reason for an early end, if any. */
  endedEarly: string | undefined
  readonly #until: ExploreOptions['until']
  readonly #search: InvestigationContext
  readonly #interference: InterferenceMonitor
  readonly #capabilities: GeneratorCapabilities
  readonly #workers: readonly CaseWorker[]
  /** Coverage keys seen so far. */
  readonly #coverage = new Set<string>()
  #steps = 0
  /** The worker whose step is being performed. */
  #activeWorker: CaseWorker | undefined
  /** The requirement whose violation is being reproduced and minimized. */
  #investigating: string | undefined

  constructor(
    settings: SuiteSettings,
    target: Target,
    { until, seed, clients }: ExploreOptions,
    signal?: AbortSignal,
  ) {
    const t = new TestContext({ settings, target, run: new SuiteRunState(settings), signal })
    const env = createSearchEnvironment(t)
    const latency = new LatencyAssumption(settings)
    const executor = new Executor(env, undefined, latency)
    const inventory = new ResourceInventory()
    const interference = new InterferenceMonitor(t.runId, env.createdIds)
    const capabilities = capabilitiesOf(settings, clients, latency, env.runTimes)
    let [lastStepId, tagCount] = [0, 0]
    const nextStepId = () => ++lastStepId
    const newTag = () => `(${t.runId}-${++tagCount})`
    this.t = t
    this.transport = env.transport
    this.#until = until
    this.#interference = interference
    this.#capabilities = capabilities
    this.#search = {
      ...{ env, executor, inventory, latency, nextStepId, newTag },
      found: new Findings(env.transport, settings, interference),
      log: new StepLog(),
      isolatedTenants: new IsolatedTenants(env),
    }
    const shared = {
      ...{ inventory, random: createSeededSampler(seed), capabilities, nextStepId, newTag },
      now: () => target.now(),
      tearDown: () => executor.tearDown(),
      isReserved: (tenant: StepTenant, by: object) =>
        this.#workers.some((worker) => worker !== by && worker.reservedTenant === tenant),
    }
    this.#workers = parallelClientKinds
      .filter((kind) => kind.tenants.some((tenant) => capabilities.tenants.includes(tenant)))
      .map((kind) => new CaseWorker(shared, kind))
  }

  get findings(): Finding[] {
    return this.#search.found.all
  }

  /** Requirements that some answer exercised. */
  get exercised(): Set<string> {
    return this.#search.executor.exercised
  }

  /** Requests that were sent. */
  get requests(): number {
    return this.transport.sent + this.#search.isolatedTenants.requests
  }

  /** The reason why nothing could be tried in new organizations, although their credentials are declared. */
  get isolationProblem(): string | undefined {
    return this.#search.isolatedTenants.problem
  }

  /** Credentials of the organizations that were opened to replay steps. */
  get secrets(): readonly NamedSecret[] {
    return this.#search.isolatedTenants.secrets
  }

  get progress(): ExplorationProgress {
    return {
      findings: this.findings,
      requirements: this.exercised.size,
      investigating: this.#investigating,
      steps: this.#steps,
      coverage: this.#coverage.size,
    }
  }

  /** Replays a saved history; true if it violates a requirement again. */
  replaySaved(saved: FindingFileContent): Promise<boolean> {
    return this.#withArrangedCredits(() => replayFindingFile(this.#search, saved))
  }

  /** Runs the search until its time or steps are used up, `isEnough` returns true, or the signal aborts. */
  async run(isEnough: (progress: ExplorationProgress) => boolean = () => false): Promise<void> {
    const { t, transport } = this
    const { env, executor } = this.#search
    const started = performance.now()
    const until = this.#until
    if ('ms' in until) {
      const most = until.ms + maxOverrunMs(until.ms)
      transport.deadline = t.target.now() + most
      env.deadline.atMs = started + most
    }
    transport.onAnswer = () => void isEnough(this.progress)
    transport.listeners.add(executor)
    executor.onAnswer = (call, exchange) => this.#recordAnswer(call, exchange)
    executor.onEnd = (target) => this.#search.inventory.recordRunEnd(target)
    const isOver = () =>
      t.isInterrupted ||
      ('ms' in until
        ? performance.now() - started >= until.ms - this.#watchMs
        : this.#steps >= until.steps) ||
      isEnough(this.progress)
    await this.#withArrangedCredits(async () => {
      try {
        while (!isOver()) await this.#performDueSteps()
      } catch (error) {
        if (error instanceof WaitBeyondEndError)
          this.endedEarly = t.isInterrupted ? 'it was interrupted' : error.message
        else if (error instanceof Unreachable) t.run.unreachable = error.message
        else throw error
      } finally {
        await this.#end()
      }
    })
  }

  /** Duration of the final watch for other users, ms. */
  get #watchMs(): number {
    return this.#search.found.mayBeForeign ? balanceQuietMs : 0
  }

  #recordAnswer(call: CallStep, exchange: Exchange): void {
    const { inventory } = this.#search
    this.#steps++
    inventory.recordAnswer(call, exchange)
    this.#interference.recordAnswer(call, exchange)
    const met = this.#coverage.size
    if (this.#coverage.add(coverageKeyOf(call, exchange, inventory)).size > met && this.#activeWorker)
      this.#activeWorker.newCoverage++
  }

  /** Reads what is overdue once more, and tears the states down. */
  async #end(): Promise<void> {
    const { env, executor, found } = this.#search
    this.transport.deadline = Number.POSITIVE_INFINITY
    this.transport.onAnswer = undefined
    if (Number.isFinite(env.deadline.atMs)) env.deadline.atMs = performance.now() + cleanUpMs
    for (const overdue of await executor.recheckOverdueRuns())
      if (found.isWorthReproducing(overdue))
        found.add(overdue, { how: 'once', times: 0, steps: [], requests: 1 }, overdue.evidence)
    await executor.tearDown()
  }

  /** Runs an action with arranged balances, then restores them and deletes created keys. */
  async #withArrangedCredits<T>(action: () => Promise<T>): Promise<T> {
    const { env } = this.#search
    const { tenants, hasSession } = this.#capabilities
    await env.creditSource.openAccounts(tenants)
    try {
      const result = await action()
      await this.#watchForInterference()
      return result
    } finally {
      await env.creditSource.restoreBalances()
      if (this.t.run.unreachable === undefined) await deleteCreatedKeys(env, tenants.filter(hasSession))
    }
  }

  /** Watches for other users if they could have caused a finding. */
  async #watchForInterference(): Promise<void> {
    const { env, executor } = this.#search
    if (this.#watchMs === 0 || this.t.isInterrupted || this.t.run.unreachable !== undefined) return
    await executor.awaitAllRuns()
    if (executor.hasPendingRuns) return
    await Promise.all(
      this.#capabilities.tenants.map(async (tenant) => {
        const change = await describeChangeByOthers(env, tenant)
        if (change !== undefined) this.#interference.noticed.set(tenant, change)
      }),
    )
  }

  /** Performs steps of the first worker that is due, until it has to wait; sleeps if none is due. */
  async #performDueSteps(): Promise<void> {
    const { t } = this
    const { executor, found, inventory } = this.#search
    const now = t.target.now()
    const worker = this.#workers.find(({ dueAt }) => dueAt <= now)
    if (!worker) return t.target.sleep(Math.min(...this.#workers.map(({ dueAt }) => dueAt)) - now)
    this.#activeWorker = worker
    inventory.case = worker.case
    await worker.generateNext()
    executor.tag = worker.tag
    const isFirst = () => worker === this.#workers.find(({ dueAt }) => dueAt <= t.target.now())
    while (worker.step && isFirst() && !t.isInterrupted) {
      if (!worker.isStepPending) this.#recordStep(worker.step, worker)
      worker.recordPause(await executor.perform(worker.step))
      const [violation, suspicion] = [executor.violations, executor.suspicions].map((all) =>
        all.splice(0).find((one) => found.isWorthReproducing(one)),
      )
      const news = violation ?? suspicion
      if (!news) continue
      this.#recordAwaitAsRead(worker, news)
      worker.abandon()
      this.#investigating = news.requirement
      await investigateViolation(this.#search, news, !violation || news.requirement === 'LIST-PROMPT')
      this.#investigating = undefined
      return
    }
  }

  #recordStep(step: Step, worker: CaseWorker): void {
    const { log, inventory } = this.#search
    log.add({ step, startedAtMs: this.t.target.now(), case: worker.case })
    if (step.kind === 'state' && step.state === 'credits')
      inventory.credits.set(step.tenant, Number(step.params.credits))
  }

  /** Logs a poll that showed a violation as a read of its own, so that replays contain it. */
  #recordAwaitAsRead(worker: CaseWorker, { evidence }: ModelViolation): void {
    const { executor, nextStepId } = this.#search
    const [{ step }, last] = [worker, evidence.at(-1)]
    if (step?.kind !== 'awaitRun' || last === undefined || executor.stepOf(last) !== step.stepId) return
    const look: CallStep = {
      ...step,
      kind: 'call',
      stepId: nextStepId(),
      credential: 'key',
      operation: 'getTask',
    }
    this.#recordStep(look, worker)
    executor.recordEvent(look.stepId, last)
  }
}

/** Results of a search: findings, counts of requests, durations in ms. */
export type ExplorationResult = Awaited<ReturnType<typeof explore>>

/** Replays saved histories, then searches the service with random sequences unless `replayOnly` is set. */
export async function explore(
  settings: SuiteSettings,
  target: Target,
  options: ExploreOptions & { readonly saved?: readonly FindingFileContent[]; readonly replayOnly?: boolean },
  onProgress: (progress: ExplorationProgress) => void = () => undefined,
  signal?: AbortSignal,
) {
  const started = performance.now()
  const explorer = new Explorer(settings, target, options, signal)
  const { t, transport } = explorer
  /** Saved histories, and whether they violated a requirement again. */
  const replayed = new Map<FindingFileContent, boolean>()
  try {
    for (const one of options.saved ?? [])
      if (!t.isInterrupted) replayed.set(one, await explorer.replaySaved(one))
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    t.run.unreachable = error.message
  }
  if (!options.replayOnly && t.run.unreachable === undefined)
    await explorer.run((state) => {
      onProgress(state)
      return false
    })
  const { findings, exercised, requests, endedEarly } = explorer
  const { steps, coverage } = explorer.progress
  return {
    ...{ findings, exercised, steps, coverage, requests, replayed, ended_early: endedEarly },
    unreachable: t.run.unreachable,
    history: transport.history,
    /** Credits spent from the operator's budget, without arranged ones. */
    spent: t.budget.spent,
    created: createdResourcesIn(t.recorder.exchanges),
    secrets: [...t.secrets.map(({ secret }) => nameCreatedKeySecret(secret)), ...explorer.secrets],
    left: undeletedKeyIds(t.keys),
    duration_ms: performance.now() - started,
    gaps: [
      ...(t.recorder.notWaited.size > 0 ? [`The search ended early: ${endedEarly}.`] : []),
      ...(explorer.isolationProblem === undefined
        ? []
        : [`Nothing was tried in organizations that nobody has used: ${explorer.isolationProblem}.`]),
    ],
    /** True if a credential of the operator was refused for good. */
    is_revoked: t.recorder.revoked.size > 0,
  }
}

/** Length, seed and concurrency of a search. */
export interface ExploreOptions {
  /** When the search ends: after so many ms of real time, or so many steps. */
  readonly until: { readonly ms: number } | { readonly steps: number }
  readonly seed: number
  /** Most requests at once. */
  readonly clients: number
}

/**
 * Progress of a search: numbers of performed steps, of coverage keys and of judged requirements, and the findings so
 * far.
 */
export interface ExplorationProgress {
  readonly steps: number
  readonly coverage: number
  readonly requirements: number
  readonly findings: readonly Finding[]
  /** The requirement whose violation is being reproduced and minimized. */
  readonly investigating?: string | undefined
}
