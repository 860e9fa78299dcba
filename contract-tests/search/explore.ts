/** Searches a service for sequences, crowds and races that break a requirement. */

import { Unreachable } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import { RunState } from '../harness/run-state.ts'
import type { Settings } from '../harness/settings.ts'
import { type ModelViolation, rules } from '../model/index.ts'
import { AssumedLateness } from './assumed-lateness.ts'
import { deleteKeys } from './clean-up.ts'
import { type Offers, offersOf } from './draw.ts'
import type { Finding } from './finding.ts'
import { Findings } from './findings.ts'
import { investigate } from './investigation.ts'
import { Lane } from './lane.ts'
import { Log } from './log.ts'
import { laneKinds } from './moves/index.ts'
import { Novelty } from './novelty.ts'
import { Play } from './play.ts'
import type { ExploreOptions, Progress } from './progress.ts'
import { createRandom } from './random.ts'
import { replay } from './replay.ts'
import { type Stage, stageOf } from './stage.ts'
import type { CallStep, Step, Tenant } from './step.ts'
import { Strangers } from './strangers.ts'
import { OutOfTime, type Wire } from './wire.ts'
import { World } from './world.ts'

/** How much longer an investigation may last than the search, ms. */
const mostOverrun = 20_000

export class Explorer {
  readonly t: TestContext
  /** Why the search ended before its time; undefined: it did not. */
  endedEarly: string | undefined
  readonly #options: ExploreOptions
  readonly #stage: Stage
  readonly #play: Play
  readonly #log = new Log()
  readonly #world = new World()
  readonly #novelty = new Novelty()
  readonly #strangers: Strangers
  readonly #found: Findings
  readonly #signal: AbortSignal | undefined
  readonly #offers: Offers
  readonly #lateness: AssumedLateness
  readonly #lanes: readonly Lane[]
  /** The lane that it is the turn of. */
  #turn: Lane | undefined
  #steps = 0
  #numbers = 0
  #replays = 0

  constructor(settings: Settings, target: Target, options: ExploreOptions, signal?: AbortSignal) {
    this.t = new TestContext({ settings, target, run: new RunState(settings), signal })
    this.#options = options
    this.#signal = signal
    this.#stage = stageOf(this.t)
    this.#lateness = new AssumedLateness({ lag: settings.consistency, patience: settings.runTimeout })
    this.#play = new Play(this.#stage, undefined, this.#lateness)
    this.#strangers = new Strangers(this.t.runId, this.#stage.made)
    this.#found = new Findings(this.#stage.wire, settings, this.#strangers)
    this.#offers = offersOf(settings, options.clients, this.#lateness)
    const scene = {
      world: this.#world,
      random: createRandom(options.seed),
      offers: this.#offers,
      now: () => target.now(),
      next: this.#next,
      newTag: this.#newTag,
      tearDown: () => this.#play.tearDown(),
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
    const { tried } = this.#play
    return new Set(rules.filter(({ id }) => tried.has(id)).map(({ requirement }) => requirement))
  }

  /** How many different situations were met. */
  get situations(): number {
    return this.#novelty.size
  }

  get wire(): Wire {
    return this.#stage.wire
  }

  /** Searches until time or steps are used up, `enough` says so, or the signal aborts. */
  async run(enough: (progress: Progress) => boolean = () => false): Promise<void> {
    const started = performance.now()
    const { until } = this.#options
    const { purse, wire } = this.#stage
    await purse.open(this.#offers.tenants)
    if ('ms' in until) wire.deadline = this.t.target.now() + until.ms + mostOverrun
    wire.listeners.add(this.#play)
    this.#play.onAnswer = (call, exchange) => {
      this.#steps++
      this.#world.note(call, exchange)
      this.#strangers.note(call, exchange)
      if (this.#novelty.note(call, exchange, this.#world) && this.#turn) this.#turn.news++
    }
    this.#play.onEnd = (of) => this.#world.noteEnd(of)
    const isOver = () =>
      this.#signal?.aborted === true ||
      ('ms' in until ? performance.now() - started >= until.ms : this.#steps >= until.steps) ||
      enough(this.progress())
    try {
      while (!isOver()) await this.#advance()
    } catch (error) {
      if (error instanceof OutOfTime) this.endedEarly = error.message
      else if (error instanceof Unreachable) this.t.run.unreachable = error.message
      else throw error
    } finally {
      wire.deadline = Number.POSITIVE_INFINITY
      await this.#play.tearDown()
      await purse.close()
      if (this.t.run.unreachable === undefined) await deleteKeys(this.#stage, this.#withSession)
    }
  }

  get #withSession(): Tenant[] {
    return this.#offers.tenants.filter((tenant) => this.#offers.session(tenant))
  }

  /** Tries a saved history. */
  async retry(steps: readonly Step[], requirement: string): Promise<void> {
    const { purse } = this.#stage
    await purse.open(this.#offers.tenants)
    try {
      const { endings } = this.#play.state
      const done = await replay(this.#stage, steps, this.#newTag(), requirement, endings)
      const { violation, play } = done
      for (const id of play.tried) this.#play.tried.add(id)
      const events = violation && play.eventsUntil(violation.because.at(-1) ?? 0)
      if (events) this.#found.add(violation, { how: 'replayed', steps, requests: 0 }, events, done)
    } finally {
      await purse.close()
      await deleteKeys(this.#stage, this.#withSession)
    }
  }

  progress(): Progress {
    const { findings, tried, situations } = this
    return { steps: this.#steps, situations, requirements: tried.size, findings }
  }

  /** Does steps of the first lane that need not wait, until it must; if all must, waits. */
  async #advance(): Promise<void> {
    const { target } = this.t
    const now = target.now()
    const lane = this.#lanes.find(({ due }) => due <= now)
    if (!lane) return target.sleep(Math.min(...this.#lanes.map(({ due }) => due)) - now)
    this.#turn = lane
    this.#world.case = lane.case
    await lane.draw()
    this.#play.tag = lane.tag
    const isFirst = () => lane === this.#lanes.find(({ due }) => due <= target.now())
    while (lane.step && isFirst() && this.#signal?.aborted !== true) {
      if (!lane.isAwaiting) this.#note(lane.step, lane)
      lane.paused(await this.#play.perform(lane.step))
      const { violations, suspicions } = this.#play
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
      this.#world.credits.set(step.tenant, Number(step.params.credits))
  }

  /** A violation that shows when a run is awaited is shown by a reading of its own. */
  #noteLook(lane: Lane, { because }: ModelViolation): void {
    const [{ step }, last] = [lane, because.at(-1)]
    if (step?.kind !== 'end' || last === undefined || this.#play.stepOf(last) !== step.at) return
    const look: CallStep = { ...step, kind: 'call', at: this.#next(), as: 'key', operation: 'getTask' }
    this.#note(look, lane)
    this.#play.note(look.at, last)
  }

  #investigate(violation: ModelViolation, isSuspicion: boolean): Promise<void> {
    const search = {
      stage: this.#stage,
      play: this.#play,
      log: this.#log,
      world: this.#world,
      found: this.#found,
      lateness: this.#lateness,
      next: this.#next,
      newTag: this.#newTag,
    }
    return investigate(search, violation, isSuspicion)
  }

  readonly #next = () => ++this.#numbers
  readonly #newTag = () => `(${this.t.runId}-${++this.#replays})`
}
