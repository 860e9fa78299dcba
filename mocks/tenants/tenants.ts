/** The organizations of a mock, by credential, name and id (§5). Each is created when it is first asked for. */
import { settingsOf } from '../config/key-options.ts'
import type { MockOptions, OptionProblem, Settings } from '../config/options.ts'
import { type Clock, createClock } from '../core/clock.ts'
import type { OrganizationEvent } from '../core/events.ts'
import { createKey } from '../core/keys.ts'
import type { Organization } from '../core/organization.ts'
import type { Key } from '../core/resources.ts'
import type { OrganizationState } from '../core/state.ts'
import type { RuleDraft } from '../faults/rule.ts'
import { createQuirks } from '../quirks/create.ts'
import type { Quirks } from '../quirks/quirks.ts'
import { keyOf, nameInKey, nameInSession, nameOfKey, sessionOf } from './credentials.ts'
import { createTenant, type FactoryContext, restoreTenant } from './organization-factory.ts'
import type { Principal, Tenant } from './tenant.ts'

export class Tenants {
  readonly #clock: Clock
  readonly #initial: Settings
  #settings: Settings
  /** Settings of organizations that were started separately, by name. */
  readonly #own = new Map<string, Settings>()
  #strangers: Quirks | undefined
  readonly #byName = new Map<string, Tenant>()
  readonly #byId = new Map<string, Tenant>()
  readonly #bySecret = new Map<string, Principal>()
  /** Names of all organizations ever created, by id, so that one that was reset is found again. */
  readonly #names = new Map<string, string>()
  /** Clocks outlive their organizations: resetting one does not reset the other. */
  readonly #clocks = new Map<string, Clock>()
  readonly #emit: (event: OrganizationEvent) => void
  readonly #addRules: (org_id: string, rules: readonly RuleDraft[]) => void

  /** The organization whose credentials are printed at the start. */
  readonly demoName: string
  readonly #secondName: string

  /** `addRules`: called with the fault rules in an organization's key when it is created. */
  constructor(
    clock: Clock,
    settings: Settings,
    emit: (event: OrganizationEvent) => void,
    addRules: (org_id: string, rules: readonly RuleDraft[]) => void,
  ) {
    this.#addRules = addRules
    this.#clock = clock
    this.#initial = settings
    this.#settings = settings
    this.#strangers = createQuirks(settings.strictClient, '')
    this.#emit = emit
    const names = settings.keysOnly?.map((key) => nameOfKey(key, settings.keysOnly)) ?? ['demo', 'other']
    this.demoName = names[0] ?? 'demo'
    this.#secondName = names[1] ?? this.demoName
    for (const name of settings.keysOnly ? names : []) this.tenant(name)
  }

  /** The owner of a bearer value; undefined: 401. */
  byKey(secret: string): Principal | undefined {
    const known = this.#bySecret.get(secret)
    if (known) return known.key?.deleted ? undefined : known
    const name = this.#settings.keysOnly ? undefined : nameInKey(secret)
    if (name === undefined || Array.isArray(settingsOf(name, this.#settings))) return undefined
    this.tenant(name)
    return this.#bySecret.get(secret)
  }

  /** The owner of a session; undefined: 401. */
  bySession(token: string): Principal | undefined {
    const name = nameInSession(token)
    if (name === undefined || Array.isArray(settingsOf(name, this.#settings))) return undefined
    const tenant = this.#settings.keysOnly ? this.#byName.get(name) : this.tenant(name)
    return tenant && { ...tenant, credential: token, key: undefined }
  }

  /** What is wrong with the options in a key of the right form; empty: nothing. */
  problemsOfKey(secret: string): readonly OptionProblem[] {
    const name = this.#settings.keysOnly ? undefined : nameInKey(secret)
    const settings = name === undefined ? undefined : settingsOf(name, this.#settings)
    return Array.isArray(settings) ? settings : []
  }

  /** The tenant of an organization; undefined: it was replaced since. */
  tenantOf(org: Organization): Tenant | undefined {
    const tenant = this.#byId.get(org.id)
    return tenant?.org === org ? tenant : undefined
  }

  /** The name by which an organization was created; undefined: it was replaced since. */
  nameOf(org: Organization): string | undefined {
    return this.tenantOf(org)?.name
  }

  /** The settings in force. */
  get settings(): Settings {
    return this.#settings
  }

  /** Quirks of answers to callers who are not authenticated. */
  get quirks(): Quirks | undefined {
    return this.#strangers
  }

  /** Creates an organization, or all of them, anew with the initial settings. */
  reset(org?: Organization): void {
    const name = org && this.nameOf(org)
    if (name === undefined) {
      this.#own.clear()
      this.start(this.#initial)
    } else {
      this.#own.delete(name)
      this.#replace(name)
    }
  }

  /** Creates all organizations, or that of a name, anew with other settings, which hold until a reset. */
  start(settings: Settings, name?: string): void {
    if (name !== undefined) {
      this.#own.set(name, settings)
      this.#replace(name)
      return
    }
    this.#settings = settings
    this.#strangers = createQuirks(settings.strictClient, '')
    for (const index of [this.#byName, this.#byId, this.#bySecret, this.#own]) index.clear()
    for (const key of settings.keysOnly ?? []) this.tenant(nameOfKey(key, settings.keysOnly))
  }

  /** Options of the organization of a name alone; undefined: those of the mock hold. */
  ownOptions(name: string): MockOptions | undefined {
    return this.#own.get(name)?.options
  }

  /** The organization that a key belongs to. */
  ownerOf(secret: string): Organization | undefined {
    return this.#bySecret.get(secret)?.org
  }

  /** Replaces the organization of a name by one from a snapshot; `own`: settings for it alone. */
  restore(name: string, state: OrganizationState, own: Settings | undefined): Tenant {
    this.#remove(name)
    if (own) this.#own.set(name, own)
    else this.#own.delete(name)
    const tenant = this.#add(restoreTenant(this.#contextOf(name), state))
    for (const key of state.keys) this.admit(key, tenant.org)
    return tenant
  }

  #replace(name: string): void {
    this.#remove(name)
    this.tenant(name)
  }

  #remove(name: string): void {
    const org = this.#byName.get(name)?.org
    if (!org) return
    this.#byName.delete(name)
    this.#byId.delete(org.id)
    for (const { secret } of org.keys.all()) if (this.ownerOf(secret) === org) this.#bySecret.delete(secret)
  }

  /** Every organization that exists so far. */
  organizations(): Organization[] {
    return [...this.#byId.values()].map(({ org }) => org)
  }

  /** The name of a second organization, for tests of isolation. */
  otherThan(name: string): string {
    if (name === this.demoName) return this.#secondName
    return this.#settings.keysOnly ? this.demoName : `${name}-other`
  }

  /** The bearer value of the organization of a name. */
  keyFor(name: string): string {
    return keyOf(name, this.#settings.keysOnly)
  }

  /** The session token of the organization of a name. */
  sessionFor(name: string): string {
    return sessionOf(name)
  }

  /** The organization of an id, if there was ever one. */
  byId(id: string): Organization | undefined {
    const name = this.#byId.has(id) ? undefined : this.#names.get(id)
    if (name !== undefined) this.tenant(name)
    return this.#byId.get(id)?.org
  }

  /** The clocks of all organizations ever created. */
  clocks(): Clock[] {
    return [...this.#clocks.values()]
  }

  /** Makes a key of an organization valid. */
  admit(key: Key, org: Organization): void {
    const tenant = this.#byId.get(org.id)
    if (tenant) this.#bySecret.set(key.secret, { ...tenant, credential: key.id, key })
  }

  /** The organization of a name, created the first time. */
  organization(name: string): Organization {
    return this.tenant(name).org
  }

  /** The tenant of a name, created the first time. */
  tenant(name: string): Tenant {
    return this.#byName.get(name) ?? this.#create(name)
  }

  #create(name: string): Tenant {
    const tenant = createTenant(this.#contextOf(name))
    const { org } = tenant
    const key = createKey(org, 'First key', this.keyFor(name), org.clock.now())
    this.#add(tenant)
    this.admit(key, org)
    return tenant
  }

  #add(tenant: Tenant): Tenant {
    const { name, org, settings } = tenant
    this.#byName.set(name, tenant)
    this.#byId.set(org.id, tenant)
    this.#names.set(org.id, name)
    if (settings.faults !== this.#baseOf(name).faults) this.#addRules(org.id, settings.faults)
    return tenant
  }

  /** The settings of an organization, before the options in its name are applied. */
  #baseOf(name: string): Settings {
    return this.#own.get(name) ?? this.#settings
  }

  #contextOf(name: string): FactoryContext {
    const base = this.#baseOf(name)
    const settings = settingsOf(name, base)
    return {
      name,
      settings: Array.isArray(settings) ? base : settings,
      clock: this.#clockOf(name),
      emit: this.#emit,
    }
  }

  #clockOf(name: string): Clock {
    const clock = this.#clocks.get(name) ?? createClock(undefined, this.#clock)
    this.#clocks.set(name, clock)
    return clock
  }
}
