/** Searches a service for sequences, crowds and races that break a requirement. */

import { createdSecret } from '#traffic/curl.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { Unreachable } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import { createdIn } from '../harness/operations.ts'
import type { SuiteRun } from '../harness/outcome.ts'
import { RunState } from '../harness/run-state.ts'
import type { Settings } from '../harness/terms.ts'
import type { ModelEvent, ModelViolation } from '../model/index.ts'
import { type Offers, offersOf } from './draw.ts'
import { Executor } from './executor.ts'
import { type Finding, Findings, type Shown } from './findings.ts'
import { FreshOrganizations } from './fresh.ts'
import { Inventory, Strangers } from './inventory.ts'
import { investigate } from './investigation.ts'
import { Lane, Novelty } from './lane.ts'
import { Log } from './log.ts'
import { laneKinds } from './moves/index.ts'
import { createRandom } from './random.ts'
import { replay } from './replay.ts'
import type { SavedHistory } from './saved.ts'
import { enough } from './shrink.ts'
import { AssumedLateness, deleteKeys, type Stage, stageOf } from './stage.ts'
import type { CallStep, Step, Tenant } from './step.ts'
import { OutOfTime, type Wire } from './wire.ts'

/** How much longer an investigation may last than a search of that many ms; what it leaves is cleaned up after that. */
export const overrunOf = (ms: number): number => Math.min(ms / 4, 8_000)
/** ms for what is torn down and deleted at the end. */
const cleaningUp = 5_000
/** How often a saved history is tried: one whose order depends on chance more often. */
const mostReplays = { ordinary: 2, race: 6 } as const

export class Explorer {
  readonly t: TestContext
  /** Why the search ended before its time; undefined: it did not. */
  endedEarly: string | undefined
  readonly #options: ExploreOptions
  readonly #stage: Stage
  readonly #executor: Executor
  readonly #log = new Log()
  readonly #inventory = new Inventory()
  readonly #novelty = new Novelty()
  readonly #strangers: Strangers
  readonly #found: Findings
  readonly #fresh: FreshOrganizations
  readonly #signal: AbortSignal | undefined
  readonly #offers: Offers
  readonly #lateness: AssumedLateness
  readonly #lanes: readonly Lane[]
  /** The lane that it is the turn of. */
  #turn: Lane | undefined
  #steps = 0
  #numbers = 0
  #replays = 0
  /** The requirement whose violation is being looked into. */
  #looking: string | undefined

  constructor(settings: Settings, target: Target, options: ExploreOptions, signal?: AbortSignal) {
    this.t = new TestContext({ settings, target, run: new RunState(settings), signal })
    this.#options = options
    this.#signal = signal
    this.#stage = stageOf(this.t)
    this.#lateness = new AssumedLateness({ lag: settings.consistency, patience: settings.runTimeout })
    this.#executor = new Executor(this.#stage, undefined, this.#lateness)
    this.#strangers = new Strangers(this.t.runId, this.#stage.made)
    this.#found = new Findings(this.#stage.wire, settings, this.#strangers)
    this.#fresh = new FreshOrganizations(this.#stage)
    this.#offers = offersOf(settings, options.clients, this.#lateness, this.#stage.pace)
    const scene = {
      inventory: this.#inventory,
      random: createRandom(options.seed),
      offers: this.#offers,
      now: () => target.now(),
      next: this.#next,
      newTag: this.#newTag,
      tearDown: () => this.#executor.tearDown(),
      isKept: (tenant: Tenant, by: Lane) => this.#lanes.some((lane) => lane !== by && lane.keeps === tenant),
    }
    this.#lanes = laneKinds
      .filter(({ tenants }) => tenants.some((tenant) => this.#offers.tenants.includes(tenant)))
      .map((kind) => new Lane(scene, kind))
  }

  get findings(): Finding[] {
    return this.#found.all
  }

  /** The requirements that some answer bore on. */
  get tried(): Set<string> {
    return this.#executor.tried
  }

  /** How many different situations were met. */
  get situations(): number {
    return this.#novelty.size
  }

  get wire(): Wire {
    return this.#stage.wire
  }

  /** Searches until time or steps are used up, `isEnough` says so, or the signal aborts. */
  async run(isEnough: (progress: Progress) => boolean = () => false): Promise<void> {
    const started = performance.now()
    const { until } = this.#options
    const { creditSource, wire } = this.#stage
    await creditSource.open(this.#offers.tenants)
    const { end } = this.#stage
    if ('ms' in until) {
      const most = until.ms + overrunOf(until.ms)
      wire.deadline = this.t.target.now() + most
      end.at = started + most
    }
    wire.onAnswer = () => void isEnough(this.progress())
    wire.listeners.add(this.#executor)
    this.#executor.onAnswer = (call, exchange) => {
      this.#steps++
      this.#inventory.note(call, exchange)
      this.#strangers.note(call, exchange)
      if (this.#novelty.note(call, exchange, this.#inventory) && this.#turn) this.#turn.news++
    }
    this.#executor.onEnd = (of) => this.#inventory.noteEnd(of)
    const isOver = () =>
      this.#signal?.aborted === true ||
      ('ms' in until ? performance.now() - started >= until.ms : this.#steps >= until.steps) ||
      isEnough(this.progress())
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
      await this.#executor.tearDown()
      await creditSource.close()
      if (this.t.run.unreachable === undefined) await deleteKeys(this.#stage, this.#withSession)
    }
  }

  get #withSession(): Tenant[] {
    return this.#offers.tenants.filter((tenant) => this.#offers.session(tenant))
  }

  /** Tries a saved history; returns whether it showed a violation. */
  async retry({ steps, requirement }: SavedHistory): Promise<boolean> {
    const { creditSource } = this.#stage
    await creditSource.open(this.#offers.tenants)
    try {
      const { endings } = this.#executor.state
      const most = steps.some(({ kind }) => kind === 'burst') ? mostReplays.race : mostReplays.ordinary
      let shown: Shown | undefined
      let [times, requests] = [0, 0]
      for (let i = 0; i < most && times < enough; i++) {
        const done = await replay(this.#stage, steps, this.#newTag(), requirement, endings)
        for (const id of done.executor.tried) this.#executor.tried.add(id)
        requests += done.requests
        const { violation } = done
        if (!violation) continue
        times++
        shown = { ...done, violation }
      }
      if (!shown) return false
      const events = shown.executor.eventsUntil(shown.violation.because.at(-1) ?? 0)
      this.#found.add(shown.violation, { how: 'replayed', times, steps, requests }, events, shown)
      return true
    } finally {
      await creditSource.close()
      await deleteKeys(this.#stage, this.#withSession)
    }
  }

  progress(): Progress {
    const { findings, tried, situations } = this
    const looking = this.#looking
    return { steps: this.#steps, situations, requirements: tried.size, findings, looking }
  }

  /** Does steps of the first lane that need not wait, until it must; if all must, waits. */
  async #advance(): Promise<void> {
    const { target } = this.t
    const now = target.now()
    const lane = this.#lanes.find(({ due }) => due <= now)
    if (!lane) return target.sleep(Math.min(...this.#lanes.map(({ due }) => due)) - now)
    this.#turn = lane
    this.#inventory.case = lane.case
    await lane.draw()
    this.#executor.tag = lane.tag
    const isFirst = () => lane === this.#lanes.find(({ due }) => due <= target.now())
    while (lane.step && isFirst() && this.#signal?.aborted !== true) {
      if (!lane.isAwaiting) this.#note(lane.step, lane)
      lane.paused(await this.#executor.perform(lane.step))
      const { violations, suspicions } = this.#executor
      const [violation, suspicion] = [violations, suspicions].map((all) =>
        all.splice(0).find((one) => this.#found.isNews(one)),
      )
      const found = violation ?? suspicion
      if (!found) continue
      this.#noteLook(lane, found)
      lane.abandon()
      return this.#investigate(found, !violation || found.requirement === 'LIST-PROMPT')
    }
  }

  #note(step: Step, { case: number }: Lane): void {
    this.#log.add({ step, ms: this.t.target.now(), case: number })
    if (step.kind === 'state' && step.state === 'credits')
      this.#inventory.credits.set(step.tenant, Number(step.params.credits))
  }

  /** A violation that shows when a run is awaited is shown by a reading of its own. */
  #noteLook(lane: Lane, { because }: ModelViolation): void {
    const [{ step }, last] = [lane, because.at(-1)]
    if (step?.kind !== 'end' || last === undefined || this.#executor.stepOf(last) !== step.at) return
    const look: CallStep = { ...step, kind: 'call', at: this.#next(), as: 'key', operation: 'getTask' }
    this.#note(look, lane)
    this.#executor.note(look.at, last)
  }

  async #investigate(violation: ModelViolation, isSuspicion: boolean): Promise<void> {
    this.#looking = violation.requirement
    const search = {
      stage: this.#stage,
      executor: this.#executor,
      log: this.#log,
      inventory: this.#inventory,
      found: this.#found,
      lateness: this.#lateness,
      fresh: this.#fresh,
      next: this.#next,
      newTag: this.#newTag,
    }
    await investigate(search, violation, isSuspicion).finally(() => {
      this.#looking = undefined
    })
  }

  readonly #next = () => ++this.#numbers
  readonly #newTag = () => `(${this.t.runId}-${++this.#replays})`
}

/** What a search came to. Durations in ms. */
export interface Exploration extends Pick<SuiteRun, 'created' | 'secrets' | 'left' | 'duration_ms' | 'gaps'> {
  readonly findings: readonly Finding[]
  /** Ids of the requirements that some answer bore on. */
  readonly tried: ReadonlySet<string>
  readonly steps: number
  readonly situations: number
  readonly exchanges: readonly Exchange[]
  readonly history: readonly ModelEvent[]
  /** Work Credits of the operator that were spent; those that a state arranged do not count. */
  readonly spent: number
  readonly unreachable?: string
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
    exchanges: [...wire.exchanges.values()],
    history: wire.history,
    spent: t.budget.spent,
    created: createdIn(t.recorder.exchanges),
    secrets: t.secrets.map(({ secret }) => createdSecret(secret)),
    left: t.keys.map(({ id }) => id ?? 'a key whose id is unknown'),
    duration_ms: performance.now() - started,
    ...(explorer.endedEarly === undefined ? {} : { ended_early: explorer.endedEarly }),
    gaps: t.recorder.notWaited.size > 0 ? [`The search ended early: ${explorer.endedEarly}.`] : [],
    ...(t.run.unreachable === undefined ? {} : { unreachable: t.run.unreachable }),
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
