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
import { type CallStep, makerOf, makesFail, type StateStep, type Step, type Tenant } from './step.ts'

/** 0, 1, 2, then powers of two. */
const bucket = (n: number) => (n < 3 ? n : 2 ** Math.floor(Math.log2(n)))

/** The situation that an answer shows: what was asked, what came, and the part of the state that matters for it, roughly. */
export function situationOf(call: CallStep, { status }: Exchange, inventory: Inventory): string {
  const { operation, tenant, as, of } = call
  const target = inventory.things.find(({ made }) => made === makerOf(of))
  return [
    ...[operation, status, typeof as, tenant],
    bucket(Math.min(inventory.credits.get(tenant) ?? -1, 8)),
    bucket(inventory.of('task', tenant).length),
    bucket(inventory.keys(tenant).length),
    bucket(inventory.notifications(tenant, true).length),
    bucket(inventory.folders(tenant).length),
    target ? bucket(target.runs) : '-',
    target && target.in < inventory.case ? 'old' : 'new',
  ].join(' ')
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
  isKept(tenant: Tenant, by: object): boolean
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

export type Worker = ReturnType<typeof createWorker>

export function createWorker(shared: Shared, kind: WorkerKind) {
  const { inventory, random, offers, newTag, isKept, now, tearDown } = shared
  const { paid } = kind
  const worthwhile: SwarmConfig[] = []
  let steps: Step[] = []
  let moving: AsyncGenerator<readonly Step[], void> | undefined
  /** When something was last made to fail in this case. */
  let failedAt: number | undefined

  const worker = {
    /** When the next step may be done, ms on the clock of the target. */
    due: Number.NEGATIVE_INFINITY,
    /** The case that is going on. */
    case: 0,
    tag: '',
    /** Situations that the case met first. */
    news: 0,
    /** The step has begun and is not over. */
    isAwaiting: false,
    /** Whose balance is to stay as it is: an organization that is without credits for a while. */
    keeps: undefined as Tenant | undefined,
    /** The step to be done; undefined: the next move is to be drawn. */
    get step(): Step | undefined {
      return steps[0]
    },
    /** Draws the next move once the last one is done. */
    async draw(): Promise<void> {
      if (steps.length > 0) return
      moving ??= cases()
      steps = [...((await moving.next()).value ?? [])]
      worker.keeps = brokeIn(steps)
      if (steps.some(makesFail)) failedAt = Number.POSITIVE_INFINITY
      else if (failedAt === Number.POSITIVE_INFINITY) failedAt = now()
    },
    /** Notes what the step has left to wait for. */
    paused(pause: Pause | undefined): void {
      worker.due = pause?.until ?? worker.due
      worker.isAwaiting = pause?.again === true
      if (!worker.isAwaiting) steps.shift()
    },
    /** Leaves the case. */
    abandon(): void {
      moving = undefined
      steps = []
      worker.keeps = undefined
      worker.isAwaiting = false
      worker.due = Number.NEGATIVE_INFINITY
    },
  }
  return worker

  async function* cases(): AsyncGenerator<readonly Step[], void> {
    for (;;) yield* oneCase()
  }

  async function* oneCase(): AsyncGenerator<readonly Step[]> {
    const before = random.chance(kept.chance) ? random.pick(worthwhile) : undefined
    const swarm = drawSwarm(kind, random, before)
    worker.case = inventory.open()
    worker.tag = newTag()
    worker.news = 0
    failedAt = undefined
    const [first = 'main', second = first] = kind.tenants.filter((one) => offers.tenants.includes(one))
    if (paid && random.chance(0.6)) yield creditsOf(drawOf(first, swarm))
    for (let i = 0; i < swarm.length; i++) {
      const drawn = random.chance(swarm.other) ? second : first
      const isFree = (one: Tenant) => !paid || !isKept(one, worker)
      const tenant = [drawn, first, second].find(isFree)
      if (!tenant) continue
      if (paid && isBroke(tenant)) yield creditsOf(drawOf(tenant, swarm))
      const move = random.weigh(moves, ({ id }) => swarm.weights.get(id) ?? 0)
      const draw = drawOf(tenant, swarm, leftAlone(i, swarm))
      const steps = move?.draw(draw) ?? []
      yield random.chance(swarm.watches) ? watched(draw, steps) : steps
    }
    yield* audit(swarm)
    if (worker.news > newEnough) worthwhile.push(swarm)
    if (worthwhile.length > kept.most) worthwhile.shift()
  }

  function creditsOf(draw: Draw): readonly Step[] {
    return draw.state('credits', {
      credits: random.pick([20, 20, 20, 8, 60, 150, 500, 70_000]) ?? 20,
    })
  }

  /** Whether paid work would mostly be refused; then the balance is set anew, unless it must show late refunds. */
  function isBroke(tenant: Tenant): boolean {
    const isOpen = offers.lateness.consistency > 0 && failedAt !== undefined
    return !isOpen && (inventory.credits.get(tenant) ?? 0) < 3 && random.chance(0.7)
  }

  /** The end of a case: what is going on ends, and what was touched is looked at. */
  async function* audit(swarm: SwarmConfig): AsyncGenerator<readonly Step[]> {
    const { runTimeout } = offers.lateness
    const draws = offers.tenants.map((tenant) => drawOf(tenant, swarm))
    for (const draw of draws) yield ends(draw)
    if (paid) await tearDown()
    const since = failedAt === undefined ? runTimeout : now() - failedAt
    const refunds = random.chance(lookForRefunds) ? Math.max(0, runTimeout - Math.max(0, since)) : 0
    yield draws.slice(0, 1).flatMap((draw) => draw.late(refunds))
    for (const draw of draws)
      if (inventory.isTouched(draw.tenant) || random.chance(lookElsewhere)) yield auditOf(draw)
  }

  /**
   * The states that a move leaves alone. Where refunds may be late, failures come early in a case, so that these must be
   * there at its end, and the balance is not set anew after them.
   */
  function leftAlone(i: number, { fails, length }: SwarmConfig): readonly StateStep['state'][] {
    const isPrompt = offers.lateness.consistency === 0
    return [
      ...(fails && (isPrompt || i < length * 0.6) ? [] : failures),
      ...(fails && !isPrompt && failedAt !== undefined ? (['credits'] as const) : []),
    ]
  }

  function drawOf(tenant: Tenant, { often }: SwarmConfig, without: readonly StateStep['state'][] = []): Draw {
    return createDraw(shared, { tenant, often, paid, without })
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
