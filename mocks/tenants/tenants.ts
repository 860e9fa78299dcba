/** The organizations of a mock, by credential, name and id (§5). Each is created on first use. */
import { endWithFullStop } from '#contract/input/checked.ts'
import type { Route } from '#contract/route.ts'
import type { MockOptionsInput, MockSettings, OptionProblem } from '../config/options.ts'
import { misdirectedRequestText, servesSlot, slotOfOrganizationName } from '../config/slots.ts'
import type { ChangeCount } from '../core/changes.ts'
import { type Clock, createClock } from '../core/clock.ts'
import { ControlRefusal } from '../core/failure.ts'
import { createKey, type Organization } from '../core/organization.ts'
import type { Key, OrganizationState } from '../core/resources.ts'
import type { FaultRules } from '../faults/faults.ts'
import { createOrganizationQuirks, type OrganizationQuirks } from '../quirks/create.ts'
import { nameWithoutOptions, parseOrganizationSettings } from '../scenarios/key-options.ts'
import {
  apiKeyOf,
  createTenant,
  maxOrganizationNameLength,
  organizationNameForAnyKey,
  organizationNameInKey,
  organizationNameInSessionToken,
  type Principal,
  replaceTenantSettings,
  restoreTenant,
  sessionTokenIn,
  type Tenant,
  type TenantFactoryContext,
  type WithHeaders,
} from './tenant.ts'

/** The data kept under the name of an organization, even while there is none, as after a reset. */
interface Entry {
  /** The clock follows that of the mock until it is changed, and is kept by a reset. */
  readonly clock: Clock
  /** Settings that replace those of the mock until a reset. */
  own?: MockSettings | undefined
  /** The options that it is created with, as its key could contain them; empty if there are none. */
  created: string
  /** Name by which the quirks of the first organization of a fork are drawn; undefined: its own. */
  quirksOf?: string | undefined
  /** Undefined: it does not exist. */
  tenant?: Tenant | undefined
}

const otherSuffix = '-other'

/** Number of replaced organizations to keep, for the requests before a reset or a restore. */
const mostReplaced = 20

/** The organizations of a mock, found by name, id or credential. */
export type Tenants = ReturnType<typeof createTenants>

/**
 * Creates the directory of a mock's organizations. `faults`: the rules of the mock, to which the fault rules in the key
 * of each new organization are added.
 */
export function createTenants(
  init: Pick<TenantFactoryContext, 'clock' | 'settings' | 'emit'> & { readonly faults: FaultRules },
) {
  const { slots } = init.settings
  /** Counts the changes of all organizations, also of those that were replaced. */
  const counter: ChangeCount = { count: 0 }
  const entries = new Map<string, Entry>()
  /** Existing organizations, in the order in which they were created. */
  const byId = new Map<string, Tenant>()
  const bySecret = new Map<string, { readonly tenant: Tenant; readonly key: Key; caller: Principal }>()
  /** Names by id, so that an organization that was reset can still be found. */
  const names = new Map<string, string>()
  /** Organizations that were replaced, oldest first. */
  let replaced: readonly Organization[] = []

  const slotFor = (name: string) => slots && slotOfOrganizationName(name, slots.total)

  function entryOf(name: string): Entry {
    const entry = entries.get(name) ?? { clock: createClock(undefined, init.clock), created: '' }
    entries.set(name, entry)
    return entry
  }

  /** Names whose credentials are shown at the start; in a fleet, names of organizations that this mock serves. */
  function firstNames(): readonly string[] {
    const { keysOnly } = tenants.settings
    if (keysOnly) return keysOnly.map((key) => organizationNameForAnyKey(key, keysOnly))
    const usual = ['demo', 'other']
    for (let i = 2; usual.filter(tenants.has).length < 2; i++) usual.push(`demo-${i}`)
    return usual.filter(tenants.has)
  }

  /** The settings of an organization before the options in its name are applied. */
  const baseOf = (name: string): MockSettings => entries.get(name)?.own ?? tenants.settings

  function problemsIn(name: string): readonly OptionProblem[] {
    const settings = parseOrganizationSettings(name, tenants.settings)
    return Array.isArray(settings) ? settings : []
  }

  /** True if an organization exists, or can be created. */
  const mayBe = (name: string) => problemsIn(name).length === 0 && tenants.fullFor(name) === undefined

  function contextOf(name: string): TenantFactoryContext {
    const { clock, created, quirksOf = name } = entryOf(name)
    const base = baseOf(name)
    const own = parseOrganizationSettings(name + created, base)
    const settings = Array.isArray(own) ? base : own
    return { name, quirksOf, settings, slot: slotFor(name), clock, counter, emit: init.emit }
  }

  function add(tenant: Tenant, keys: readonly Key[]): Tenant {
    const { name, org, settings } = tenant
    if (settings.faults !== baseOf(name).faults) init.faults.create(org.id, settings.faults)
    entryOf(name).tenant = tenant
    byId.set(org.id, tenant)
    names.set(org.id, name)
    for (const key of keys) tenants.admit(key, org)
    return tenant
  }

  function keep(orgs: readonly Organization[]): void {
    replaced = [...replaced, ...orgs].slice(-mostReplaced)
  }

  function remove(name: string): void {
    const entry = entryOf(name)
    const org = entry.tenant?.org
    if (!org) return
    entry.tenant = undefined
    keep([org])
    byId.delete(org.id)
    for (const { secret } of org.keys.all()) if (tenants.ownerOf(secret) === org) bySecret.delete(secret)
  }

  /** Creates an organization. @throws ControlRefusal if another mock has its slot, or there is no room. */
  function create(name: string): Tenant {
    if (slots && !tenants.has(name))
      throw new ControlRefusal(421, misdirectedRequestText(slots, slotFor(name) ?? 0))
    const full = tenants.fullFor(name)
    if (full) throw new ControlRefusal(409, full)
    const tenant = createTenant(contextOf(name))
    const { org } = tenant
    return add(tenant, [createKey(org, 'First key', tenants.keyFor(name), org.clock.now())])
  }

  function restart(name: string, settings: MockSettings | undefined): void {
    Object.assign(entryOf(name), { own: settings, quirksOf: undefined })
    remove(name)
    tenants.tenant(name)
  }

  const tenants = {
    /** The slots of this mock in a fleet; undefined: it has every organization. */
    slots,
    /** The current settings: those of the last scenario started, or the initial ones. */
    settings: init.settings,
    /** Quirks of responses to unauthenticated callers. */
    quirks: undefined as OrganizationQuirks | undefined,
    /** Every key that `keysOnly` has named so far, which no text for people may contain. */
    secrets: [] as readonly string[],
    /** The name of the organization whose credentials are printed at the start. */
    get demoName(): string {
      return firstNames()[0] ?? 'demo'
    },
    /** Returns the name of a second organization, for tests of isolation. */
    otherThan(name: string): string {
      if (name === tenants.demoName) return firstNames()[1] ?? name
      if (tenants.settings.keysOnly) return tenants.demoName
      return `${nameWithoutOptions(name).slice(0, maxOrganizationNameLength - otherSuffix.length)}${otherSuffix}`
    },
    /** Returns the oldest valid key of an organization that a header can carry; without one, its initial key. */
    keyFor(name: string): string {
      const keys = entries.get(name)?.tenant?.org.keys.all() ?? []
      const works = keys.find(({ deleted, secret }) => !deleted && /^[\x20-\x7e\x80-\xff]+$/.test(secret))
      return works?.secret ?? apiKeyOf(name, tenants.settings.keysOnly)
    },
    /** True if an organization exists, or `keysOnly` allows its key. */
    isAllowed: (name: string): boolean =>
      tenants.settings.keysOnly?.includes(tenants.keyFor(name)) !== false || tenants.isTaken(name),
    /** Returns the caller with a bearer value; undefined: 401. */
    byKey(secret: string): Principal | undefined {
      let owner = bySecret.get(secret)
      if (!owner) {
        const name = tenants.settings.keysOnly ? undefined : organizationNameInKey(secret)
        if (name === undefined || !mayBe(name)) return undefined
        tenants.tenant(name)
        owner = bySecret.get(secret)
      }
      if (!owner || owner.key.deleted) return undefined
      const { tenant, key, caller } = owner
      // A new object, since earlier requests keep the settings under which they came.
      if (caller.settings !== tenant.settings || caller.quirks !== tenant.quirks)
        owner.caller = callerOf(tenant, key.id, key)
      return owner.caller
    },
    /** Returns the caller with a session token; undefined: 401. */
    bySession(token: string): Principal | undefined {
      const name = organizationNameInSessionToken(token)
      if (name === undefined || !mayBe(name)) return undefined
      const tenant = tenants.settings.keysOnly ? entries.get(name)?.tenant : tenants.tenant(name)
      return tenant && callerOf(tenant, token, undefined)
    },
    ownerOf: (secret: string): Organization | undefined => bySecret.get(secret)?.tenant.org,
    /** Makes a key of an organization valid. */
    admit(key: Key, org: Organization): void {
      const tenant = byId.get(org.id)
      if (tenant) bySecret.set(key.secret, { tenant, key, caller: callerOf(tenant, key.id, key) })
    },
    problemsOf(name: string): readonly OptionProblem[] {
      if (tenants.settings.keysOnly) return []
      const tooLong = { option: 'a name', problem: `takes at most ${maxOrganizationNameLength} characters` }
      return name.length > maxOrganizationNameLength ? [tooLong] : problemsIn(name)
    },
    /** Returns why an organization is not created; undefined: it exists, or there is room for it. */
    fullFor(name: string): string | undefined {
      const most = tenants.settings.organizations
      if (byId.size < most || tenants.isTaken(name)) return undefined
      return `The mock has as many organizations as --organizations allows (${most}).`
    },
    has: (name: string): boolean =>
      slots === undefined || servesSlot(slots, slotOfOrganizationName(name, slots.total)),
    /** Returns the tenant with a name, created on first use. */
    tenant: (name: string): Tenant => entries.get(name)?.tenant ?? create(name),
    /** Returns the organization with a name, created on first use. */
    organization: (name: string): Organization => tenants.tenant(name).org,
    /** Returns the organization with an id, recreated if it was reset. */
    byId(id: string): Organization | undefined {
      const name = byId.has(id) ? undefined : names.get(id)
      if (name !== undefined) tenants.tenant(name)
      return tenants.existing(id)
    },
    /** Returns the organization with an id; undefined if it does not exist, or was reset. */
    existing: (id: string): Organization | undefined => byId.get(id)?.org,
    /**
     * Returns the organization that had an id at a position of its changes: the existing one, or one that it replaced;
     * undefined: none that is kept.
     */
    livedAt: (id: string, position: number): Organization | undefined =>
      [tenants.existing(id), ...replaced.toReversed()].find(
        (org) => org?.id === id && position <= org.changes.position && org.changes.keeps(position),
      ),
    /** Forgets the organizations that were replaced: no request from before that is known any more. */
    forgetReplaced(org_id?: string): void {
      replaced = org_id === undefined ? [] : replaced.filter(({ id }) => id !== org_id)
    },
    /** Returns all existing organizations, or the only one that is meant. */
    organizations: (only?: Organization): Organization[] =>
      only ? [only] : [...byId.values()].map(({ org }) => org),
    /**
     * Returns the organizations in the order in which their names were used first: a reset or a restore changes no
     * place.
     */
    inOrder: (only?: Organization): Organization[] =>
      only ? [only] : [...entries.values()].flatMap(({ tenant }) => tenant?.org ?? []),
    /** Returns the clocks of all organizations ever created. */
    clocks: (): Clock[] => [...entries.values()].map(({ clock }) => clock),
    isTaken: (name: string): boolean => entries.get(name)?.tenant !== undefined,
    /** Returns the tenant of an organization; undefined: the organization was replaced. */
    tenantOf(org: Organization): Tenant | undefined {
      const tenant = byId.get(org.id)
      return tenant?.org === org ? tenant : undefined
    },
    /** Returns the name of an organization; undefined: the organization was replaced. */
    nameOf: (org: Organization): string | undefined => tenants.tenantOf(org)?.name,
    /** Returns the name of an organization with an id, also if it was replaced; undefined: there was none. */
    nameById: (id: string): string | undefined => names.get(id),
    /** Returns the options of one organization; undefined: those of the mock apply. */
    ownOptions: (name: string): MockOptionsInput | undefined => entries.get(name)?.own?.options,
    /** Returns the options that an organization was created with, as its key could contain them; otherwise an empty text. */
    createdWith: (name: string): string => entries.get(name)?.created ?? '',
    /** Returns the name by which the quirks of an organization are drawn; undefined: its own. */
    quirksOf: (name: string): string | undefined => entries.get(name)?.quirksOf,
    /**
     * Creates an organization with options, as its key could contain them; a reset keeps them. Returns the existing
     * organization if it was created with the same options; undefined: it has others.
     */
    create(name: string, keyOptions: string): Organization | undefined {
      const entry = entryOf(name)
      if (entry.tenant && keyOptions !== '' && keyOptions !== entry.created) return undefined
      if (!entry.tenant) entry.created = keyOptions
      return tenants.organization(name)
    },
    /** Recreates all organizations, or one by name, with other settings, which apply until a reset. */
    start(settings: MockSettings, name?: string): void {
      if (name !== undefined) return void restart(name, settings)
      tenants.settings = settings
      tenants.quirks = createOrganizationQuirks(settings, '')
      keep(tenants.organizations())
      for (const entry of entries.values())
        Object.assign(entry, { own: undefined, quirksOf: undefined, tenant: undefined })
      byId.clear()
      bySecret.clear()
      const { keysOnly = [] } = settings
      tenants.secrets = [...new Set([...tenants.secrets, ...keysOnly])]
      for (const key of keysOnly) {
        const own = organizationNameForAnyKey(key, keysOnly)
        if (tenants.has(own)) tenants.tenant(own)
      }
    },
    /** Creates all organizations anew, none of them with options of its own, until a reset. */
    startOver(settings: MockSettings): void {
      for (const entry of entries.values()) entry.created = ''
      tenants.start(settings)
    },
    reset(org?: Organization): void {
      const name = org && tenants.nameOf(org)
      if (name === undefined) tenants.start(init.settings)
      else restart(name, undefined)
    },
    /**
     * Gives all organizations, existing or not yet, other settings, which apply until a reset; what they have stays.
     * `ownOf`: returns the new settings of an organization that has settings of its own.
     */
    changeAll(settings: MockSettings, ownOf: (own: MockSettings) => MockSettings): void {
      if (settings.strictClient !== tenants.settings.strictClient)
        tenants.quirks = createOrganizationQuirks(settings, '')
      tenants.settings = settings
      for (const [name, entry] of entries) {
        if (entry.own) entry.own = ownOf(entry.own)
        if (entry.tenant) replaceTenantSettings(entry.tenant, contextOf(name))
      }
    },
    /** Gives an organization other settings, which apply until a reset; what it has stays. */
    change(name: string, settings: MockSettings): void {
      const tenant = tenants.tenant(name)
      entryOf(name).own = settings
      replaceTenantSettings(tenant, contextOf(name))
    },
    /**
     * Replaces the organization with a name by one from a snapshot. `own`: settings that apply only to it; `created`: the
     * options that it was created with, as its key could contain them; `quirksOf`: the name by which its quirks are drawn.
     */
    restore(
      name: string,
      state: OrganizationState,
      own: MockSettings | undefined,
      created = '',
      quirksOf?: string,
    ): Tenant {
      remove(name)
      Object.assign(entryOf(name), { own, created, quirksOf })
      return add(restoreTenant(contextOf(name), state), state.keys)
    },
  }
  tenants.start(init.settings)
  return tenants
}

const callerOf = (tenant: Tenant, credential: string, key: Key | undefined): Principal => ({
  ...tenant,
  credential,
  key,
})

const scheme = 'bearer '

/** Finds the caller to whom the credential of a request belongs; undefined if it is missing or invalid (401). */
export function authenticateCaller(request: WithHeaders, auth: Route['auth'], tenants: Tenants) {
  if (auth === 'key') {
    const given = request.header('authorization')
    // The name of the scheme is case-insensitive (RFC 9110 §11.1).
    if (given?.slice(0, scheme.length).toLowerCase() !== scheme) return undefined
    const secret = given.slice(scheme.length).trim()
    return isPrintableAscii.test(secret) ? tenants.byKey(secret) : undefined
  }
  const token = sessionTokenIn(request)
  return token === undefined ? undefined : tenants.bySession(token)
}

/** Matches what may be a key: one with bytes beyond ASCII is unknown (§4), since clients disagree on what they mean. */
const isPrintableAscii = /^[\x20-\x7e]+$/

/**
 * The reason why a well-formed key belongs to no organization, as a sentence; undefined: the key is malformed, or
 * valid.
 */
export function keyProblem(request: WithHeaders, tenants: Tenants): string | undefined {
  const name = organizationNameInKey(request.header('authorization')?.slice(7).trim() ?? '') ?? ''
  const problems = tenants.problemsOf(name)
  if (problems.length === 0) return tenants.fullFor(name)
  const texts = problems.map(({ option, problem }) => `${option} ${problem}`)
  return endWithFullStop(`Invalid options in the key: ${texts.join('; ')}`)
}
