/** Who a credential belongs to (§5). Organizations are made from the seed and a name when they are first met. */
import { type Clock, createClock } from './clock.ts'
import type { OrganizationEvent } from './core/events.ts'
import { createKey } from './core/keys.ts'
import type { Organization } from './core/organization.ts'
import type { Key } from './core/resources.ts'
import type { RuleDraft } from './faults/rule.ts'
import { foundOrganization, type Ground, raiseOrganization } from './founding.ts'
import { settingsOf } from './key-options.ts'
import type { MockOptions, Settings } from './options.ts'
import type { OrganizationState } from './snapshot/organization.ts'
import { createSurprises } from './strict-client/create.ts'
import type { Surprises } from './strict-client/surprises.ts'
import type { World } from './world.ts'

/** The cookie of a logged-in browser session. */
export const sessionCookie = 'work_agent_session'

/** The `Cookie` header of a session: names that no header can carry are percent-encoded. */
export function cookieOf(token: string): string {
  return `${sessionCookie}=${encodeURIComponent(token)}`
}

const testKey = 'wak_test_'
const testSession = 'was_test_'
const longestName = 200

/** An organization, reached by a key or by a session; `credential` is what its rate limit is counted by. */
export interface Principal {
  readonly org: Organization
  readonly credential: string
  readonly key: Key | undefined
}

export class Tenancy {
  readonly #world: World
  readonly #began: Settings
  #settings: Settings
  /** Settings of organizations that were begun apart from the others, by name. */
  readonly #own = new Map<string, Settings>()
  #strangers: Surprises | undefined
  readonly #byName = new Map<string, Organization>()
  readonly #byId = new Map<string, Organization>()
  readonly #bySecret = new Map<string, Principal>()
  /** Names of all organizations that were ever met, by id: who was reset is found again. */
  readonly #names = new Map<string, string>()
  /** Clocks outlive their organizations: to reset the one is not to reset the other. */
  readonly #clocks = new Map<string, Clock>()
  readonly #tell: (event: OrganizationEvent) => void
  readonly #giveRules: (org_id: string, rules: readonly RuleDraft[]) => void

  /** The organization whose credentials are printed at the start. */
  readonly demoName: string
  readonly #secondName: string

  /** `giveRules`: told of the fault rules that an organization brings with its key. */
  constructor(
    world: World,
    settings: Settings,
    tell: (event: OrganizationEvent) => void,
    giveRules: (org_id: string, rules: readonly RuleDraft[]) => void,
  ) {
    this.#giveRules = giveRules
    this.#world = world
    this.#began = settings
    this.#settings = settings
    this.#strangers = createSurprises(settings.strictClient, '')
    this.#tell = tell
    const names = settings.keysOnly?.map((key) => this.#nameOfKey(key)) ?? ['demo', 'other']
    this.demoName = names[0] ?? 'demo'
    this.#secondName = names[1] ?? this.demoName
    for (const name of settings.keysOnly ? names : []) this.organization(name)
  }

  /** The owner of a bearer value, or undefined: 401. */
  byKey(secret: string): Principal | undefined {
    const known = this.#bySecret.get(secret)
    if (known) return known.key?.deleted ? undefined : known
    const name = this.#settings.keysOnly ? undefined : nameOf(secret, testKey)
    if (name === undefined || Array.isArray(settingsOf(name, this.#settings))) return undefined
    this.organization(name)
    return this.#bySecret.get(secret)
  }

  /** Why a key of the right form is refused all the same, where that can be said. */
  complaint(request: { header(name: string): string | undefined }): string | undefined {
    const name = nameOf(request.header('authorization')?.slice(7).trim() ?? '', testKey)
    const settings =
      name === undefined || this.#settings.keysOnly ? undefined : settingsOf(name, this.#settings)
    if (!Array.isArray(settings)) return undefined
    return `The key asks for what cannot be: ${settings.map(({ option, problem }) => `${option} ${problem}`).join('; ')}.`
  }

  /** The name by which an organization was met. */
  nameOf(org: Organization): string | undefined {
    return [...this.#byName].find(([, one]) => one === org)?.[0]
  }

  /** The settings in force. */
  get settings(): Settings {
    return this.#settings
  }

  /** Surprises for those who are nobody known. */
  get surprises(): Surprises | undefined {
    return this.#strangers
  }

  /** Forgets an organization, or all of them: they are made anew as in the beginning when they are met again. */
  forget(org?: Organization): void {
    const name = org && this.nameOf(org)
    if (name === undefined) {
      this.#own.clear()
      this.begin(this.#began)
    } else {
      this.#own.delete(name)
      this.#found(name)
    }
  }

  /** Makes all organizations anew under other settings, until they are forgotten; or that of a name alone. */
  begin(settings: Settings, name?: string): void {
    if (name !== undefined) {
      this.#own.set(name, settings)
      this.#found(name)
      return
    }
    this.#settings = settings
    this.#strangers = createSurprises(settings.strictClient, '')
    for (const index of [this.#byName, this.#byId, this.#bySecret, this.#own]) index.clear()
    for (const key of settings.keysOnly ?? []) this.organization(this.#nameOfKey(key))
  }

  /** Options that hold for the organization of a name alone; undefined: those of the mock do. */
  ownOptions(name: string): MockOptions | undefined {
    return this.#own.get(name)?.options
  }

  /** The organization that a key belongs to. */
  ownerOf(secret: string): Organization | undefined {
    return this.#bySecret.get(secret)?.org
  }

  /** Puts an organization that was dumped in the place of that of a name; `own`: settings for it alone. */
  adopt(name: string, state: OrganizationState, own: Settings | undefined): Organization {
    this.#leave(name)
    if (own) this.#own.set(name, own)
    else this.#own.delete(name)
    const org = raiseOrganization(this.#groundOf(name), state)
    for (const key of state.keys) this.admit(key, org)
    return this.#enter(name, org)
  }

  #found(name: string): void {
    this.#leave(name)
    this.organization(name)
  }

  #leave(name: string): void {
    const org = this.#byName.get(name)
    if (!org) return
    this.#byName.delete(name)
    this.#byId.delete(org.id)
    for (const { secret } of org.keys.all()) if (this.ownerOf(secret) === org) this.#bySecret.delete(secret)
  }

  /** Every organization that was met. */
  organizations(): Organization[] {
    return [...this.#byId.values()]
  }

  /** The owner of a session, or undefined: 401. */
  bySession(token: string): Principal | undefined {
    const name = nameOf(token, testSession)
    if (name === undefined || Array.isArray(settingsOf(name, this.#settings))) return undefined
    const org = this.#settings.keysOnly ? this.#byName.get(name) : this.organization(name)
    return org && { org, credential: token, key: undefined }
  }

  /** A second organization, for everything that two must not share. */
  otherThan(name: string): string {
    if (name === this.demoName) return this.#secondName
    return this.#settings.keysOnly ? this.demoName : `${name}-other`
  }

  /** The bearer value of the organization of a name. */
  keyFor(name: string): string {
    return this.#settings.keysOnly?.find((key) => this.#nameOfKey(key) === name) ?? testKey + name
  }

  /** The session token of the organization of a name. */
  sessionFor(name: string): string {
    return testSession + name
  }

  /** An organization that was met before. */
  byId(id: string): Organization | undefined {
    const name = this.#byId.has(id) ? undefined : this.#names.get(id)
    if (name !== undefined) this.organization(name)
    return this.#byId.get(id)
  }

  /** The clocks of all organizations that were ever met. */
  clocks(): Clock[] {
    return [...this.#clocks.values()]
  }

  /** Makes a key valid. */
  admit(key: Key, org: Organization): Principal {
    const principal = { org, credential: key.id, key }
    this.#bySecret.set(key.secret, principal)
    return principal
  }

  /** The organization of a name, made on the first meeting. */
  organization(name: string): Organization {
    return this.#byName.get(name) ?? this.#create(name)
  }

  /** The organization that a key of `keysOnly` owns is named like the key, without `wak_test_` if it can be. */
  #nameOfKey(secret: string): string {
    const name = nameOf(secret, testKey)
    return name === undefined || this.#settings.keysOnly?.includes(name) ? secret : name
  }

  #create(name: string): Organization {
    const org = foundOrganization(this.#groundOf(name))
    this.admit(createKey(org, 'First key', this.keyFor(name), org.clock.now()), org)
    return this.#enter(name, org)
  }

  #enter(name: string, org: Organization): Organization {
    this.#byName.set(name, org)
    this.#byId.set(org.id, org)
    this.#names.set(org.id, name)
    if (org.settings.faults !== this.#baseOf(name).faults) this.#giveRules(org.id, org.settings.faults)
    return org
  }

  /** The settings of an organization, before its name has its say. */
  #baseOf(name: string): Settings {
    return this.#own.get(name) ?? this.#settings
  }

  #groundOf(name: string): Ground {
    const base = this.#baseOf(name)
    const said = settingsOf(name, base)
    const settings = Array.isArray(said) ? base : said
    return { name, settings, clock: this.#clockOf(name), tell: this.#tell }
  }

  #clockOf(name: string): Clock {
    const clock = this.#clocks.get(name) ?? createClock(undefined, this.#world.clock)
    this.#clocks.set(name, clock)
    return clock
  }
}

/** What follows the prefix of a test credential, or undefined where the text is none. */
function nameOf(text: string, prefix: string): string | undefined {
  const fits =
    text.startsWith(prefix) && text.length > prefix.length && text.length <= prefix.length + longestName
  return fits ? text.slice(prefix.length) : undefined
}
