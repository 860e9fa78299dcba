/** Random walks through a mutated mock: several clients, lost answers, late effects, others, a clock that drifts. */
import type { Variant } from '#contract/route.ts'
import { type ModelEvent, type RequestEvent, SecretIdentity } from '#contract-tests/model/index.ts'
import { createRandom, type SeededRandom } from '#mocks/core/random.ts'
import { field, idOf } from '#traffic/exchange.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { drawAsk, nothingSeen, see } from './asks.ts'
import { type Action, type Ask, createWorld, type World } from './world.ts'

interface WalkOptions {
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

/** Tasks that are read before one is made to fail. */
const mostRead = 40

/** The history of a walk, and errors in the mock. */
interface Walk {
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
    if (this.#chance(0.02)) return this.#arrangeAny()
    if (this.#chance(0.005)) return this.#fail()
    const burst = this.#chance(0.4) ? 1 + Math.floor(this.#random.fraction() * clients) : 1
    await this.#send(Array.from({ length: burst }, () => this.#draw()))
  }

  /** Sends requests at once and records them. Returns the answers that came. */
  async #send(asks: readonly Ask[]): Promise<unknown[]> {
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
    return ended.map(({ answer }) => answer?.json)
  }

  /** Runs a task that fails while nothing else runs, so that the model learns how failed runs end. */
  async #fail(): Promise<void> {
    const ask = async (operation: Ask['operation'], more: Partial<Ask> = {}) => {
      const [json] = await this.#send([{ tenant: 'main', operation, ...more }])
      this.#world.wait(8_000)
      return json
    }
    for (const resource of this.#seen.main.tasks.slice(-mostRead)) await ask('getTask', { resource })
    const json = await ask('createTask', { body: { text: `Failing ${this.#asked}` } })
    const resource = idOf(field(json, 'task', 'id'))
    if (resource === undefined) return
    await this.#arrange('next_run_fails', {}, 'setup')
    await ask('runTask', { resource })
    await ask('getTask', { resource })
    await this.#arrange('next_run_fails', {}, 'teardown')
    await ask('whoami')
  }

  /** Sends a request; undefined where its answer is lost. */
  async #answer(ask: Ask): Promise<{ readonly status: number; readonly json: unknown } | undefined> {
    if (!this.#chance(this.#options.lost)) return this.#world.send(ask)
    const lot = this.#random.word() % 3
    if (lot === 0) await this.#world.send(ask)
    if (lot === 1) this.#late.push(ask)
    return undefined
  }

  async #arrangeAny(): Promise<void> {
    if (this.#chance(0.5))
      return this.#arrange('credits', { credits: Math.floor(this.#random.fraction() * 8) }, 'setup')
    await this.#arrange(this.#chance(0.5) ? 'next_run_fails' : 'unread_notification', {}, 'setup')
  }

  async #arrange(state: string, params: Readonly<Record<string, unknown>>, action: Action): Promise<void> {
    const sent = this.#moment()
    const isDone = await this.#world.arrange(state, params, action)
    const common = {
      kind: 'arranged',
      id: ++this.#asked,
      tenant: 'main',
      state,
      action,
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
