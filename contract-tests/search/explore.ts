/** Searches a service for sequences, crowds and races that break a requirement. */
import { createdSecret } from '#traffic/curl.ts'
import { Unreachable } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import { quietTime } from '../harness/deadlines.ts'
import { createdIn } from '../harness/operations.ts'
import { keysLeft, RunState } from '../harness/run-state.ts'
import { judgedBy, type Settings } from '../harness/terms.ts'
import { judge, type ModelViolation } from '../model/index.ts'
import { offersOf } from './draw.ts'
import { assumeNone, deleteKeys, envOf, freshOrganizations } from './env.ts'
import { createExecutor } from './executor.ts'
import { createFindings, type Finding, type Shown } from './findings.ts'
import { createInventory, createOtherClients } from './inventory.ts'
import { investigate, type Search } from './investigation.ts'
import { Log } from './log.ts'
import { workerKinds } from './moves/index.ts'
import { createRandom } from './random.ts'
import { type Replay, replay } from './replay.ts'
import type { SavedHistory } from './saved.ts'
import { enough } from './shrink.ts'
import { type CallStep, runnersOf, type Step, type Tenant } from './step.ts'
import { changeOf } from './still.ts'
import { comparesBalances, endingsOf } from './variants.ts'
import { OutOfTime } from './wire.ts'
import { createWorker, situationOf, type Worker } from './worker.ts'

/** How much longer an investigation may last than a search of that many ms; what it leaves is cleaned up after that. */
export const overrunOf = (ms: number): number => Math.min(ms / 4, 8_000)
/** ms for what is torn down and deleted at the end. */
const cleaningUp = 5_000
/** How often a saved history is tried: one whose order depends on chance more often. */
const mostReplays = { ordinary: 2, race: 6 } as const

/** A search of a service, which has not begun. */
export function createExplorer(
  settings: Settings,
  target: Target,
  { until, seed, clients }: ExploreOptions,
  signal?: AbortSignal,
) {
  const t = new TestContext({ settings, target, run: new RunState(settings), signal })
  const env = envOf(t)
  const { wire, end } = env
  const lateness = assumeNone(settings)
  const executor = createExecutor(env, undefined, lateness)
  const inventory = createInventory()
  const otherClients = createOtherClients(t.runId, env.made)
  const found = createFindings(wire, settings, otherClients)
  const offers = offersOf(settings, clients, lateness, env.runTimes)
  const { tenants } = offers
  let [numbers, replays, steps] = [0, 0, 0]
  const next = () => ++numbers
  const newTag = () => `(${t.runId}-${++replays})`
  const log = new Log()
  const fresh = freshOrganizations(env)
  const search: Search = { env, executor, log, inventory, found, lateness, fresh, next, newTag }
  /** The situations that were met. */
  const situations = new Set<string>()
  const shared = {
    ...{ inventory, random: createRandom(seed), offers, next, newTag },
    now: () => target.now(),
    tearDown: () => executor.tearDown(),
    isKept: (tenant: Tenant, by: object) =>
      workers.some((worker) => worker !== by && worker.keeps === tenant),
  }
  const workers: readonly Worker[] = workerKinds
    .filter((kind) => kind.tenants.some((tenant) => tenants.includes(tenant)))
    .map((kind) => createWorker(shared, kind))
  /** The worker that it is the turn of. */
  let turn: Worker | undefined
  /** The requirement whose violation is being looked into. */
  let looking: string | undefined
  /** ms for which others are watched in the end. */
  const watching = () => (found.mayBeOfOthers ? quietTime : 0)

  const explorer = {
    t,
    wire,
    /** Why the search ended before its time; undefined: it did not. */
    endedEarly: undefined as string | undefined,
    get findings(): Finding[] {
      return found.all
    },
    /** The requirements that some answer bore on. */
    tried: executor.tried,
    /** Requests that were sent. */
    get requests(): number {
      return wire.sent + fresh.requests
    },
    progress: (): Progress => ({
      ...{ findings: found.all, requirements: executor.tried.size },
      ...{ looking, steps, situations: situations.size },
    }),
    run,
    retry,
  }
  return explorer

  /** Searches until time or steps are used up, `isEnough` says so, or the signal aborts. */
  async function run(isEnough: (progress: Progress) => boolean = () => false): Promise<void> {
    const started = performance.now()
    if ('ms' in until) {
      const most = until.ms + overrunOf(until.ms)
      wire.deadline = target.now() + most
      end.at = started + most
    }
    wire.onAnswer = () => void isEnough(explorer.progress())
    wire.listeners.add(executor)
    executor.onAnswer = (call, exchange) => {
      steps++
      inventory.note(call, exchange)
      otherClients.note(call, exchange)
      const met = situations.size
      if (situations.add(situationOf(call, exchange, inventory)).size > met && turn) turn.news++
    }
    executor.onEnd = (of) => inventory.noteEnd(of)
    const isOver = () =>
      t.isInterrupted ||
      ('ms' in until ? performance.now() - started >= until.ms - watching() : steps >= until.steps) ||
      isEnough(explorer.progress())
    await withCredits(async () => {
      try {
        while (!isOver()) await advance()
      } catch (error) {
        if (error instanceof OutOfTime)
          explorer.endedEarly = t.isInterrupted ? 'it was interrupted' : error.message
        else if (error instanceof Unreachable) t.run.unreachable = error.message
        else throw error
      } finally {
        wire.deadline = Number.POSITIVE_INFINITY
        wire.onAnswer = undefined
        if (Number.isFinite(end.at)) end.at = performance.now() + cleaningUp
        for (const lost of await executor.lookForLost())
          if (found.isNews(lost))
            found.add(lost, { how: 'once', times: 0, steps: [], requests: 1 }, lost.because)
        await executor.tearDown()
      }
    })
  }

  /** Does something with balances that can be arranged, puts them back, and deletes what keys it made. */
  async function withCredits<T>(action: () => Promise<T>): Promise<T> {
    await env.creditSource.open(tenants)
    try {
      const result = await action()
      await watchOthers()
      return result
    } finally {
      await env.creditSource.close()
      if (t.run.unreachable === undefined) await deleteKeys(env, tenants.filter(offers.session))
    }
  }

  /** Looks whether somebody else is at work, where that could have caused what was found. */
  async function watchOthers(): Promise<void> {
    if (watching() === 0 || t.isInterrupted || t.run.unreachable !== undefined) return
    await executor.calm()
    if (executor.hasRuns) return
    await Promise.all(
      tenants.map(async (tenant) => {
        const change = await changeOf(env, tenant)
        if (change !== undefined) otherClients.noticed.set(tenant, change)
      }),
    )
  }

  /** Tries a saved history; returns whether it showed a violation. */
  function retry({ steps: saved, requirement }: SavedHistory): Promise<boolean> {
    const most = saved.some(({ kind }) => kind === 'burst') ? mostReplays.race : mostReplays.ordinary
    return withCredits(async () => {
      let shown: Shown | undefined
      let [times, requests] = [0, 0]
      for (let i = 0; i < most && times < enough; i++) {
        const done = await replay(env, saved, newTag(), requirement, executor.state.finalStatuses)
        for (const id of done.executor.tried) executor.tried.add(id)
        requests += done.requests
        const violation = done.violation ?? (await toldLater(saved, done))
        if (!violation) continue
        times++
        shown = { ...done, violation }
      }
      if (!shown) return false
      const events = shown.executor.eventsUntil(shown.violation.because.at(-1) ?? 0)
      found.add(shown.violation, { how: 'replayed', times, steps: saved, requests }, events, shown)
      return true
    })
  }

  /** What a replay shows once it is known how failed runs end, where it was not: that is learned after it. */
  async function toldLater(saved: readonly Step[], done: Replay): Promise<ModelViolation | undefined> {
    const { finalStatuses } = done.executor.state
    const isKnown = (tenant: Tenant) =>
      [finalStatuses.failed, finalStatuses.ordinary].every((all) =>
        [...all].some((one) => one.startsWith(`${tenant} `)),
      )
    const unknown = new Set(runnersOf(saved).filter((tenant) => !isKnown(tenant)))
    if (unknown.size === 0 || !offers.states) return undefined
    for (const tenant of unknown) await replay(env, endingsOf(tenant, next), newTag(), '', finalStatuses)
    const own = done.wire.history.filter(({ id }) => done.executor.stepOf(id) !== undefined)
    const { violations } = judge(own, { ...judgedBy(settings), finalStatuses })
    return violations.find(({ rule }) => comparesBalances(rule))
  }

  /** Does steps of the first worker that need not wait, until it must; if all must, waits. */
  async function advance(): Promise<void> {
    const now = t.target.now()
    const worker = workers.find(({ due }) => due <= now)
    if (!worker) return t.target.sleep(Math.min(...workers.map(({ due }) => due)) - now)
    turn = worker
    inventory.case = worker.case
    await worker.draw()
    executor.tag = worker.tag
    const isFirst = () => worker === workers.find(({ due }) => due <= t.target.now())
    while (worker.step && isFirst() && !t.isInterrupted) {
      if (!worker.isAwaiting) note(worker.step, worker)
      worker.paused(await executor.perform(worker.step))
      const [violation, suspicion] = [executor.violations, executor.suspicions].map((all) =>
        all.splice(0).find((one) => found.isNews(one)),
      )
      const news = violation ?? suspicion
      if (!news) continue
      noteLook(worker, news)
      worker.abandon()
      looking = news.requirement
      await investigate(search, news, !violation || news.requirement === 'LIST-PROMPT')
      looking = undefined
      return
    }
  }

  function note(step: Step, worker: Worker): void {
    log.add({ step, ms: t.target.now(), case: worker.case })
    if (step.kind === 'state' && step.state === 'credits')
      inventory.credits.set(step.tenant, Number(step.params.credits))
  }

  /** A violation that shows when a run is awaited is shown by a reading of its own. */
  function noteLook(worker: Worker, { because }: ModelViolation): void {
    const [{ step }, last] = [worker, because.at(-1)]
    if (step?.kind !== 'end' || last === undefined || executor.stepOf(last) !== step.at) return
    const look: CallStep = { ...step, kind: 'call', at: next(), as: 'key', operation: 'getTask' }
    note(look, worker)
    executor.note(look.at, last)
  }
}

/** What a search came to. Durations in ms. */
export type Exploration = Awaited<ReturnType<typeof explore>>

/** Tries saved histories on a service, and searches it after that unless `replayOnly` is set. */
export async function explore(
  settings: Settings,
  target: Target,
  options: ExploreOptions & { readonly saved?: readonly SavedHistory[]; readonly replayOnly?: boolean },
  progress: (progress: Progress) => void = () => undefined,
  signal?: AbortSignal,
) {
  const started = performance.now()
  const explorer = createExplorer(settings, target, options, signal)
  const { t, wire } = explorer
  /** The saved histories that were tried, and whether they showed a violation. */
  const retried = new Map<SavedHistory, boolean>()
  try {
    for (const one of options.saved ?? []) if (!t.isInterrupted) retried.set(one, await explorer.retry(one))
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    t.run.unreachable = error.message
  }
  if (!options.replayOnly && t.run.unreachable === undefined)
    await explorer.run((state) => {
      progress(state)
      return false
    })
  const { findings, tried, requests, endedEarly } = explorer
  const { steps, situations } = explorer.progress()
  return {
    ...{ findings, tried, steps, situations, requests, retried, ended_early: endedEarly },
    unreachable: t.run.unreachable,
    history: wire.history,
    /** Work Credits of the operator that were spent; those that a state arranged do not count. */
    spent: t.budget.spent,
    created: createdIn(t.recorder.exchanges),
    secrets: t.secrets.map(({ secret }) => createdSecret(secret)),
    left: keysLeft(t.keys),
    duration_ms: performance.now() - started,
    gaps: t.recorder.notWaited.size > 0 ? [`The search ended early: ${endedEarly}.`] : [],
    /** Whether a key of the operator was refused for good. */
    is_revoked: t.recorder.revoked.size > 0,
  }
}

/** How long to search, and how. */
export interface ExploreOptions {
  /** ms of real time, or steps. */
  readonly until: { readonly ms: number } | { readonly steps: number }
  readonly seed: number
  /** Most requests at once. */
  readonly clients: number
}

/** How far the search is. */
export interface Progress {
  readonly steps: number
  readonly situations: number
  readonly requirements: number
  readonly findings: readonly Finding[]
  /** The requirement whose violation is being looked into. */
  readonly looking?: string | undefined
}
