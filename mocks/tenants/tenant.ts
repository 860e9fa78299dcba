/** A tenant (an organization with its settings), its credentials, and an authenticated caller. */
import { parse } from 'hono/utils/cookie'
import type { MockSettings } from '../config/options.ts'
import { type ChangeCount, ChangeHistory, type OrganizationEvent } from '../core/changes.ts'
import { type Clock, createClock } from '../core/clock.ts'
import { Organization } from '../core/organization.ts'
import { createRandom } from '../core/random.ts'
import type { Key, OrganizationState } from '../core/resources.ts'
import { createOrganizationQuirks, type OrganizationQuirks } from '../quirks/create.ts'
import { addSeededPast, createSeedDataSampler, drawOrganizationIdentity } from '../seed/organization.ts'

/** An organization of the mock with its name, settings and quirks. */
export interface Tenant {
  /** The part of its key after `wak_test_`. */
  readonly name: string
  readonly org: Organization
  /** The settings of the mock, overridden by those of this organization. */
  settings: MockSettings
  /** The quirks (legal but unusual behaviours) of its responses; undefined if it has none. */
  quirks: OrganizationQuirks | undefined
}

/** The authenticated caller of a request: an organization, and the credential that was sent. */
export interface Principal extends Tenant {
  /** What the rate limit counts requests by (§8.1): the id of the key, or the session token. */
  readonly credential: string
  /** Undefined: authenticated by a session. */
  readonly key: Key | undefined
}

/** The values that are needed to create or restore an organization. */
export interface TenantFactoryContext {
  readonly name: string
  /** The name from which its quirks are drawn: its own or, in a copy, that of the original. */
  readonly quirksOf: string
  readonly settings: MockSettings
  /** The share (slot) of a fleet that it belongs to; undefined if there is no fleet. */
  readonly slot: number | undefined
  readonly clock: Clock
  readonly counter: ChangeCount
  emit(event: OrganizationEvent): void
}

/** Creates an organization with its seeded past, but without a key. */
export function createTenant(context: TenantFactoryContext): Tenant {
  const { name, quirksOf, settings, clock, emit } = context
  const random = randomOf(context)
  const quirks = createOrganizationQuirks(settings, quirksOf)
  const draw = createSeedDataSampler(random('past'))
  let past = true
  const id = quirks?.newId(random('id'), 'org') ?? random('id').id('org')
  const org = organizationOf(
    // The seeded past emits no events.
    { ...context, emit: (event) => (past ? undefined : emit(event)) },
    { id, ...drawOrganizationIdentity(draw) },
  )
  const tenant = adopted({ name, org, settings, quirks })
  addSeededPast(org, draw, settings.credits + (quirks?.looseCredits ?? 0), settings.past)
  if (settings.busyMs > 0) org.agent.busyUntil(clock.now() + settings.busyMs)
  past = false
  org.changes.begin()
  return tenant
}

/** Restores an organization and its clock from their saved state; no past is generated for it. */
export function restoreTenant(context: TenantFactoryContext, state: OrganizationState): Tenant {
  const { name, quirksOf, settings, clock } = context
  const org = organizationOf(context, state)
  const tenant = adopted({ name, org, settings, quirks: createOrganizationQuirks(settings, quirksOf) })
  clock.restore(state.clock)
  org.load(state)
  org.changes.begin()
  return tenant
}

/** The state of a newly created organization with this name, as of the Unix epoch. */
export function initialStateOf(name: string, settings: MockSettings): OrganizationState {
  const clock = createClock()
  clock.freeze(0)
  const apart = { slot: undefined, counter: { count: 0 }, emit: () => undefined }
  return createTenant({ name, quirksOf: name, settings, clock, ...apart }).org.dump()
}

/** Replaces the settings of an organization; its resources stay, and its quirks too unless the settings have others. */
export function replaceTenantSettings(tenant: Tenant, { quirksOf, settings }: TenantFactoryContext): void {
  const isSame = settings.strictClient === tenant.settings.strictClient
  const quirks = isSame ? tenant.quirks : createOrganizationQuirks(settings, quirksOf)
  adopted(Object.assign(tenant, { settings, quirks }))
}

/** Applies the settings of a tenant to its organization. */
function adopted(tenant: Tenant): Tenant {
  const { runDurationMs, failureRate, progress, scenario, topUp } = tenant.settings
  tenant.org.adopt({
    topUp,
    newId: tenant.quirks?.newId,
    policy: { duration_ms: runDurationMs, failure_rate: failureRate, progress },
    variants: { ...tenant.quirks?.variants, ...scenario?.variants },
  })
  return tenant
}

const organizationOf = (
  context: TenantFactoryContext,
  { id, name, account }: Pick<OrganizationState, 'id' | 'name' | 'account'>,
): Organization => {
  const { settings, slot, clock, counter, emit } = context
  // Kept for as many requests as the journal holds: a request makes five changes on average.
  const changes = new ChangeHistory(counter, settings.journal * 5)
  return new Organization({ id, name, account, slot, clock, changes, random: randomOf(context), emit })
}

const randomOf =
  ({ name, settings }: TenantFactoryContext) =>
  (scope: string) =>
    createRandom(settings.seed, name, scope)

/** Name of the cookie that holds a session. */
export const sessionCookieName = 'work_agent_session'

/** The value of the `Cookie` header for a session token, which is percent-encoded in it. */
export function cookieHeaderOf(token: string): string {
  return `${sessionCookieName}=${encodeURIComponent(token)}`
}

/** Anything whose headers can be looked up by name, in lower case. */
export interface WithHeaders {
  header(name: string): string | undefined
}

/** The session token that a request sends; undefined if there is none. */
export function sessionTokenIn(request: WithHeaders): string | undefined {
  const cookies = request.header('cookie')
  return cookies === undefined ? undefined : parse(cookies, sessionCookieName)[sessionCookieName]
}

/** The beginning of an API key, before the name of its organization. */
export const apiKeyPrefix = 'wak_test_'
/** The beginning of a session token, before the name of its organization. */
export const sessionTokenPrefix = 'was_test_'
/** The longest name of an organization, characters. */
export const maxOrganizationNameLength = 200

/** The name of the organization in a key `wak_test_<name>`; undefined: the key has another format. */
export const organizationNameInKey = (secret: string) => nameAfter(apiKeyPrefix, secret)

/** The name of the organization in a session token; undefined: the token has another format. */
export const organizationNameInSessionToken = (token: string) => nameAfter(sessionTokenPrefix, token)

/** The session token of the organization with a name. */
export const sessionTokenOf = (name: string) => sessionTokenPrefix + name

/**
 * The name of the organization that an API key of any format belongs to: the key without `wak_test_`. It is the whole
 * key if the key begins otherwise, or if `keysOnly` also lists the rest as a key, so that the two have different
 * organizations.
 */
export function organizationNameForAnyKey(secret: string, keysOnly: readonly string[] | undefined): string {
  const name = organizationNameInKey(secret)
  return name === undefined || keysOnly?.includes(name) ? secret : name
}

/** The API key of the organization with a name. */
export function apiKeyOf(name: string, keysOnly: readonly string[] | undefined): string {
  return keysOnly?.find((key) => organizationNameForAnyKey(key, keysOnly) === name) ?? apiKeyPrefix + name
}

function nameAfter(prefix: string, text: string): string | undefined {
  const valid =
    text.startsWith(prefix) &&
    text.length > prefix.length &&
    text.length <= prefix.length + maxOrganizationNameLength
  return valid ? text.slice(prefix.length) : undefined
}
