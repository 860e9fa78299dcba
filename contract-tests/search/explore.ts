/** Searches a service for sequences and races of requests that violate a requirement. */
import { seededDraws } from '#contract/random.ts'
import { createdSecret } from '#traffic/curl.ts'
import { Unreachable } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import { quietMs } from '../harness/deadlines.ts'
import { createdIn } from '../harness/operations.ts'
import { RunState, remainingKeysText } from '../harness/run-state.ts'
import type { Settings } from '../harness/terms.ts'
import type { ModelViolation } from '../model/index.ts'
import { createSearchEnv, deleteKeys } from './execute/env.ts'
import { Executor } from './execute/executor.ts'
import { detectForeignChange, InterferenceMonitor } from './execute/interference.ts'
import { createLatencyAssumption } from './execute/latency-assumption.ts'
import { OutOfTime } from './execute/transport.ts'
import { workerKinds } from './generate/commands/index.ts'
import { capabilitiesOf } from './generate/generator.ts'
import { Inventory } from './generate/inventory.ts'
import { coverageKeyOf, createWorker, type Worker } from './generate/worker.ts'
import { type Finding, Findings } from './report/findings.ts'
import type { SavedHistory } from './report/saved.ts'
import { type InvestigationContext, investigate } from './reproduce/investigation.ts'
import { createIsolatedTenants } from './reproduce/isolated-tenants.ts'
import { replaySaved } from './reproduce/saved-replay.ts'
import { StepLog } from './reproduce/step-log.ts'
import type { CallStep, Step, Tenant } from './step.ts'

/** Extra time that an investigation may take after a search of `ms`. Clean-up comes on top. */
export const maxOverrunMs = (ms: number): number => Math.min(ms / 4, 8_000)
/** Time reserved for teardown and deletion. */
const cleanUpMs = 5_000

/** Creates a search of a service without starting it. */
export function createExplorer(
  settings: Settings,
  target: Target,
  { until, seed, clients }: ExploreOptions,
  signal?: AbortSignal,
) {
  const t = new TestContext({ settings, target, run: new RunState(settings), signal })
  const env = createSearchEnv(t)
  const { transport, deadline } = env
  const latency = createLatencyAssumption(settings)
  const executor = new Executor(env, undefined, latency)
  const inventory = new Inventory()
  const interference = new InterferenceMonitor(t.runId, env.createdIds)
  const found = new Findings(transport, settings, interference)
  const capabilities = capabilitiesOf(settings, clients, latency, env.runTimes)
  const { tenants } = capabilities
  let [lastStepId, tagCount, steps] = [0, 0, 0]
  const nextStepId = () => ++lastStepId
  const newTag = () => `(${t.runId}-${++tagCount})`
  const log = new StepLog()
  const isolatedTenants = createIsolatedTenants(env)
  const search: InvestigationContext = {
    env,
    executor,
    log,
    inventory,
    found,
    latency,
    isolatedTenants,
    nextStepId,
    newTag,
  }
  /** Coverage keys seen so far. */
  const coverage = new Set<string>()
  const shared = {
    ...{ inventory, random: seededDraws(seed), capabilities, nextStepId, newTag },
    now: () => target.now(),
    tearDown: () => executor.tearDown(),
    isReserved: (tenant: Tenant, by: object) =>
      workers.some((worker) => worker !== by && worker.reservedTenant === tenant),
  }
  const workers: readonly Worker[] = workerKinds
    .filter((kind) => kind.tenants.some((tenant) => tenants.includes(tenant)))
    .map((kind) => createWorker(shared, kind))
  /** The worker whose step is being performed. */
  let activeWorker: Worker | undefined
  /** The requirement whose violation is being looked into. */
  let investigating: string | undefined
  /** Duration of the final watch for other users. */
  const interferenceWatchMs = () => (found.mayBeForeign ? quietMs : 0)

  const explorer = {
    t,
    transport,
    /** Reason for an early end, if any. */
    endedEarly: undefined as string | undefined,
    get findings(): Finding[] {
      return found.all
    },
    /** Requirements that some answer exercised. */
    exercised: executor.exercised,
    /** Requests that were sent. */
    get requests(): number {
      return transport.sent + isolatedTenants.requests
    },
    /** Credentials of organizations that were opened for a try. */
    secrets: isolatedTenants.secrets,
    progress: (): Progress => ({
      ...{ findings: found.all, requirements: executor.exercised.size },
      ...{ investigating, steps, coverage: coverage.size },
    }),
    run,
    /** Replays a saved history; true if it violates a requirement again. */
    replaySaved: (saved: SavedHistory) => withArrangedCredits(() => replaySaved(search, saved)),
  }
  return explorer

  /** Runs the search until its time or steps are used up, `isEnough` returns true, or the signal aborts. */
  async function run(isEnough: (progress: Progress) => boolean = () => false): Promise<void> {
    const started = performance.now()
    if ('ms' in until) {
      const most = until.ms + maxOverrunMs(until.ms)
      transport.deadline = target.now() + most
      deadline.atMs = started + most
    }
    transport.onAnswer = () => void isEnough(explorer.progress())
    transport.listeners.add(executor)
    executor.onAnswer = (call, exchange) => {
      steps++
      inventory.recordAnswer(call, exchange)
      interference.recordAnswer(call, exchange)
      const met = coverage.size
      if (coverage.add(coverageKeyOf(call, exchange, inventory)).size > met && activeWorker)
        activeWorker.newCoverage++
    }
    executor.onEnd = (target) => inventory.recordRunEnd(target)
    const isOver = () =>
      t.isInterrupted ||
      ('ms' in until
        ? performance.now() - started >= until.ms - interferenceWatchMs()
        : steps >= until.steps) ||
      isEnough(explorer.progress())
    await withArrangedCredits(async () => {
      try {
        while (!isOver()) await performDueSteps()
      } catch (error) {
        if (error instanceof OutOfTime)
          explorer.endedEarly = t.isInterrupted ? 'it was interrupted' : error.message
        else if (error instanceof Unreachable) t.run.unreachable = error.message
        else throw error
      } finally {
        transport.deadline = Number.POSITIVE_INFINITY
        transport.onAnswer = undefined
        if (Number.isFinite(deadline.atMs)) deadline.atMs = performance.now() + cleanUpMs
        for (const overdue of await executor.recheckOverdueRuns())
          if (found.isWorthReproducing(overdue))
            found.add(overdue, { how: 'once', times: 0, steps: [], requests: 1 }, overdue.evidence)
        await executor.tearDown()
      }
    })
  }

  /** Runs an action with arranged balances, then restores them and deletes created keys. */
  async function withArrangedCredits<T>(action: () => Promise<T>): Promise<T> {
    await env.creditSource.openAccounts(tenants)
    try {
      const result = await action()
      await watchForInterference()
      return result
    } finally {
      await env.creditSource.restoreBalances()
      if (t.run.unreachable === undefined) await deleteKeys(env, tenants.filter(capabilities.hasSession))
    }
  }

  /** Watches for other users if they could have caused a finding. */
  async function watchForInterference(): Promise<void> {
    if (interferenceWatchMs() === 0 || t.isInterrupted || t.run.unreachable !== undefined) return
    await executor.awaitAllRuns()
    if (executor.hasPendingRuns) return
    await Promise.all(
      tenants.map(async (tenant) => {
        const change = await detectForeignChange(env, tenant)
        if (change !== undefined) interference.noticed.set(tenant, change)
      }),
    )
  }

  /** Performs steps of the first worker that is due, until it has to wait; sleeps if none is due. */
  async function performDueSteps(): Promise<void> {
    const now = t.target.now()
    const worker = workers.find(({ dueAt }) => dueAt <= now)
    if (!worker) return t.target.sleep(Math.min(...workers.map(({ dueAt }) => dueAt)) - now)
    activeWorker = worker
    inventory.case = worker.case
    await worker.generateNext()
    executor.tag = worker.tag
    const isFirst = () => worker === workers.find(({ dueAt }) => dueAt <= t.target.now())
    while (worker.step && isFirst() && !t.isInterrupted) {
      if (!worker.isStepPending) recordStep(worker.step, worker)
      worker.recordPause(await executor.perform(worker.step))
      const [violation, suspicion] = [executor.violations, executor.suspicions].map((all) =>
        all.splice(0).find((one) => found.isWorthReproducing(one)),
      )
      const news = violation ?? suspicion
      if (!news) continue
      recordAwaitAsRead(worker, news)
      worker.abandon()
      investigating = news.requirement
      await investigate(search, news, !violation || news.requirement === 'LIST-PROMPT')
      investigating = undefined
      return
    }
  }

  function recordStep(step: Step, worker: Worker): void {
    log.add({ step, startedAtMs: t.target.now(), case: worker.case })
    if (step.kind === 'state' && step.state === 'credits')
      inventory.credits.set(step.tenant, Number(step.params.credits))
  }

  /** Logs a poll that showed a violation as a read of its own, so that replays contain it. */
  function recordAwaitAsRead(worker: Worker, { evidence }: ModelViolation): void {
    const [{ step }, last] = [worker, evidence.at(-1)]
    if (step?.kind !== 'awaitRun' || last === undefined || executor.stepOf(last) !== step.stepId) return
    const look: CallStep = {
      ...step,
      kind: 'call',
      stepId: nextStepId(),
      credential: 'key',
      operation: 'getTask',
    }
    recordStep(look, worker)
    executor.recordEvent(look.stepId, last)
  }
}

/** Results of a search. Durations in ms. */
export type Exploration = Awaited<ReturnType<typeof explore>>

/** Replays saved histories, then searches the service unless `replayOnly` is set. */
export async function explore(
  settings: Settings,
  target: Target,
  options: ExploreOptions & { readonly saved?: readonly SavedHistory[]; readonly replayOnly?: boolean },
  onProgress: (progress: Progress) => void = () => undefined,
  signal?: AbortSignal,
) {
  const started = performance.now()
  const explorer = createExplorer(settings, target, options, signal)
  const { t, transport } = explorer
  /** Saved histories, and whether they violated a requirement again. */
  const replayed = new Map<SavedHistory, boolean>()
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
  const { steps, coverage } = explorer.progress()
  return {
    ...{ findings, exercised, steps, coverage, requests, replayed, ended_early: endedEarly },
    unreachable: t.run.unreachable,
    history: transport.history,
    /** Credits spent from the operator's budget, without arranged ones. */
    spent: t.budget.spent,
    created: createdIn(t.recorder.exchanges),
    secrets: [...t.secrets.map(({ secret }) => createdSecret(secret)), ...explorer.secrets],
    left: remainingKeysText(t.keys),
    duration_ms: performance.now() - started,
    gaps: t.recorder.notWaited.size > 0 ? [`The search ended early: ${endedEarly}.`] : [],
    /** Whether a key of the operator was refused for good. */
    is_revoked: t.recorder.revoked.size > 0,
  }
}

/** Duration, seed and concurrency of a search. */
export interface ExploreOptions {
  /** ms of real time, or steps. */
  readonly until: { readonly ms: number } | { readonly steps: number }
  readonly seed: number
  /** Most requests at once. */
  readonly clients: number
}

/** Progress of a search. */
export interface Progress {
  readonly steps: number
  readonly coverage: number
  readonly requirements: number
  readonly findings: readonly Finding[]
  /** The requirement whose violation is being looked into. */
  readonly investigating?: string | undefined
}
