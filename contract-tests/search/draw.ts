/** What moves draw from: the inventory, chance, and the organization that it is the turn of. */
import type { OperationId } from '#contract/operation.ts'
import type { Settings } from '../harness/terms.ts'
import { type AssumedLateness, margin } from './env.ts'
import type { RunTimes } from './going-runs.ts'
import type { Inventory, Thing } from './inventory.ts'
import type { Random } from './random.ts'
import type { CallStep, Credential, Ref, StateStep, Step, Tenant } from './step.ts'

/** What a deployment offers to the search. */
export interface Offers {
  readonly tenants: readonly Tenant[]
  /** Whether keys can be made: there is a session for the organization. */
  session(tenant: Tenant): boolean
  states: boolean
  extended: boolean
  /** Most requests at once. */
  readonly clients: number
  /** How late lists and balances are taken to be. */
  readonly lateness: AssumedLateness
  /** How long runs take. */
  readonly runTimes: Pick<RunTimes, 'run'>
}

/** What the settings allow. */
export function offersOf(
  settings: Settings,
  clients: number,
  lateness: AssumedLateness,
  runTimes: Offers['runTimes'],
): Offers {
  return {
    tenants: settings.otherApiKey ? ['main', 'other'] : ['main'],
    session: (tenant) =>
      Boolean(
        tenant === 'main' ? settings.sessionCookie : settings.otherApiKey && settings.otherSessionCookie,
      ),
    states: Boolean(settings.statesUrl),
    extended: settings.extended !== 'off',
    clients,
    lateness,
    runTimes,
  }
}

export class Draw {
  readonly inventory: Inventory
  readonly random: Random
  readonly tenant: Tenant
  readonly offers: Offers
  /** How often moves repeat what they do. */
  readonly often: number
  /** Whether requests may be drawn that cost a credit. */
  readonly paid: boolean
  /** States that are left alone for now. */
  readonly without: readonly StateStep['state'][]
  readonly #next: () => number

  constructor(
    inventory: Inventory,
    random: Random,
    offers: Offers,
    { tenant, often, paid, without }: Pick<Draw, 'tenant' | 'often' | 'paid' | 'without'>,
    next: () => number,
  ) {
    this.inventory = inventory
    this.random = random
    this.offers = offers
    this.tenant = tenant
    this.often = often
    this.paid = paid
    this.without = without
    this.#next = next
  }

  /** The same for another organization. */
  for(tenant: Tenant): Draw {
    return new Draw(this.inventory, this.random, this.offers, { ...this, tenant }, this.#next)
  }

  call(operation: OperationId, rest: Partial<CallStep> = {}): CallStep {
    const { tenant } = this
    return { kind: 'call', at: this.#next(), tenant, as: this.key(), operation, ...rest }
  }

  state(state: StateStep['state'], params: StateStep['params'] = {}): Step[] {
    if (!this.offers.states || this.without.includes(state)) return []
    return [{ kind: 'state', at: this.#next(), tenant: this.tenant, state, params }]
  }

  end(of: Ref): Step {
    return { kind: 'end', at: this.#next(), tenant: this.tenant, of }
  }

  /** A wait until lists and balances show everything, and `ms` more; none where they show it at once. */
  late(ms = 0): Step[] {
    const all = this.offers.lateness.consistency + ms
    return all > 0 ? [this.wait(all + margin)] : []
  }

  /** A look at the balance once it must show everything that was done. */
  settled(): Step[] {
    return [...this.late(), this.call('whoami', { as: 'key' })]
  }

  /** Steps, and mostly such a look. */
  thenSettled(steps: readonly Step[]): Step[] {
    return [...steps, ...(this.random.chance(this.isPrompt ? 0.9 : 0.6) ? this.settled() : [])]
  }

  /** Now and then a look at the balance; mostly where it shows everything at once. */
  balance(): Step[] {
    if (!this.isPrompt && this.random.chance(0.1)) return this.settled()
    return this.random.chance(this.isPrompt ? 0.7 : 0.3) ? [this.call('whoami')] : []
  }

  /** Whether lists and balances are taken to show everything at once. */
  get isPrompt(): boolean {
    return this.offers.lateness.consistency === 0
  }

  wait(ms: number): Step {
    return { kind: 'wait', at: this.#next(), ms }
  }

  burst(calls: readonly CallStep[]): Step {
    return { kind: 'burst', at: this.#next(), calls }
  }

  /** The key of the operator, or now and then a created one. */
  key(): Credential {
    const created = this.random.chance(0.2) ? this.random.pick(this.inventory.keys(this.tenant)) : undefined
    return created ? { made: created.made } : 'key'
  }

  /** How often to repeat something: at least once. */
  times(most: number): number {
    return 1 + this.random.below(Math.min(most, this.often))
  }

  /** Something of a kind: mostly of this case, else an old one. */
  thing(kind: Thing['kind'], fits: (one: Thing) => boolean = () => true): Thing | undefined {
    const all = this.inventory.of(kind, this.tenant).filter((one) => !one.deleted && fits(one))
    const recent = all.filter((one) => one.used === this.inventory.case)
    const isRecent = recent.length > 0 && this.random.chance(0.7)
    return this.random.pick(isRecent ? recent : all)
  }
}

/** A kind of step, or of several that belong together. */
export interface Move {
  readonly id: string
  readonly weight: number
  /** The steps; none: it cannot be done now. */
  draw(d: Draw): readonly Step[]
}

export const move = (id: string, weight: number, draw: Move['draw']): Move => ({ id, weight, draw })

/** So many of what is drawn anew each time. */
export const many = <T>(length: number, draw: () => T): T[] => Array.from({ length }, draw)
