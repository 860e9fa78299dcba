/** What moves draw from: the inventory, chance, and the organization that it is the turn of. */
import type { OperationId } from '#contract/operation.ts'
import type { Settings } from '../harness/terms.ts'
import { type AssumedLateness, margin } from './env.ts'
import type { RunTimes } from './going-runs.ts'
import type { Inventory, Thing } from './inventory.ts'
import type { Random } from './random.ts'
import type { CallStep, Credential, Ref, StateStep, Step, Tenant } from './step.ts'

export type Offers = ReturnType<typeof offersOf>

/**
 * What a deployment offers to the search, as the settings allow. `clients`: most requests at once; `lateness`: how late
 * lists and balances are taken to be; `runTimes`: how long runs take.
 */
export function offersOf(
  settings: Settings,
  clients: number,
  lateness: AssumedLateness,
  runTimes: Pick<RunTimes, 'run'>,
) {
  const { otherApiKey, sessionCookie, otherSessionCookie, statesUrl, extended } = settings
  const tenants: readonly Tenant[] = otherApiKey ? ['main', 'other'] : ['main']
  return {
    ...{ tenants, clients, lateness, runTimes },
    /** Whether keys can be made: there is a session for the organization. */
    session: (tenant: Tenant) =>
      Boolean(tenant === 'main' ? sessionCookie : otherApiKey && otherSessionCookie),
    states: Boolean(statesUrl),
    extended: extended !== 'off',
  }
}

/** What the moves of all workers draw from. */
export interface Source {
  readonly inventory: Inventory
  readonly random: Random
  readonly offers: Offers
  /** The number of the next step. */
  next(): number
}

/** Whose turn it is, and for what. */
interface Turn {
  readonly tenant: Tenant
  /** How often moves repeat what they do. */
  readonly often: number
  /** Whether requests may be drawn that cost a credit. */
  readonly paid: boolean
  /** States that are left alone for now. */
  readonly without: readonly StateStep['state'][]
}

export type Draw = ReturnType<typeof createDraw>

/** The same for another organization. */
export const drawFor = (tenant: Tenant, d: Draw): Draw => createDraw(d, { ...d, tenant })

export function createDraw({ inventory, random, offers, next }: Source, turn: Turn) {
  const { tenant, often, paid, without } = turn
  /** Whether lists and balances are taken to show everything at once. */
  const isPrompt = () => offers.lateness.consistency === 0
  const wait = (ms: number): Step => ({ kind: 'wait', at: next(), ms })

  const call = (operation: OperationId, rest: Partial<CallStep> = {}): CallStep => {
    return { kind: 'call', at: next(), tenant, as: key(), operation, ...rest }
  }

  /** The key of the operator, or now and then a created one. */
  const key = (): Credential => {
    const created = random.chance(0.2) ? random.pick(inventory.keys(tenant)) : undefined
    return created ? { made: created.made } : 'key'
  }

  /** A wait until lists and balances show everything, and `ms` more; none where they show it at once. */
  const late = (ms = 0): Step[] => {
    const all = offers.lateness.consistency + ms
    return all > 0 ? [wait(all + margin)] : []
  }

  /** A look at the balance once it must show everything that was done. */
  const settled = (): Step[] => [...late(), call('whoami', { as: 'key' })]

  return {
    ...{ inventory, random, offers, next, tenant, often, paid, without },
    ...{ wait, call, late, settled },
    state(state: StateStep['state'], params: StateStep['params'] = {}): Step[] {
      if (!offers.states || without.includes(state)) return []
      return [{ kind: 'state', at: next(), tenant, state, params }]
    },
    end: (of: Ref): Step => ({ kind: 'end', at: next(), tenant, of }),
    burst: (calls: readonly CallStep[]): Step => ({ kind: 'burst', at: next(), calls }),
    /** Steps, and mostly a look at the balance once it must show them. */
    thenSettled(steps: readonly Step[]): Step[] {
      return [...steps, ...(random.chance(isPrompt() ? 0.9 : 0.6) ? settled() : [])]
    },
    /** Now and then a look at the balance; mostly where it shows everything at once. */
    balance(): Step[] {
      if (!isPrompt() && random.chance(0.1)) return settled()
      return random.chance(isPrompt() ? 0.7 : 0.3) ? [call('whoami')] : []
    },
    /** How often to repeat something: at least once. */
    times: (most: number) => 1 + random.below(Math.min(most, often)),
    /** Something of a kind: mostly of this case, else an old one. */
    thing(kind: Thing['kind'], fits: (one: Thing) => boolean = () => true): Thing | undefined {
      const all = inventory.of(kind, tenant).filter((one) => !one.deleted && fits(one))
      const recent = all.filter((one) => one.used === inventory.case)
      const isRecent = recent.length > 0 && random.chance(0.7)
      return random.pick(isRecent ? recent : all)
    },
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
