/** A tenant (an organization with its settings), and an authenticated caller. */
import type { Settings } from '../config/options.ts'
import { type Clock, createClock } from '../core/clock.ts'
import type { Organization } from '../core/organization.ts'
import type { Key } from '../core/resources.ts'
import type { Quirks } from '../quirks/quirk.ts'

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

/** The existing tenants of one mock. */
export class TenantIndex {
  readonly #byName = new Map<string, Tenant>()
  readonly #byId = new Map<string, Tenant>()
  readonly #bySecret = new Map<string, Principal>()
  /** Names of all organizations ever created, by id, so that one that was reset can still be found. */
  readonly #names = new Map<string, string>()

  /** Returns the tenant with a name. */
  byName(name: string): Tenant | undefined {
    return this.#byName.get(name)
  }

  /** Returns the tenant with the id of its organization. */
  byId(id: string): Tenant | undefined {
    return this.#byId.get(id)
  }

  /** Returns the caller with a bearer value, even if the key was deleted. */
  bySecret(secret: string): Principal | undefined {
    return this.#bySecret.get(secret)
  }

  /** Returns the name of an organization that exists or was reset. */
  nameOf(id: string): string | undefined {
    return this.#names.get(id)
  }

  /** Returns all tenants, in the order in which they were added. */
  all(): Tenant[] {
    return [...this.#byId.values()]
  }

  /** Adds a tenant. */
  add(tenant: Tenant): void {
    this.#byName.set(tenant.name, tenant)
    this.#byId.set(tenant.org.id, tenant)
    this.#names.set(tenant.org.id, tenant.name)
  }

  /** Makes a key of an organization valid. */
  admit(key: Key, org: Organization): void {
    const tenant = this.#byId.get(org.id)
    if (tenant) this.#bySecret.set(key.secret, { ...tenant, credential: key.id, key })
  }

  /** Removes the tenant with a name, and its keys. */
  remove(name: string): void {
    const org = this.#byName.get(name)?.org
    if (!org) return
    this.#byName.delete(name)
    this.#byId.delete(org.id)
    for (const { secret } of org.keys.all())
      if (this.#bySecret.get(secret)?.org === org) this.#bySecret.delete(secret)
  }

  /** Removes all tenants, except for the names of their organizations. */
  clear(): void {
    for (const index of [this.#byName, this.#byId, this.#bySecret]) index.clear()
  }
}

/** Clocks by the name of their organization. */
export class OrganizationClocks {
  readonly #mockClock: Clock
  readonly #byName = new Map<string, Clock>()

  constructor(mockClock: Clock) {
    this.#mockClock = mockClock
  }

  /** Returns the clock of an organization, which follows the clock of the mock until it is changed. */
  of(name: string): Clock {
    const clock = this.#byName.get(name) ?? createClock(undefined, this.#mockClock)
    this.#byName.set(name, clock)
    return clock
  }

  /** Returns the clocks of all organizations ever created. */
  all(): Clock[] {
    return [...this.#byName.values()]
  }
}
