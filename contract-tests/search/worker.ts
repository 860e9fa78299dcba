/** A worker draws cases one after the other, and varies those that met new situations. While one worker waits, others go on. */
import type { Exchange } from '#traffic/exchange.ts'
import { createDraw, type Draw, type Source } from './draw.ts'
import type { Pause } from './executor.ts'
import type { Inventory } from './inventory.ts'
import { watched } from './moves/elsewhere.ts'
import { moves, type WorkerKind } from './moves/index.ts'
import { waits } from './moves/later.ts'
import type { Random } from './random.ts'
import { auditOf, ends } from './replay.ts'
import { type CallStep, makerOf, type StateStep, type Step, type Tenant } from './step.ts'

export class Novelty {
  readonly #seen = new Set<string>()

  /** Situations met so far. */
  get size(): number {
    return this.#seen.size
  }

  /** Notes a situation; true: it is new. */
  note(call: CallStep, exchange: Exchange, inventory: Inventory): boolean {
    const situation = [call.operation, exchange.status, typeof call.as, ...abstract(call, inventory)].join(
      ' ',
    )
    if (this.#seen.has(situation)) return false
    this.#seen.add(situation)
    return true
  }
}

/** 0, 1, 2, then powers of two. */
const bucket = (n: number) => (n < 3 ? n : 2 ** Math.floor(Math.log2(n)))

/** The part of the state that matters for an answer, roughly. */
function abstract({ tenant, of }: CallStep, inventory: Inventory): (string | number)[] {
  const target = inventory.things.find(({ made }) => made === makerOf(of))
  return [
    tenant,
    bucket(Math.min(inventory.credits.get(tenant) ?? -1, 8)),
    bucket(inventory.of('task', tenant).length),
    bucket(inventory.keys(tenant).length),
    bucket(inventory.notifications(tenant, true).length),
    bucket(inventory.folders(tenant).length),
    target ? bucket(target.runs) : '-',
    target && target.in < inventory.case ? 'old' : 'new',
  ]
}

/** What all workers share. */
interface Shared extends Source {
  /** ms on the clock of the target. */
  now(): number
  /** A mark for the texts of a case. */
  newTag(): string
  /** Tears the states of a case down. */
  tearDown(): Promise<void>
  /** Whether another worker needs the balance of an organization as it is. */
  isKept(tenant: Tenant, by: Worker): boolean
}

/** The chance to wait, at the end of a case with failures, until their refunds must be there. */
const lookForRefunds = 0.75
const failures = ['next_run_fails', 'next_creative_fails'] as const
/** The chance to look at the other organization, to which nothing was done. */
const lookElsewhere = 0.3
/** Make-ups of cases that are kept to be varied, and the chance that one is. */
const kept = { most: 30, chance: 0.4 } as const
/** Situations that make a case worth keeping. */
const newEnough = 2

export class Worker {
  /** When the next step may be done, ms on the clock of the target. */
  due = Number.NEGATIVE_INFINITY
  /** The case that is going on. */
  case = 0
  tag = ''
  /** Situations that the case met first. */
  news = 0
  readonly #shared: Shared
  readonly #kind: WorkerKind
  readonly #worthwhile: SwarmConfig[] = []
  /** The step has begun and is not over. */
  isAwaiting = false
  /** Whose balance is to stay as it is: an organization that is without credits for a while. */
  keeps: Tenant | undefined
  #steps: Step[] = []
  #moves: AsyncGenerator<readonly Step[], void> | undefined
  /** When something was last made to fail in this case. */
  #failedAt: number | undefined

  constructor(shared: Shared, kind: WorkerKind) {
    this.#shared = shared
    this.#kind = kind
  }

  /** The step to be done; undefined: the next move is to be drawn. */
  get step(): Step | undefined {
    return this.#steps[0]
  }

  /** Draws the next move once the last one is done. */
  async draw(): Promise<void> {
    if (this.#steps.length > 0) return
    this.#moves ??= this.#cases()
    this.#steps = [...((await this.#moves.next()).value ?? [])]
    this.keeps = brokeIn(this.#steps)
    if (this.#steps.some((step) => step.kind === 'state' && step.state.endsWith('_fails')))
      this.#failedAt = Number.POSITIVE_INFINITY
    else if (this.#failedAt === Number.POSITIVE_INFINITY) this.#failedAt = this.#shared.now()
  }

  /** Notes what the step has left to wait for. */
  paused(pause: Pause | undefined): void {
    this.due = pause?.until ?? this.due
    this.isAwaiting = pause?.again === true
    if (!this.isAwaiting) this.#steps.shift()
  }

  /** Leaves the case. */
  abandon(): void {
    this.#moves = undefined
    this.#steps = []
    this.keeps = undefined
    this.isAwaiting = false
    this.due = Number.NEGATIVE_INFINITY
  }

  async *#cases(): AsyncGenerator<readonly Step[], void> {
    for (;;) yield* this.#oneCase()
  }

  async *#oneCase(): AsyncGenerator<readonly Step[]> {
    const { inventory, random, offers, newTag, isKept } = this.#shared
    const { paid } = this.#kind
    const before = random.chance(kept.chance) ? random.pick(this.#worthwhile) : undefined
    const swarm = drawSwarm(this.#kind, random, before)
    this.case = inventory.open()
    this.tag = newTag()
    this.news = 0
    this.#failedAt = undefined
    const [first = 'main', second = first] = this.#kind.tenants.filter((one) => offers.tenants.includes(one))
    if (paid && random.chance(0.6)) yield this.#credits(this.#draw(first, swarm))
    for (let i = 0; i < swarm.length; i++) {
      const drawn = random.chance(swarm.other) ? second : first
      const isFree = (one: Tenant) => !paid || !isKept(one, this)
      const tenant = [drawn, first, second].find(isFree)
      if (!tenant) continue
      if (paid && this.#isBroke(tenant)) yield this.#credits(this.#draw(tenant, swarm))
      const move = random.weigh(moves, ({ id }) => swarm.weights.get(id) ?? 0)
      const draw = this.#draw(tenant, swarm, this.#left(i, swarm))
      const steps = move?.draw(draw) ?? []
      yield random.chance(swarm.watches) ? watched(draw, steps) : steps
    }
    yield* this.#audit(swarm)
    if (this.news > newEnough) this.#worthwhile.push(swarm)
    if (this.#worthwhile.length > kept.most) this.#worthwhile.shift()
  }

  #credits(draw: Draw): readonly Step[] {
    return draw.state('credits', {
      credits: this.#shared.random.pick([20, 20, 20, 8, 60, 150, 500, 70_000]) ?? 20,
    })
  }

  /** Whether paid work would mostly be refused; then the balance is set anew, unless it must show late refunds. */
  #isBroke(tenant: Tenant): boolean {
    const { inventory, random, offers } = this.#shared
    const isOpen = offers.lateness.consistency > 0 && this.#failedAt !== undefined
    return !isOpen && (inventory.credits.get(tenant) ?? 0) < 3 && random.chance(0.7)
  }

  /** The end of a case: what is going on ends, and what was touched is looked at. */
  async *#audit(swarm: SwarmConfig): AsyncGenerator<readonly Step[]> {
    const { inventory, random, offers, tearDown } = this.#shared
    const { runTimeout } = offers.lateness
    const draws = offers.tenants.map((tenant) => this.#draw(tenant, swarm))
    for (const draw of draws) yield ends(draw)
    if (this.#kind.paid) await tearDown()
    const since = this.#failedAt === undefined ? runTimeout : this.#shared.now() - this.#failedAt
    const refunds = random.chance(lookForRefunds) ? Math.max(0, runTimeout - Math.max(0, since)) : 0
    yield draws.slice(0, 1).flatMap((draw) => draw.late(refunds))
    for (const draw of draws)
      if (inventory.isTouched(draw.tenant) || random.chance(lookElsewhere)) yield auditOf(draw)
  }

  /**
   * The states that a move leaves alone. Where refunds may be late, failures come early in a case, so that these must be
   * there at its end, and the balance is not set anew after them.
   */
  #left(i: number, { fails, length }: SwarmConfig): readonly StateStep['state'][] {
    const isPrompt = this.#shared.offers.lateness.consistency === 0
    return [
      ...(fails && (isPrompt || i < length * 0.6) ? [] : failures),
      ...(fails && !isPrompt && this.#failedAt !== undefined ? (['credits'] as const) : []),
    ]
  }

  #draw(tenant: Tenant, { often }: SwarmConfig, without: readonly StateStep['state'][] = []): Draw {
    return createDraw(this.#shared, { tenant, often, paid: this.#kind.paid, without })
  }
}

/** Whose balance steps set to 0 for a while. */
function brokeIn(steps: readonly Step[]): Tenant | undefined {
  const set = steps.find((step) => step.kind === 'state' && step.params.credits === 0)
  const rests = steps.some((step) => step.kind === 'wait' && step.ms >= 1_000)
  return set?.kind === 'state' && rests ? set.tenant : undefined
}

/** The make-up of a case. */
interface SwarmConfig {
  /** The weight of each move; 0: it is left out. */
  readonly weights: ReadonlyMap<string, number>
  /** Most repetitions within a move. */
  readonly often: number
  /** How many moves there are. */
  readonly length: number
  /** Whether paid work is made to fail. */
  readonly fails: boolean
  /** The chance that a move is made by the second organization. */
  readonly other: number
  /** The chance that a move is made between two looks at something else. */
  readonly watches: number
}

/** The chance that a case leaves out a move of its subjects. */
const leftOut = 0.25
/** The chance that a move keeps its weight where a make-up is varied. */
const keptOf = 0.85

/** Draws a make-up about some subjects, or varies one that led to something new. */
function drawSwarm({ main, subjects, paid }: WorkerKind, random: Random, before?: SwarmConfig): SwarmConfig {
  const others = Array.from({ length: random.below(3) }, () => random.pick(subjects))
  const chosen = new Set([random.pick(main), ...others])
  const weights = [...new Set(subjects)].flatMap((moves) =>
    moves.map(({ id, weight }) => {
      const known = before && random.chance(keptOf) ? before.weights.get(id) : undefined
      const isOut = !chosen.has(moves) || random.chance(leftOut)
      const drawn = isOut ? 0 : weight * (0.3 + random.below(20) / 10)
      return [id, known ?? drawn] as const
    }),
  )
  const pauses = waits.map(({ id, weight }) => [id, random.chance(0.5) ? 0 : weight] as const)
  return {
    weights: new Map([...weights, ...pauses]),
    often: random.pick([1, 2, 2, 3, 4, 6, 8]) ?? 2,
    length: 2 + random.below(paid ? 9 : 7),
    fails: random.chance(0.75),
    other: random.pick([0, 0.1, 0.4]) ?? 0,
    watches: random.pick([0, 0.3, 0.7]) ?? 0,
  }
}
