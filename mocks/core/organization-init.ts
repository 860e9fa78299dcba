/** What an organization is made of, and what operators arrange for it. */

import type { Progress } from './agent.ts'
import type { Clock } from './clock.ts'
import type { OrganizationEvent } from './events.ts'
import type { SeededRandom } from './random.ts'
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
export interface OrganizationInit {
  readonly id: string
  readonly name: string
  readonly account: Account
  readonly policy: RunPolicy
  /** Credits added automatically so long after a request was refused for lack of credits. */
  readonly topUp: { readonly credits: number; readonly after_ms: number } | undefined
  /** Creates an identifier of a kind in place of the usual form; undefined: the usual form. */
  readonly newId: ((random: SeededRandom, kind: string) => string) | undefined
  /** Follows the clock of the mock until it is moved. */
  readonly clock: Clock
  /** An independent stream of random values for each scope. */
  random(scope: string): SeededRandom
  /** Called with every event. */
  emit(event: OrganizationEvent): void
}

/** What provider states have arranged for an organization. */
export interface StateOverrides {
  nextRunFails: boolean
  nextCreativeFails: boolean
  unavailable: boolean
  rateLimit: RateLimit | undefined
  /** When credits will be added, ms since the epoch, and how many; undefined: none will. */
  topUp: { readonly at: number; readonly credits: number } | undefined
}
