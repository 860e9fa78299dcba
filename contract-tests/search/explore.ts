/** Searches a service for sequences, crowds and races that break a requirement. */

import { createdSecret } from '#traffic/curl.ts'
import { Unreachable } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import { quietTime } from '../harness/deadlines.ts'
import { createdIn } from '../harness/operations.ts'
import type { SuiteRun } from '../harness/outcome.ts'
import { keysLeft, RunState } from '../harness/run-state.ts'
import { judgedBy, type Settings } from '../harness/terms.ts'
import { judge, type ModelEvent, type ModelViolation } from '../model/index.ts'
import { type Offers, offersOf } from './draw.ts'
import { AssumedLateness, deleteKeys, envOf } from './env.ts'
import { Executor } from './executor.ts'
import { type Finding, Findings, type Shown } from './findings.ts'
import { FreshOrganizations } from './fresh.ts'
import { Inventory, OtherClients } from './inventory.ts'
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
import { OutOfTime, type Wire } from './wire.ts'
import { Novelty, Worker } from './worker.ts'

/** How much longer an investigation may last than a search of that many ms; what it leaves is cleaned up after that. */
export const overrunOf = (ms: number): number => Math.min(ms / 4, 8_000)
/** ms for what is torn down and deleted at the end. */
const cleaningUp = 5_000
/** How often a saved history is tried: one whose order depends on chance more often. */
const mostReplays = { ordinary: 2, race: 6 } as const

export class Explorer {
  readonly t: TestContext
  readonly wire: Wire
  /** Why the search ended before its time; undefined: it did not. */
  endedEarly: string | undefined
  readonly #options: ExploreOptions
  readonly #signal: AbortSignal | undefined
  readonly #offers: Offers
  readonly #search: Search
  readonly #novelty = new Novelty()
  readonly #otherClients: OtherClients
  readonly #workers: readonly Worker[]
  /** The worker that it is the turn of. */
  #turn: Worker | undefined
  #steps = 0
  #numbers = 0
  #replays = 0
  /** The requirement whose violation is being looked into. */
  #looking: string | undefined

  constructor(settings: Settings, target: Target, options: ExploreOptions, signal?: AbortSignal) {
    this.t = new TestContext({ settings, target, run: new RunState(settings), signal })
    this.#options = options
    this.#signal = signal
    const env = envOf(this.t)
    this.wire = env.wire
    const lateness = new AssumedLateness({
      consistency: settings.consistency,
      runTimeout: settings.runTimeout,
    })
    this.#otherClients = new OtherClients(this.t.runId, env.made)
    this.#offers = offersOf(settings, options.clients, lateness, env.runTimes)
    const search = {
      env,
      executor: new Executor(env, undefined, lateness),
      log: new Log(),
      inventory: new Inventory(),
      found: new Findings(env.wire, settings, this.#otherClients),
      lateness,
      fresh: new FreshOrganizations(env),
      next: () => ++this.#numbers,
      newTag: () => `(${this.t.runId}-${++this.#replays})`,
    }
    this.#search = search
    const shared = {
      ...search,
      random: createRandom(options.seed),
      offers: this.#offers,
      now: () => target.now(),
      tearDown: () => search.executor.tearDown(),
      isKept: (tenant: Tenant, by: Worker) =>
        this.#workers.some((worker) => worker !== by && worker.keeps === tenant),
    }
    this.#workers = workerKinds
      .filter(({ tenants }) => tenants.some((tenant) => this.#offers.tenants.includes(tenant)))
      .map((kind) => new Worker(shared, kind))
  }

  get findings(): Finding[] {
    return this.#search.found.all
  }

  /** The requirements that some answer bore on. */
  get tried(): Set<string> {
    return this.#search.executor.tried
  }

  /** Requests that were sent. */
  get requests(): number {
    return this.wire.sent + this.#search.fresh.requests
  }

  progress(): Progress {
    const { findings, tried } = this
    const common = { findings, requirements: tried.size, looking: this.#looking }
    return { ...common, steps: this.#steps, situations: this.#novelty.size }
  }

  /** Searches until time or steps are used up, `isEnough` says so, or the signal aborts. */
  async run(isEnough: (progress: Progress) => boolean = () => false): Promise<void> {
    const started = performance.now()
    const { until } = this.#options
    const { env, executor, inventory, found } = this.#search
    const { wire, end } = env
    if ('ms' in until) {
      const most = until.ms + overrunOf(until.ms)
      wire.deadline = this.t.target.now() + most
      end.at = started + most
    }
    wire.onAnswer = () => void isEnough(this.progress())
    wire.listeners.add(executor)
    executor.onAnswer = (call, exchange) => {
      this.#steps++
      inventory.note(call, exchange)
      this.#otherClients.note(call, exchange)
      if (this.#novelty.note(call, exchange, inventory) && this.#turn) this.#turn.news++
    }
    executor.onEnd = (of) => inventory.noteEnd(of)
    const isOver = () =>
      this.#signal?.aborted === true ||
      ('ms' in until
        ? performance.now() - started >= until.ms - this.#watching
        : this.#steps >= until.steps) ||
      isEnough(this.progress())
    await this.#withCredits(async () => {
      try {
        while (!isOver()) await this.#advance()
      } catch (error) {
        if (error instanceof OutOfTime) this.endedEarly = error.message
        else if (error instanceof Unreachable) this.t.run.unreachable = error.message
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
  async #withCredits<T>(action: () => Promise<T>): Promise<T> {
    const { env } = this.#search
    const { tenants, session } = this.#offers
    await env.creditSource.open(tenants)
    try {
      const result = await action()
      await this.#watchOthers()
      return result
    } finally {
      await env.creditSource.close()
      if (this.t.run.unreachable === undefined) await deleteKeys(env, tenants.filter(session))
    }
  }

  /** ms for which others are watched in the end. */
  get #watching(): number {
    return this.#search.found.mayBeOfOthers ? quietTime : 0
  }

  /** Looks whether somebody else is at work, where that could have caused what was found. */
  async #watchOthers(): Promise<void> {
    const { executor, env } = this.#search
    if (this.#watching === 0 || this.#signal?.aborted || this.t.run.unreachable !== undefined) return
    await executor.calm()
    if (executor.hasRuns) return
    await Promise.all(
      this.#offers.tenants.map(async (tenant) => {
        const change = await changeOf(env, tenant)
        if (change !== undefined) this.#otherClients.noticed.set(tenant, change)
      }),
    )
  }

  /** Tries a saved history; returns whether it showed a violation. */
  retry({ steps, requirement }: SavedHistory): Promise<boolean> {
    const { env, executor, found, newTag } = this.#search
    const most = steps.some(({ kind }) => kind === 'burst') ? mostReplays.race : mostReplays.ordinary
    return this.#withCredits(async () => {
      let shown: Shown | undefined
      let [times, requests] = [0, 0]
      for (let i = 0; i < most && times < enough; i++) {
        const done = await replay(env, steps, newTag(), requirement, executor.state.finalStatuses)
        for (const id of done.executor.tried) executor.tried.add(id)
        requests += done.requests
        const violation = done.violation ?? (await this.#toldLater(steps, done))
        if (!violation) continue
        times++
        shown = { ...done, violation }
      }
      if (!shown) return false
      const events = shown.executor.eventsUntil(shown.violation.because.at(-1) ?? 0)
      found.add(shown.violation, { how: 'replayed', times, steps, requests }, events, shown)
      return true
    })
  }

  /** What a replay shows once it is known how failed runs end, where it was not: that is learned after it. */
  async #toldLater(steps: readonly Step[], { executor, wire }: Replay): Promise<ModelViolation | undefined> {
    const { env, newTag, next } = this.#search
    const { finalStatuses } = executor.state
    const isKnown = (tenant: Tenant) =>
      [finalStatuses.failed, finalStatuses.ordinary].every((all) =>
        [...all].some((one) => one.startsWith(`${tenant} `)),
      )
    const unknown = new Set(runnersOf(steps).filter((tenant) => !isKnown(tenant)))
    if (unknown.size === 0 || !this.#offers.states) return undefined
    for (const tenant of unknown) await replay(env, endingsOf(tenant, next), newTag(), '', finalStatuses)
    const own = wire.history.filter(({ id }) => executor.stepOf(id) !== undefined)
    const { violations } = judge(own, { ...judgedBy(this.t.settings), finalStatuses })
    return violations.find(({ rule }) => comparesBalances(rule))
  }

  /** Does steps of the first worker that need not wait, until it must; if all must, waits. */
  async #advance(): Promise<void> {
    const { executor, inventory, found } = this.#search
    const { target } = this.t
    const now = target.now()
    const worker = this.#workers.find(({ due }) => due <= now)
    if (!worker) return target.sleep(Math.min(...this.#workers.map(({ due }) => due)) - now)
    this.#turn = worker
    inventory.case = worker.case
    await worker.draw()
    executor.tag = worker.tag
    const isFirst = () => worker === this.#workers.find(({ due }) => due <= target.now())
    while (worker.step && isFirst() && this.#signal?.aborted !== true) {
      if (!worker.isAwaiting) this.#note(worker.step, worker)
      worker.paused(await executor.perform(worker.step))
      const [violation, suspicion] = [executor.violations, executor.suspicions].map((all) =>
        all.splice(0).find((one) => found.isNews(one)),
      )
      const news = violation ?? suspicion
      if (!news) continue
      this.#noteLook(worker, news)
      worker.abandon()
      this.#looking = news.requirement
      await investigate(this.#search, news, !violation || news.requirement === 'LIST-PROMPT')
      this.#looking = undefined
      return
    }
  }

  #note(step: Step, { case: number }: Worker): void {
    const { log, inventory } = this.#search
    log.add({ step, ms: this.t.target.now(), case: number })
    if (step.kind === 'state' && step.state === 'credits')
      inventory.credits.set(step.tenant, Number(step.params.credits))
  }

  /** A violation that shows when a run is awaited is shown by a reading of its own. */
  #noteLook(worker: Worker, { because }: ModelViolation): void {
    const { executor, next } = this.#search
    const [{ step }, last] = [worker, because.at(-1)]
    if (step?.kind !== 'end' || last === undefined || executor.stepOf(last) !== step.at) return
    const look: CallStep = { ...step, kind: 'call', at: next(), as: 'key', operation: 'getTask' }
    this.#note(look, worker)
    executor.note(look.at, last)
  }
}

/** What a search came to. Durations in ms. */
export interface Exploration extends Pick<SuiteRun, 'created' | 'secrets' | 'left' | 'duration_ms' | 'gaps'> {
  readonly findings: readonly Finding[]
  /** Ids of the requirements that some answer bore on. */
  readonly tried: ReadonlySet<string>
  readonly steps: number
  readonly situations: number
  /** Requests that were sent. */
  readonly requests: number
  readonly history: readonly ModelEvent[]
  /** Work Credits of the operator that were spent; those that a state arranged do not count. */
  readonly spent: number
  readonly unreachable?: string
  /** Whether a key of the operator was refused for good. */
  readonly is_revoked: boolean
  /** Why it ended before its time. */
  readonly ended_early?: string
  /** The saved histories that were tried, and whether they showed a violation. */
  readonly retried: ReadonlyMap<SavedHistory, boolean>
}

/** Tries saved histories on a service, and searches it after that unless `replayOnly` is set. */
export async function explore(
  settings: Settings,
  target: Target,
  options: ExploreOptions & { readonly saved?: readonly SavedHistory[]; readonly replayOnly?: boolean },
  progress: (progress: Progress) => void = () => undefined,
  signal?: AbortSignal,
): Promise<Exploration> {
  const started = performance.now()
  const explorer = new Explorer(settings, target, options, signal)
  const { t, wire } = explorer
  const retried = new Map<SavedHistory, boolean>()
  try {
    for (const one of options.saved ?? [])
      if (signal?.aborted !== true) retried.set(one, await explorer.retry(one))
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    t.run.unreachable = error.message
  }
  if (!options.replayOnly && t.run.unreachable === undefined)
    await explorer.run((state) => {
      progress(state)
      return false
    })
  const { steps, situations } = explorer.progress()
  return {
    findings: explorer.findings,
    tried: explorer.tried,
    steps,
    situations,
    retried,
    requests: explorer.requests,
    history: wire.history,
    spent: t.budget.spent,
    created: createdIn(t.recorder.exchanges),
    secrets: t.secrets.map(({ secret }) => createdSecret(secret)),
    left: keysLeft(t.keys),
    duration_ms: performance.now() - started,
    ...(explorer.endedEarly === undefined ? {} : { ended_early: explorer.endedEarly }),
    gaps: t.recorder.notWaited.size > 0 ? [`The search ended early: ${explorer.endedEarly}.`] : [],
    ...(t.run.unreachable === undefined ? {} : { unreachable: t.run.unreachable }),
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
