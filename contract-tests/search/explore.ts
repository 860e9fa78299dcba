/** Searches a service for sequences, crowds and races that break a requirement. */

import { Unreachable } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import { RunState } from '../harness/run-state.ts'
import type { Settings } from '../harness/settings.ts'
import { type ModelViolation, rules } from '../model/index.ts'
import { auditOf, ends } from './audit.ts'
import { deleteKeys } from './clean-up.ts'
import { Draw, type Offers, offersOf } from './draw.ts'
import type { Finding } from './finding.ts'
import { Findings } from './findings.ts'
import { Log } from './log.ts'
import { moves, pastimes, subjects } from './moves/index.ts'
import { Novelty } from './novelty.ts'
import { Play, type Stage } from './play.ts'
import { Purse } from './purse.ts'
import { createRandom, type Random } from './random.ts'
import { replay } from './replay.ts'
import { Shrinker } from './shrink.ts'
import type { Step, Tenant } from './step.ts'
import { Strangers } from './strangers.ts'
import { drawSwarm, type Swarm } from './swarm.ts'
import { Wire } from './wire.ts'
import { World } from './world.ts'

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
}

/** Most steps while a run is awaited. */
const mostPastimes = 4
/** Shorter waits are not filled, ms. */
const shortestIdle = 15
/** The chance to wait, at the end of a case with failures, until their refunds must be there. */
const lookForRefunds = 0.35
/** Make-ups of cases that are kept to be varied. */
const mostKept = 30

export class Explorer {
  readonly t: TestContext
  readonly #options: ExploreOptions
  readonly #stage: Stage
  readonly #play: Play
  readonly #log = new Log()
  readonly #world = new World()
  readonly #novelty = new Novelty()
  readonly #strangers: Strangers
  readonly #random: Random
  readonly #found: Findings
  readonly #worthwhile: Swarm[] = []
  readonly #signal: AbortSignal | undefined
  readonly #offers: Offers
  #steps = 0
  #numbers = 0
  #replays = 0
  #news = 0
  /** Whether something was made to fail in this case. */
  #failing = false

  constructor(settings: Settings, target: Target, options: ExploreOptions, signal?: AbortSignal) {
    this.t = new TestContext({ settings, target, run: new RunState(settings), signal })
    this.#options = options
    this.#signal = signal
    const wire = new Wire(this.t)
    const { consistency, runTimeout } = settings
    const gaps = { shortest: Math.max(50, consistency * 0.8), longest: 5_000 + consistency + runTimeout }
    this.#stage = { t: this.t, wire, purse: new Purse(this.t), keys: [], gaps }
    this.#play = new Play(this.#stage)
    this.#random = createRandom(options.seed)
    this.#strangers = new Strangers(this.t.runId)
    this.#found = new Findings(wire, settings, this.#strangers)
    this.#offers = offersOf(settings, options.clients)
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
    wire.listeners.add(this.#play)
    this.#play.onAnswer = (call, exchange) => {
      this.#steps++
      this.#world.note(call, exchange)
      this.#strangers.note(call, exchange)
      if (this.#novelty.note(call, exchange, this.#world)) this.#news++
    }
    const isOver = () =>
      this.#signal?.aborted === true ||
      ('ms' in until ? performance.now() - started >= until.ms : this.#steps >= until.steps) ||
      enough(this.progress())
    try {
      while (!isOver()) await this.#case(isOver)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      this.t.run.unreachable = error.message
    } finally {
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
      const { violation, play } = await replay(this.#stage, steps, this.#newTag(), requirement, endings)
      for (const id of play.tried) this.#play.tried.add(id)
      if (violation) this.#found.add(violation, { confirmed: true, steps, requests: 0 }, play)
    } finally {
      await purse.close()
      await deleteKeys(this.#stage, this.#withSession)
    }
  }

  progress(): Progress {
    const { findings, tried, situations } = this
    return { steps: this.#steps, situations, requirements: tried.size, findings }
  }

  async #case(isOver: () => boolean): Promise<void> {
    const { random } = { random: this.#random }
    const before = random.chance(0.4) ? random.pick(this.#worthwhile) : undefined
    const swarm = drawSwarm(subjects, random, before)
    this.#world.case++
    this.#play.tag = this.#newTag()
    this.#news = 0
    this.#failing = false
    this.#play.idle = swarm.idles ? (ms) => this.#idle(ms, swarm) : undefined
    const start = this.#drawFor('main', swarm)
    if (random.chance(0.6)) await this.#perform(start.state('credits', { credits: 20 }))
    for (let i = 0; i < swarm.length && !isOver(); i++) {
      const tenant = random.chance(swarm.other) ? (this.#offers.tenants[1] ?? 'main') : 'main'
      const move = random.weigh(moves, ({ id }) => swarm.weights.get(id) ?? 0)
      if (await this.#perform(move?.draw(this.#drawFor(tenant, swarm)) ?? [])) return
    }
    if (await this.#audit(swarm)) return
    if (this.#news > 2) this.#keep(swarm)
  }

  /** Makes and reads things while a run is awaited. */
  async #idle(ms: number, swarm: Swarm): Promise<void> {
    const until = this.t.target.now() + ms - shortestIdle
    for (let i = 0; i < mostPastimes && this.t.target.now() < until; i++) {
      if (this.#play.violations.length > 0) return
      const draw = this.#drawFor('main', swarm)
      const step = this.#random.pick(pastimes)?.(draw)
      if (!step) continue
      this.#log.add({ step, ms: this.t.target.now(), case: this.#world.case, aside: true })
      await this.#play.perform(step)
    }
  }

  #keep(swarm: Swarm): void {
    this.#worthwhile.push(swarm)
    if (this.#worthwhile.length > mostKept) this.#worthwhile.shift()
  }

  #drawFor(tenant: Tenant, { often }: Swarm): Draw {
    return new Draw(this.#world, this.#random, this.#offers, { tenant, often }, () => ++this.#numbers)
  }

  /** The end of a case. True: something was found. */
  async #audit(swarm: Swarm): Promise<boolean> {
    const draws = this.#offers.tenants.map((tenant) => this.#drawFor(tenant, swarm))
    for (const draw of draws) if (await this.#perform(ends(draw))) return true
    this.#play.idle = undefined
    await this.#play.tearDown()
    const { consistency, runTimeout } = this.t.settings
    const refunds = this.#failing && this.#random.chance(lookForRefunds) ? runTimeout : 0
    const [main] = draws
    if (main && (await this.#perform([main.wait(consistency + refunds + 20)]))) return true
    for (const draw of draws) if (await this.#perform(auditOf(draw))) return true
    return false
  }

  /** Does steps. True: something was found, and what was to follow is off. */
  async #perform(steps: readonly Step[]): Promise<boolean> {
    for (const step of steps) {
      if (this.#signal?.aborted) return true
      this.#log.add({ step, ms: this.t.target.now(), case: this.#world.case })
      if (step.kind === 'state' && step.state === 'credits')
        this.#world.credits.set(step.tenant, Number(step.params.credits))
      if (step.kind === 'state' && step.state.endsWith('_fails')) this.#failing = true
      await this.#play.perform(step)
      const fresh = this.#play.violations.splice(0).find((one) => this.#found.isNews(one))
      if (fresh) {
        await this.#investigate(fresh)
        return true
      }
    }
    return false
  }

  async #investigate(violation: ModelViolation): Promise<void> {
    const { requirement } = violation
    const attempt = this.#found.attempt(requirement)
    const origin = {
      log: this.#log,
      stepOf: (event: number) => this.#play.stepOf(event),
      violation,
      next: () => ++this.#numbers,
      gaps: this.#stage.gaps,
    }
    await this.#calm()
    const shrinker = new Shrinker(
      this.#stage,
      requirement,
      this.#play.state.endings,
      () => this.#newTag(),
      origin.next,
    )
    const { steps, times, requests, shown } = await shrinker.shrink(origin, attempt)
    this.#play.violations.splice(0)
    this.#found.add(
      shown?.violation ?? violation,
      { confirmed: times >= 2, steps, requests },
      shown?.play ?? this.#play,
    )
  }

  /** Waits until nothing is going on, so that a replay begins in peace. */
  async #calm(): Promise<void> {
    this.#play.idle = undefined
    await this.#play.tearDown()
    for (const { made, tenant, id } of this.#world.things)
      if (id !== undefined && this.#play.isGoing(tenant, id))
        await this.#play.perform({ kind: 'end', at: ++this.#numbers, tenant, of: { made } })
  }

  #newTag(): string {
    return `(${this.t.runId}-${++this.#replays})`
  }
}
