/** What an organization is made of, and what operators arrange for it. */
import type { Clock } from '../clock.ts'
import type { Settings } from '../options.ts'
import type { Surprises } from '../strict-client/surprises.ts'
import type { Chance } from '../world.ts'
import type { Progress } from './agent.ts'
import type { OrganizationEvent } from './events.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Account } from './resources.ts'

/** How runs of an organization go, unless a provider state says otherwise. */
export interface RunPolicy {
  /** Length of a run, ms. */
  readonly duration_ms: number
  /** Share of runs that fail, 0 to 1. */
  readonly failure_rate: number
  readonly progress: Progress
}

/** What an organization is made of. */
export interface Founding {
  readonly id: string
  readonly name: string
  readonly account: Account
  readonly policy: RunPolicy
  /** The mock's, but for what is said of this organization alone. */
  readonly settings: Settings
  /** How its answers surprise clients; undefined: they do not. */
  readonly surprises?: Surprises | undefined
  /** Follows the clock of the mock until it is moved. */
  readonly clock: Clock
  /** A stream of chance for each scope. */
  chance(scope: string): Chance
  /** Told of everything that happens. */
  tell(event: OrganizationEvent): void
}

/** What provider states have arranged for an organization. */
export interface Arranged {
  nextRunFails: boolean
  nextCreativeFails: boolean
  unavailable: boolean
  rateLimit: RateLimit | undefined
  /** When credits will be added, ms since the epoch, and how many; undefined: none will. */
  topUp: { readonly at: number; readonly credits: number } | undefined
}
