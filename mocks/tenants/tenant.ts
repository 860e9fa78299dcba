/** An organization together with what it was created from, and the caller who reaches it. */
import type { Settings } from '../config/options.ts'
import type { Organization } from '../core/organization.ts'
import type { Key } from '../core/resources.ts'
import type { Quirks } from '../quirks/quirks.ts'

export interface Tenant {
  /** What follows `wak_test_` in its key. */
  readonly name: string
  readonly org: Organization
  /** The settings of the mock, except for those given for this organization alone. */
  readonly settings: Settings
  /** How its answers differ, legally, from the usual; undefined: they do not. */
  readonly quirks: Quirks | undefined
}

/** An authenticated caller. */
export interface Principal extends Tenant {
  /** What the rate limit is counted by: the id of the key, or the session token. */
  readonly credential: string
  readonly key: Key | undefined
}
