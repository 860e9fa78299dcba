/** Who a credential belongs to (§5). Organizations are made from the seed and a name when they are first met. */
import { createFaker, identityOf, seedPast } from '#fixtures/organization.ts'
import { createClock } from './clock.ts'
import type { OrganizationEvent } from './core/events.ts'
import { createKey } from './core/keys.ts'
import { Organization } from './core/organization.ts'
import type { Key } from './core/resources.ts'
import { settingsOf } from './key-options.ts'
import type { Settings } from './options.ts'
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
  readonly #settings: Settings
  readonly #byName = new Map<string, Organization>()
  readonly #byId = new Map<string, Organization>()
  readonly #bySecret = new Map<string, Principal>()
  readonly #tell: (event: OrganizationEvent) => void

  /** The organization whose credentials are printed at the start. */
  readonly demoName: string
  readonly #secondName: string

  constructor(world: World, settings: Settings, tell: (event: OrganizationEvent) => void) {
    this.#world = world
    this.#settings = settings
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

  /** Forgets an organization, or all of them: they are made anew from the seed when they are met again. */
  forget(org?: Organization): void {
    for (const [name, one] of [...this.#byName]) {
      if (org && one !== org) continue
      this.#byName.delete(name)
      this.#byId.delete(one.id)
      for (const [secret, { org: owner }] of [...this.#bySecret])
        if (owner === one) this.#bySecret.delete(secret)
      if (org || this.#settings.keysOnly) this.organization(name)
    }
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
    return this.#byId.get(id)
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
    const settings = settingsOf(name, this.#settings)
    const { credits, busyMs, runDurationMs, failureRate, progress, variant } = Array.isArray(settings)
      ? this.#settings
      : settings
    const chance = (scope: string) => this.#world.chance(name, scope)
    const faker = createFaker(chance('past'))
    const org = new Organization({
      id: chance('id').id('org'),
      ...identityOf(faker),
      policy: { duration_ms: runDurationMs, failure_rate: failureRate, progress },
      variant,
      clock: createClock(undefined, () => this.#world.clock.now()),
      chance,
      tell: this.#tell,
    })
    seedPast(org, faker, credits)
    const now = org.clock.now()
    if (busyMs > 0) org.agent.busyUntil(now + busyMs)
    this.admit(createKey(org, 'First key', this.keyFor(name), now), org)
    this.#byName.set(name, org)
    this.#byId.set(org.id, org)
    return org
  }
}

/** What follows the prefix of a test credential, or undefined where the text is none. */
function nameOf(text: string, prefix: string): string | undefined {
  const fits =
    text.startsWith(prefix) && text.length > prefix.length && text.length <= prefix.length + longestName
  return fits ? text.slice(prefix.length) : undefined
}
