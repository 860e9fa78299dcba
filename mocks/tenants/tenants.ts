/** The organizations of a mock, by credential, name and id (§5). Each is created on first use. */
import type { HonoRequest } from 'hono'
import { parse } from 'hono/utils/cookie'
import type { Route } from '#contract/route.ts'
import type { OptionProblem, Options, Settings } from '../config/options.ts'
import { hasSlot, misdirected, type Slots, slotOf } from '../config/slots.ts'
import type { ChangeCounter } from '../core/changes.ts'
import { type Clock, createClock } from '../core/clock.ts'
import { Refusal } from '../core/failure.ts'
import { createKey, type Organization } from '../core/organization.ts'
import type { Key, OrganizationState } from '../core/resources.ts'
import type { Faults } from '../faults/faults.ts'
import { createQuirks, type Quirks } from '../quirks/create.ts'
import { settingsOf } from '../scenarios/key-options.ts'
import {
  changeTenant,
  createTenant,
  type FactoryContext,
  keyOf,
  longestName,
  nameInKey,
  nameInSession,
  nameOfKey,
  type Principal,
  restoreTenant,
  sessionCookie,
  type Tenant,
} from './tenant.ts'

/** What belongs to the name of an organization, whether it exists or was reset. */
interface Entry {
  /** It follows the clock of the mock until it is changed, and is kept by a reset. */
  readonly clock: Clock
  /** Settings that replace those of the mock until a reset. */
  own?: Settings | undefined
  /** The options that it is created with, as its key could contain them; empty: none. */
  created: string
  /** Undefined: it does not exist. */
  tenant?: Tenant | undefined
}

/** What the tenants of a mock are created from; `faults` get the rules in the key of an organization that is created. */
type TenantsInit = Pick<FactoryContext, 'clock' | 'settings' | 'emit'> & { readonly faults: Faults }

export class Tenants {
  readonly #init: TenantsInit
  /** Counts the changes of all organizations, also of those that were replaced. */
  readonly #counter: ChangeCounter = { count: 0 }
  readonly #entries = new Map<string, Entry>()
  /** Those that exist, in the order in which they were created. */
  readonly #byId = new Map<string, Tenant>()
  readonly #bySecret = new Map<string, { readonly tenant: Tenant; readonly key: Key }>()
  /** Names by id, so that an organization that was reset can still be found. */
  readonly #names = new Map<string, string>()
  /** The slots of this mock in a fleet; undefined: it has every organization. */
  readonly slots: Slots | undefined
  /** The current settings: those of the last scenario started, or the initial ones. */
  settings: Settings
  /** Quirks of responses to unauthenticated callers. */
  quirks: Quirks | undefined
  /** Every key that `keysOnly` has named so far, which text that people see must not contain. */
  secrets: readonly string[] = []

  constructor(init: TenantsInit) {
    this.#init = init
    this.slots = init.settings.slots
    this.settings = init.settings
    this.start(init.settings)
  }

  /** The name of the organization whose credentials are printed at the start. */
  get demoName(): string {
    return this.#firstNames[0] ?? 'demo'
  }

  get #firstNames(): readonly string[] {
    const { keysOnly } = this.settings
    return keysOnly?.map((key) => nameOfKey(key, keysOnly)) ?? this.#usualNames
  }

  /** Names for credentials that are shown at the start; in a fleet those of organizations that are here. */
  get #usualNames(): readonly string[] {
    const names = ['demo', 'other']
    for (let i = 2; names.filter((name) => this.has(name)).length < 2; i++) names.push(`demo-${i}`)
    return names.filter((name) => this.has(name))
  }

  /** Returns the name of a second organization, for tests of isolation. */
  otherThan(name: string): string {
    if (name === this.demoName) return this.#firstNames[1] ?? name
    return this.settings.keysOnly ? this.demoName : `${name}-other`
  }

  keyFor(name: string): string {
    return keyOf(name, this.settings.keysOnly)
  }

  /** Whether an organization exists, or `keysOnly` allows its key. */
  isAllowed(name: string): boolean {
    const { keysOnly } = this.settings
    return keysOnly?.includes(this.keyFor(name)) !== false || this.#entries.get(name)?.tenant !== undefined
  }

  /** Returns the caller with a bearer value; undefined: 401. */
  byKey(secret: string): Principal | undefined {
    if (!this.#bySecret.has(secret)) {
      const name = this.settings.keysOnly ? undefined : nameInKey(secret)
      if (name === undefined || !this.#mayBe(name)) return undefined
      this.tenant(name)
    }
    const { tenant, key } = this.#bySecret.get(secret) ?? {}
    return tenant && key && !key.deleted ? { ...tenant, credential: key.id, key } : undefined
  }

  /** Returns the caller with a session token; undefined: 401. */
  bySession(token: string): Principal | undefined {
    const name = nameInSession(token)
    if (name === undefined || !this.#mayBe(name)) return undefined
    const tenant = this.settings.keysOnly ? this.#entries.get(name)?.tenant : this.tenant(name)
    return tenant && { ...tenant, credential: token, key: undefined }
  }

  ownerOf(secret: string): Organization | undefined {
    return this.#bySecret.get(secret)?.tenant.org
  }

  /** Makes a key of an organization valid. */
  admit(key: Key, org: Organization): void {
    const tenant = this.#byId.get(org.id)
    if (tenant) this.#bySecret.set(key.secret, { tenant, key })
  }

  problemsOf(name: string): readonly OptionProblem[] {
    if (this.settings.keysOnly) return []
    const tooLong = { option: 'a name', problem: `takes at most ${longestName} characters` }
    return name.length > longestName ? [tooLong] : this.#problemsIn(name)
  }

  /** Returns why an organization is not created; undefined: it exists, or there is room for it. */
  fullFor(name: string): string | undefined {
    const most = this.settings.organizations
    if (this.#byId.size < most || this.isTaken(name)) return undefined
    return `The mock has as many organizations as --organizations allows (${most}).`
  }

  has(name: string): boolean {
    const slot = this.#slotOf(name)
    return this.slots === undefined || slot === undefined || hasSlot(this.slots, slot)
  }

  /** Returns the tenant with a name, created on first use. */
  tenant(name: string): Tenant {
    return this.#entries.get(name)?.tenant ?? this.#create(name)
  }

  /** Returns the organization with a name, created on first use. */
  organization(name: string): Organization {
    return this.tenant(name).org
  }

  /** Returns the organization with an id, recreated if it was reset. */
  byId(id: string): Organization | undefined {
    const name = this.#byId.has(id) ? undefined : this.#names.get(id)
    if (name !== undefined) this.tenant(name)
    return this.existing(id)
  }

  /** Returns the organization with an id; undefined: it does not exist, or was reset. */
  existing(id: string): Organization | undefined {
    return this.#byId.get(id)?.org
  }

  /** Returns all existing organizations, or the only one that is meant. */
  organizations(only?: Organization): Organization[] {
    return only ? [only] : [...this.#byId.values()].map(({ org }) => org)
  }

  /** Returns the clocks of all organizations ever created. */
  clocks(): Clock[] {
    return [...this.#entries.values()].map(({ clock }) => clock)
  }

  isTaken(name: string): boolean {
    return this.#entries.get(name)?.tenant !== undefined
  }

  /** Returns the tenant of an organization; undefined: the organization was replaced. */
  tenantOf(org: Organization): Tenant | undefined {
    const tenant = this.#byId.get(org.id)
    return tenant?.org === org ? tenant : undefined
  }

  /** Returns the name of an organization; undefined: the organization was replaced. */
  nameOf(org: Organization): string | undefined {
    return this.tenantOf(org)?.name
  }

  /** Returns the options of one organization; undefined: those of the mock apply. */
  ownOptions(name: string): Options | undefined {
    return this.#entries.get(name)?.own?.options
  }

  /** Returns the options that an organization was created with, as its key could contain them; otherwise an empty text. */
  createdWith(name: string): string {
    return this.#entries.get(name)?.created ?? ''
  }

  /**
   * Creates an organization with options, as its key could contain them; it has them after a reset, too. Returns the
   * existing one if it was created with the same ones; undefined: it has others.
   */
  create(name: string, keyOptions: string): Organization | undefined {
    const entry = this.#entryOf(name)
    if (entry.tenant && keyOptions !== '' && keyOptions !== entry.created) return undefined
    if (!entry.tenant) entry.created = keyOptions
    return this.organization(name)
  }

  /** Recreates all organizations, or one by name, with other settings, which apply until a reset. */
  start(settings: Settings, name?: string): void {
    if (name !== undefined) return void this.#restart(name, settings)
    this.settings = settings
    this.quirks = createQuirks(settings, '')
    for (const entry of this.#entries.values()) Object.assign(entry, { own: undefined, tenant: undefined })
    this.#byId.clear()
    this.#bySecret.clear()
    const { keysOnly = [] } = settings
    this.secrets = [...new Set([...this.secrets, ...keysOnly])]
    for (const name of keysOnly.map((key) => nameOfKey(key, keysOnly))) if (this.has(name)) this.tenant(name)
  }

  /** Creates all organizations anew, none of them with options of its own, until a reset. */
  startOver(settings: Settings): void {
    for (const entry of this.#entries.values()) entry.created = ''
    this.start(settings)
  }

  reset(org?: Organization): void {
    const name = org && this.nameOf(org)
    if (name === undefined) this.start(this.#init.settings)
    else this.#restart(name, undefined)
  }

  /**
   * Gives all organizations, existing or not yet, other settings, which apply until a reset; what they have stays.
   * `ownOf` returns those of an organization that has settings of its own.
   */
  changeAll(settings: Settings, ownOf: (own: Settings) => Settings): void {
    if (settings.strictClient !== this.settings.strictClient) this.quirks = createQuirks(settings, '')
    this.settings = settings
    for (const [name, entry] of this.#entries) {
      if (entry.own) entry.own = ownOf(entry.own)
      if (entry.tenant) changeTenant(entry.tenant, this.#contextOf(name))
    }
  }

  /** Gives an organization other settings, which apply until a reset; what it has stays. */
  change(name: string, settings: Settings): void {
    const tenant = this.tenant(name)
    this.#entryOf(name).own = settings
    changeTenant(tenant, this.#contextOf(name))
  }

  /**
   * Replaces the organization with a name by one from a snapshot. `own`: settings that apply only to it; `created`: the
   * options that it was created with, as its key could contain them.
   */
  restore(name: string, state: OrganizationState, own: Settings | undefined, created = ''): Tenant {
    this.#remove(name)
    Object.assign(this.#entryOf(name), { own, created })
    return this.#add(restoreTenant(this.#contextOf(name), state), state.keys)
  }

  /** @throws Refusal where the organization has another slot: it is not created empty. */
  #create(name: string): Tenant {
    if (this.slots && !this.has(name))
      throw new Refusal(421, misdirected(this.slots, this.#slotOf(name) ?? 0))
    const full = this.fullFor(name)
    if (full) throw new Refusal(409, full)
    const tenant = createTenant(this.#contextOf(name))
    const { org } = tenant
    return this.#add(tenant, [createKey(org, 'First key', this.keyFor(name), org.clock.now())])
  }

  #restart(name: string, settings: Settings | undefined): void {
    this.#entryOf(name).own = settings
    this.#remove(name)
    this.tenant(name)
  }

  #add(tenant: Tenant, keys: readonly Key[]): Tenant {
    const { name, org, settings } = tenant
    if (settings.faults !== this.#baseOf(name).faults) this.#init.faults.create(org.id, settings.faults)
    this.#entryOf(name).tenant = tenant
    this.#byId.set(org.id, tenant)
    this.#names.set(org.id, name)
    for (const key of keys) this.admit(key, org)
    return tenant
  }

  #remove(name: string): void {
    const entry = this.#entryOf(name)
    const org = entry.tenant?.org
    if (!org) return
    entry.tenant = undefined
    this.#byId.delete(org.id)
    for (const { secret } of org.keys.all()) if (this.ownerOf(secret) === org) this.#bySecret.delete(secret)
  }

  #slotOf(name: string): number | undefined {
    return this.slots && slotOf(name, this.slots.total)
  }

  #entryOf(name: string): Entry {
    const entry = this.#entries.get(name) ?? { clock: createClock(undefined, this.#init.clock), created: '' }
    this.#entries.set(name, entry)
    return entry
  }

  /** The settings of an organization before the options in its name are applied. */
  #baseOf(name: string): Settings {
    return this.#entries.get(name)?.own ?? this.settings
  }

  #problemsIn(name: string): readonly OptionProblem[] {
    const settings = settingsOf(name, this.settings)
    return Array.isArray(settings) ? settings : []
  }

  /** Whether an organization exists, or can be created. */
  #mayBe(name: string): boolean {
    return this.#problemsIn(name).length === 0 && this.fullFor(name) === undefined
  }

  #contextOf(name: string): FactoryContext {
    const { clock, created } = this.#entryOf(name)
    const base = this.#baseOf(name)
    const own = settingsOf(name + created, base)
    const settings = Array.isArray(own) ? base : own
    return { name, settings, slot: this.#slotOf(name), clock, counter: this.#counter, emit: this.#init.emit }
  }
}

/** Returns the caller that the credential of a request belongs to; undefined: missing or invalid (401). */
export function authenticate(
  request: HonoRequest,
  auth: Route['auth'],
  tenants: Tenants,
): Principal | undefined {
  if (auth === 'key') {
    // The name of the scheme is case-insensitive (RFC 9110 §11.1).
    const [, secret] = /^bearer (.*)$/i.exec(request.header('authorization') ?? '') ?? []
    return secret?.trim() ? tenants.byKey(secret.trim()) : undefined
  }
  const cookies = request.header('cookie')
  const token = cookies === undefined ? undefined : parse(cookies, sessionCookie)[sessionCookie]
  return token === undefined ? undefined : tenants.bySession(token)
}
