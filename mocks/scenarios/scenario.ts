/** A situation that a client should cope with: a start, the faults in it, and what is expected of the client. */
import type { Organization } from '../core/organization.ts'
import type { MockOptions } from '../options.ts'

export interface Scenario {
  /** Stable, unique, kebab-case: what `--scenario` takes. */
  readonly id: string
  readonly title: string
  /** What happens, and what a good client does about it. */
  readonly shows: string
  /** Options of the mock, its seed among them; those that a person gives win over them. */
  readonly options: Omit<MockOptions, 'scenario'>
  /** Does to an organization, when it is founded, what no option does. */
  arrange?(org: Organization): void
  /** Ids of the rules of the report card that a client meets here. */
  readonly expects: readonly string[]
}
