/** Input for creating an organization. */
import type { Changes } from './changes.ts'
import type { Clock } from './clock.ts'
import type { OrganizationEvent } from './events.ts'
import type { SeededRandom } from './random.ts'
import type { Account } from './resources.ts'
import type { RunPolicy } from './state.ts'

/** What the constructor of `Organization` takes. */
export interface OrganizationInit {
  readonly id: string
  readonly name: string
  readonly account: Account
  readonly policy: RunPolicy
  /** Credits to add some time (ms) after a request failed with `no_credits`; undefined: none. */
  readonly topUp: { readonly credits: number; readonly after_ms: number } | undefined
  /** Creates an identifier in a custom format; undefined: the default format. */
  readonly newId: ((random: SeededRandom, kind: string) => string) | undefined
  /** The clock of the organization; it follows the clock of the mock until it is changed. */
  readonly clock: Clock
  /** Records the changes of the organization. */
  readonly changes: Changes
  /** Returns an independent random stream for a scope. */
  random(scope: string): SeededRandom
  /** Called with every event. */
  emit(event: OrganizationEvent): void
}
