/** The organizations of a mock, by credential, name and id (§5). Each is created on first use. */
import type { HonoRequest } from 'hono'
import { parse } from 'hono/utils/cookie'
import type { Route } from '#contract/route.ts'
import type { OptionProblem, Options, Settings } from '../config/options.ts'
import type { ChangeCounter } from '../core/changes.ts'
import type { Clock } from '../core/clock.ts'
import type { OrganizationEvent } from '../core/events.ts'
import { createKey } from '../core/keys.ts'
import type { Organization } from '../core/organization.ts'
import type { Key } from '../core/resources.ts'
import type { OrganizationState } from '../core/state.ts'
import type { RuleDraft } from '../faults/rule.ts'
import type { Quirks } from '../quirks/quirk.ts'
import { keyOf, nameInKey, nameInSession, nameOfKey, sessionCookie } from './credentials.ts'
import { changeTenant, createTenant, type FactoryContext, restoreTenant } from './organization-factory.ts'
import { OrganizationClocks, type Principal, type Tenant, TenantIndex } from './tenant.ts'
import { type ReadOptions, type Switches, TenantSettings } from './tenant-settings.ts'

/** The tenants of one mock. */
export class Tenants {
  readonly #settings: TenantSettings
  readonly #index = new TenantIndex()
  readonly #clocks: OrganizationClocks
  readonly #emit: (event: OrganizationEvent) => void
  /** Counts the changes of all organizations, also of those that were replaced. */
  readonly #counter: ChangeCounter = { count: 0 }
  readonly #addRules: (org_id: string, rules: readonly RuleDraft[]) => void

  /** Every key that `keysOnly` has named so far: secrets that have no known prefix. */
  #secrets: readonly string[] = []

  /** `addRules` is called with the fault rules in the key of an organization when it is created. */
  constructor(
    clock: Clock,
    settings: Settings,
    emit: (event: OrganizationEvent) => void,
    addRules: (org_id: string, rules: readonly RuleDraft[]) => void,
    read: ReadOptions,
  ) {
    this.#addRules = addRules
    this.#clocks = new OrganizationClocks(clock)
    this.#settings = new TenantSettings(settings, read)
    this.#emit = emit
    this.#admitKeys(settings)
  }

  /** The name of the organization whose credentials are printed at the start. */
  get demoName(): string {
    return this.#firstNames[0] ?? 'demo'
  }

  get #firstNames(): readonly string[] {
    const { keysOnly } = this.settings
    return keysOnly?.map((key) => nameOfKey(key, keysOnly)) ?? ['demo', 'other']
  }

  /** Every key that `keysOnly` has named so far, which text that people see must not contain. */
  get secrets(): readonly string[] {
    return this.#secrets
  }

  /** Creates the organizations of the only keys. */
  #admitKeys({ keysOnly = [] }: Settings): void {
    this.#secrets = [...new Set([...this.#secrets, ...keysOnly])]
    for (const key of keysOnly) this.tenant(nameOfKey(key, keysOnly))
  }

  /** Returns the caller with a bearer value; undefined: 401. */
  byKey(secret: string): Principal | undefined {
    const known = this.#index.bySecret(secret)
    if (known) return known.key?.deleted ? undefined : known
    const name = this.settings.keysOnly ? undefined : nameInKey(secret)
    if (name === undefined || this.#settings.problemsOf(name).length > 0) return undefined
    this.tenant(name)
    return this.#index.bySecret(secret)
  }

  /** Returns the caller with a session token; undefined: 401. */
  bySession(token: string): Principal | undefined {
    const name = nameInSession(token)
    if (name === undefined || this.#settings.problemsOf(name).length > 0) return undefined
    const tenant = this.settings.keysOnly ? this.#index.byName(name) : this.tenant(name)
    return tenant && { ...tenant, credential: token, key: undefined }
  }

  /** Creates all organizations anew, none of them with options of its own, until a reset. */
  startOver(settings: Settings): void {
    this.#settings.clearCreated()
    this.start(settings)
  }

  /**
   * Creates an organization with options, as its key could contain them; it has them after a reset, too. Returns the
   * existing one if it was created with the same ones; undefined: it has others.
   */
  create(name: string, keyOptions: string): Organization | undefined {
    const taken = this.#index.byName(name)
    if (taken && keyOptions !== '' && keyOptions !== this.#settings.createdWith(name)) return undefined
    if (!taken) this.#settings.setCreated(name, keyOptions)
    return this.organization(name)
  }

  /** Returns the options that an organization was created with, as its key could contain them; otherwise an empty text. */
  createdWith(name: string): string {
    return this.#settings.createdWith(name)
  }

  /** Returns the invalid options in the name of an organization. */
  problemsOf(name: string): readonly OptionProblem[] {
    return this.settings.keysOnly ? [] : this.#settings.problemsOf(name)
  }

  /** Returns the invalid options in a key of the right format. */
  problemsOfKey(secret: string): readonly OptionProblem[] {
    const name = this.settings.keysOnly ? undefined : nameInKey(secret)
    return this.#settings.problemsOf(name ?? '')
  }

  /** Returns the tenant of an organization; undefined: the organization was replaced. */
  tenantOf(org: Organization): Tenant | undefined {
    const tenant = this.#index.byId(org.id)
    return tenant?.org === org ? tenant : undefined
  }

  /** Returns the name of an organization; undefined: the organization was replaced. */
  nameOf(org: Organization): string | undefined {
    return this.tenantOf(org)?.name
  }

  /** The current settings: those of the last scenario started, or the initial ones. */
  get settings(): Settings {
    return this.#settings.current
  }

  /** Quirks of responses to unauthenticated callers. */
  get quirks(): Quirks | undefined {
    return this.#settings.quirks
  }

  /** Recreates an organization, or all of them, with the initial settings. */
  reset(org?: Organization): void {
    const name = org && this.nameOf(org)
    if (name === undefined) this.start(this.#settings.initial)
    else this.#restart(name, undefined)
  }

  /** Recreates all organizations, or one by name, with other settings, which apply until a reset. */
  start(settings: Settings, name?: string): void {
    if (name !== undefined) this.#restart(name, settings)
    else {
      this.#settings.start(settings)
      this.#index.clear()
      this.#admitKeys(settings)
    }
  }

  /** Switches variant or extended set for every organization, existing or not yet, until a reset. */
  switch(switches: Switches): void {
    const change = this.#settings.switch(switches)
    for (const org of this.organizations()) org.override(change)
  }

  /** Returns the options of one organization; undefined: those of the mock apply. */
  ownOptions(name: string): Options | undefined {
    return this.#settings.ownOptions(name)
  }

  /** Returns the organization that a key belongs to. */
  ownerOf(secret: string): Organization | undefined {
    return this.#index.bySecret(secret)?.org
  }

  /**
   * Replaces the organization with a name by one from a snapshot. `own`: settings that apply only to it; `created`: the
   * options that it was created with, as its key could contain them.
   */
  restore(name: string, state: OrganizationState, own: Settings | undefined, created?: string): Tenant {
    this.#index.remove(name)
    this.#settings.setOwn(name, own)
    this.#settings.setCreated(name, created)
    const tenant = this.#add(restoreTenant(this.#contextOf(name), state))
    for (const key of state.keys) this.admit(key, tenant.org)
    return tenant
  }

  /** Gives an organization other settings, which apply until a reset; what it has stays. */
  change(name: string, settings: Settings): Tenant {
    const { org } = this.tenant(name)
    this.#index.remove(name)
    this.#settings.setOwn(name, settings)
    const tenant = changeTenant(this.#contextOf(name), org)
    this.#index.add(tenant)
    for (const key of org.keys.all()) this.admit(key, org)
    return tenant
  }

  #restart(name: string, settings: Settings | undefined): void {
    this.#settings.setOwn(name, settings)
    this.#index.remove(name)
    this.tenant(name)
  }

  /** Returns all existing organizations. */
  organizations(): Organization[] {
    return this.#index.all().map(({ org }) => org)
  }

  /** Returns the name of a second organization, for tests of isolation. */
  otherThan(name: string): string {
    if (name === this.demoName) return this.#firstNames[1] ?? name
    return this.settings.keysOnly ? this.demoName : `${name}-other`
  }

  /** Returns the bearer value of the organization with a name. */
  keyFor(name: string): string {
    return keyOf(name, this.settings.keysOnly)
  }

  /** Returns the organization with an id, recreated if it was reset. */
  byId(id: string): Organization | undefined {
    const name = this.#index.byId(id) ? undefined : this.#index.nameOf(id)
    if (name !== undefined) this.tenant(name)
    return this.#index.byId(id)?.org
  }

  /** Returns whether an organization has a name. */
  isTaken(name: string): boolean {
    return this.#index.byName(name) !== undefined
  }

  /** Returns the organization with an id; undefined: it does not exist, or was reset. */
  existing(id: string): Organization | undefined {
    return this.#index.byId(id)?.org
  }

  /** Returns the clocks of all organizations ever created. */
  clocks(): Clock[] {
    return this.#clocks.all()
  }

  /** Makes a key of an organization valid. */
  admit(key: Key, org: Organization): void {
    this.#index.admit(key, org)
  }

  /** Returns the organization with a name, created on first use. */
  organization(name: string): Organization {
    return this.tenant(name).org
  }

  /** Returns the tenant with a name, created on first use. */
  tenant(name: string): Tenant {
    return this.#index.byName(name) ?? this.#create(name)
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
    this.#index.add(tenant)
    if (settings.faults !== this.#settings.baseOf(name).faults) this.#addRules(org.id, settings.faults)
    return tenant
  }

  #contextOf(name: string): FactoryContext {
    const [settings, clock] = [this.#settings.of(name), this.#clocks.of(name)]
    return { name, settings, clock, counter: this.#counter, emit: this.#emit }
  }
}

/** Returns the caller that the credential of a request belongs to; undefined: missing or invalid (401). */
export function authenticate(
  request: HonoRequest,
  auth: Route['auth'],
  tenants: Tenants,
): Principal | undefined {
  if (auth === 'key') {
    const secret = bearerOf(request.header('authorization'))
    return secret === undefined ? undefined : tenants.byKey(secret)
  }
  const cookies = request.header('cookie')
  const token = cookies === undefined ? undefined : parse(cookies, sessionCookie)[sessionCookie]
  return token === undefined ? undefined : tenants.bySession(token)
}

/** Returns the value of a Bearer header; the scheme name is case-insensitive (RFC 9110 §11.1). */
function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  return header.slice(7).trim() || undefined
}
