/** Random walks through a mutated mock: several clients, lost answers, late effects, others, a clock that drifts. */
import type { Variant } from '#contract/route.ts'
import { type ModelEvent, type RequestEvent, SecretIdentity } from '#contract-tests/model/index.ts'
import { createRandom, type SeededRandom } from '#mocks/core/random.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { drawAsk, nothingSeen, see } from './asks.ts'
import { type Ask, createWorld, type World } from './world.ts'

export interface WalkOptions {
  readonly seed: string
  readonly steps: number
  readonly mutations: readonly Mutation[]
  readonly variant: Variant
  /** Most requests at once. */
  readonly clients: number
  /** Share of answers that are lost; a third of their requests takes effect later, another third never. */
  readonly lost: number
  /** Share of steps before which another user of the organization does something. */
  readonly others: number
  /** ms that the recording clock advances for each ms of the service. */
  readonly drift: number
}

/** The history of a walk, and errors in the mock. */
export interface Walk {
  readonly history: readonly ModelEvent[]
  readonly bugs: readonly unknown[]
}

/** Walks: the same options, the same history. */
export async function walk(options: WalkOptions): Promise<Walk> {
  const world = await createWorld(options.mutations, options.variant, options.seed)
  const walker = new Walker(world, options)
  while (walker.history.length < options.steps) await walker.step()
  return { history: walker.history, bugs: world.bugs }
}

class Walker {
  readonly history: ModelEvent[] = []
  readonly #world: World
  readonly #options: WalkOptions
  readonly #random: SeededRandom
  readonly #seen = { main: nothingSeen(), other: nothingSeen() }
  /** Requests that were lost on the way and arrive later. */
  readonly #late: Ask[] = []
  readonly #identity = new SecretIdentity()
  #places = 0
  #asked = 0

  constructor(world: World, options: WalkOptions) {
    this.#world = world
    this.#options = options
    this.#random = createRandom('walk', options.seed)
  }

  async step(): Promise<void> {
    const { others, clients } = this.#options
    if (this.#chance(others)) await this.#world.send(this.#draw())
    if (this.#late.length > 0 && this.#chance(0.3)) await this.#world.send(this.#late.shift() as Ask)
    if (this.#chance(0.25)) this.#world.wait(Math.floor(this.#random.fraction() * 1_500))
    if (this.#chance(0.02)) return this.#arrange()
    const burst = this.#chance(0.4) ? 1 + Math.floor(this.#random.fraction() * clients) : 1
    const asks = Array.from({ length: burst }, () => this.#draw())
    const sent = asks.map((ask) => ({ ask, id: ++this.#asked, sent: this.#moment() }))
    const ended = await Promise.all(
      sent.map(async (one) => ({ ...one, answer: await this.#answer(one.ask) })),
    )
    // Answers come in another order than requests.
    for (const { ask, id, sent, answer } of ended.sort(() => this.#random.fraction() - 0.5)) {
      const { tenant, operation, created, resource, query, body } = ask
      const event: RequestEvent = {
        ...{ kind: 'request', id, operation, tenant, key: created?.by, resource, query, body, sent },
        answer: answer ? { ...answer, received: this.#moment() } : null,
      }
      this.history.push({ ...event, secret: this.#identity.of(event) })
      if (answer) see(this.#seen[tenant], ask, id, answer.json)
      if (answer?.status === 429) this.#world.wait(1_000)
    }
  }

  /** Sends a request; undefined where its answer is lost. */
  async #answer(ask: Ask): Promise<{ readonly status: number; readonly json: unknown } | undefined> {
    if (!this.#chance(this.#options.lost)) return this.#world.send(ask)
    const lot = this.#random.word() % 3
    if (lot === 0) await this.#world.send(ask)
    if (lot === 1) this.#late.push(ask)
    return undefined
  }

  async #arrange(): Promise<void> {
    const [state, params] = this.#chance(0.5)
      ? (['credits', { credits: Math.floor(this.#random.fraction() * 8) }] as const)
      : ([this.#chance(0.5) ? 'next_run_fails' : 'unread_notification', {}] as const)
    const sent = this.#moment()
    const isDone = await this.#world.arrange(state, params)
    const common = {
      kind: 'arranged',
      id: ++this.#asked,
      tenant: 'main',
      state,
      action: 'setup',
      params,
    } as const
    if (isDone) this.history.push({ ...common, sent, received: this.#moment() })
  }

  #draw(): Ask {
    const tenant = this.#chance(0.2) ? 'other' : 'main'
    const other = this.#seen[tenant === 'main' ? 'other' : 'main']
    return { tenant, ...drawAsk(this.#seen[tenant], this.#random, `${this.#random.word()}`, other) }
  }

  #moment() {
    return { place: ++this.#places, ms: this.#world.now() * this.#options.drift }
  }

  #chance(share: number): boolean {
    return this.#random.fraction() < share
  }
}
