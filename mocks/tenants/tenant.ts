/** A tenant (an organization with its settings), and an authenticated caller. */
import type { Settings } from '../config/options.ts'
import type { Organization } from '../core/organization.ts'
import type { Key } from '../core/resources.ts'
import type { Quirks } from '../quirks/quirks.ts'

/** An organization with its name, settings and quirks. */
export interface Tenant {
  /** The part of its key after `wak_test_`. */
  readonly name: string
  readonly org: Organization
  /** The settings of the mock, overridden by those of this organization. */
  readonly settings: Settings
  /** Legal variations of its responses; undefined: none. */
  readonly quirks: Quirks | undefined
}

/** An authenticated caller. */
export interface Principal extends Tenant {
  /** What the rate limit counts by (§8.1): the id of the key, or the session token. */
  readonly credential: string
  /** Undefined: authenticated by a session. */
  readonly key: Key | undefined
}
