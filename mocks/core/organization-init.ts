/** What an organization is created from. */
import type { Clock } from './clock.ts'
import type { OrganizationEvent } from './events.ts'
import type { SeededRandom } from './random.ts'
import type { Account } from './resources.ts'
import type { RunPolicy } from './state.ts'

export interface OrganizationInit {
  readonly id: string
  readonly name: string
  readonly account: Account
  readonly policy: RunPolicy
  /** Credits added so long after a request was refused for lack of credits; undefined: none. */
  readonly topUp: { readonly credits: number; readonly after_ms: number } | undefined
  /** Creates an identifier of a kind in another form than usual; undefined: the usual form. */
  readonly newId: ((random: SeededRandom, kind: string) => string) | undefined
  /** Follows the clock of the mock until it is moved. */
  readonly clock: Clock
  /** An independent random stream for each scope. */
  random(scope: string): SeededRandom
  /** Called with every event. */
  emit(event: OrganizationEvent): void
}
