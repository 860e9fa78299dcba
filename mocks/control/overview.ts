/** An organization at a glance: credits, ledger, agent, limits, switches and clock. */

import { z } from 'zod'
import suite from '../../package.json' with { type: 'json' }
import { type Clock, isoTimeOf } from '../core/clock.ts'
import { addCreditAmounts } from '../core/ledger.ts'
import type { Organization } from '../core/organization.ts'
import type { LedgerEntry, RateLimit } from '../core/resources.ts'
import type { MockParts } from '../pipeline/service.ts'
import { cookieHeaderOf, sessionTokenOf, type Tenant } from '../tenants/tenant.ts'

/** The short form in which control routes return an organization: name, id, credentials and credits. */
export function viewOrganizationSummary({ tenants }: MockParts, org: Organization) {
  const name = tenants.nameOf(org) ?? ''
  org.settled()
  return {
    org_id: org.id,
    name: org.name,
    api_key: tenants.keyFor(name),
    session_cookie: cookieHeaderOf(sessionTokenOf(name)),
    credits: org.ledger.balance,
  }
}

/** The form in which the overview returns an organization: credentials, credits, agent, limits, switches and clock. */
export function viewOrganization(service: MockParts, tenant: Tenant) {
  const { org, name } = tenant
  const now = org.settled()
  const limit = org.overrides.rate_limit ?? tenant.settings.rateLimit
  const { next_run_fails, next_creative_fails, unavailable } = org.overrides
  return {
    ...viewOrganizationSummary(service, org),
    key_name: name,
    reserved: org.agent.load,
    agent: agentOf(org, now),
    limit_set: org.overrides.rate_limit !== null,
    limit: limit === 'off' ? null : { limit: limit.limit, window_ms: limit.window_ms },
    limits: limit === 'off' ? [] : limitsOf(org, limit, now),
    unread: org.notifications.unread,
    ...switchesOf(service, tenant),
    clock: viewClock(org.clock),
    next_event: isoTimeOf(org.nextEvent()),
    overrides: { next_run_fails, next_creative_fails, unavailable },
    set: setFor(service, tenant, now),
    counts: {
      tasks: org.tasks.size,
      documents: org.documents.size,
      notifications: org.notifications.size,
      keys: org.keys.all().filter(({ deleted }) => !deleted).length,
      creatives: org.creatives.size,
      landing_pages: org.landingPages.size,
      campaigns: org.campaigns.size,
      prospects: org.prospects.size,
    },
    requests: service.journal.countOf(org.id),
  }
}

function switchesOf({ faults }: MockParts, tenant: Tenant) {
  const { org, settings } = tenant
  const isMixed = Object.keys(org.variants).length > 0
  return {
    variant: org.overrides.variant ?? (isMixed ? ('mixed' as const) : settings.variant),
    extended: org.overrides.extended ?? settings.extended,
    strict_client: settings.strictClient ?? null,
    chaos: faults.list(org.id).find(({ id }) => id === 'chaos')?.rate || null,
  }
}

/**
 * Differences of an organization from how the mock was started, and the control call that ends each, in a word or two.
 */
function setFor(service: MockParts, tenant: Tenant, now: number) {
  const { settings } = service
  const { org } = tenant
  const { next_run_fails, next_creative_fails, unavailable, rate_limit, answer_lost } = org.overrides
  const { variant, extended, strict_client: quirks, chaos } = switchesOf(service, tenant)
  const call = (text: string, route: string, change: object, end = 'End') => {
    const body: Readonly<Record<string, unknown>> = { org_id: org.id, ...change }
    return { text, end, route, body }
  }
  const state = (text: string, state: string) => {
    const body = { state, action: 'teardown', params: { org_id: org.id } }
    return { text, end: 'End', route: 'POST /states', body }
  }
  const found = [
    !org.ledger.canReserve &&
      call('No credits: every paid request gets 402', 'POST /credits', { add: 10 }, 'Add 10'),
    unavailable && state('Unavailable: every request gets 503', 'unavailable'),
    next_run_fails && state('The next run fails', 'next_run_fails'),
    next_creative_fails && state('The next creative fails', 'next_creative_fails'),
    answer_lost && state(`The next answer to ${answer_lost} is lost`, 'answer_lost'),
    rate_limit && state('A rate limit of its own', 'rate_limit'),
    agentOf(org, now).state === 'other_work' && state('Agent busy', 'agent_busy'),
    chaos !== (settings.chaos ?? null) &&
      call(`Chaos ${chaos ?? 'off'}`, 'PUT /behaviour', { chaos: settings.chaos ?? 0 }),
    quirks !== (settings.strictClient ?? null) &&
      call(`Quirks ${quirks ?? 'off'}`, 'PUT /behaviour', { strictClient: settings.strictClient ?? false }),
    variant !== settings.variant &&
      call(`${variant} variant`, 'PUT /settings', { variant: settings.variant }),
    extended !== settings.extended &&
      call(`Extended routes ${extended ? 'on' : 'off'}`, 'PUT /settings', { extended: settings.extended }),
  ]
  return found.filter((one) => typeof one === 'object' && one !== null)
}

/**
 * The form in which control routes return a clock: its time in ISO 8601, whether it is frozen, and whether it follows
 * the clock of the mock.
 */
export const viewClock = (clock: Clock) => ({
  now: isoTimeOf(clock.now()),
  frozen: clock.frozen,
  following: clock.following,
})

const longestQueue = 50

function agentOf(org: Organization, now: number) {
  const { active, waiting, other_work_until } = org.agent.dump()
  const running = active === null ? undefined : org.tasks.get(active)
  const otherWork = other_work_until !== null && other_work_until > now
  return {
    state: running ? ('busy' as const) : otherWork ? ('other_work' as const) : ('idle' as const),
    task_id: running?.id ?? null,
    run_id: running?.run?.id ?? null,
    started_at: isoTimeOf(running?.run?.started_at),
    ends_at: isoTimeOf(running?.run?.ends_at),
    free_at: otherWork ? isoTimeOf(other_work_until) : null,
    waiting: waiting.length,
    queue: waiting.slice(0, longestQueue).flatMap((task_id) => {
      const { run, text = '' } = org.tasks.get(task_id) ?? {}
      return run ? [{ task_id, run_id: run.id, text: text.slice(0, 80).toWellFormed() }] : []
    }),
  }
}

function limitsOf(org: Organization, { limit, window_ms }: RateLimit, now: number) {
  return Object.entries(org.limiter.dump())
    .filter(([, { opened }]) => opened + window_ms > now)
    .map(([credential, { opened, used }]) => ({
      credential: org.keys.get(credential) ? credential : 'session',
      used,
      limit,
      resets_at: isoTimeOf(opened + window_ms),
    }))
}

/** The most organizations in an overview: the newest ones and the oldest. */
const mostOrganizations = 200

const mostRules = 200

/**
 * The overview that control routes return: the mock, and all of its organizations (or only the given one), newest
 * first.
 */
export function viewOverview(service: MockParts, org?: Organization) {
  const { tenants } = service
  const all = tenants.inOrder(org)
  const shown = all.filter((_, place) => place === 0 || place > all.length - mostOrganizations)
  const found = shown.reverse().flatMap((one) => tenants.tenantOf(one) ?? [])
  return { mock: viewMock(service), organizations: found.map((tenant) => viewOrganization(service, tenant)) }
}

function viewMock({ clock, settings, tenants, journal, faults }: MockParts) {
  return {
    version: suite.version,
    now: isoTimeOf(clock.now()),
    frozen: clock.frozen,
    seed: settings.seed,
    variant: settings.variant,
    extended: settings.extended,
    scenario: settings.scenario?.id ?? null,
    strict_client: settings.strictClient ?? null,
    chaos: settings.chaos ?? null,
    keys_only: settings.keysOnly !== undefined,
    organizations: tenants.organizations().length,
    journal: { size: journal.size, oldest: journal.oldest, newest: journal.newest },
    faults: faults.list().slice(0, mostRules),
  }
}

const ledgerEntryView = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(['top_up', 'reserve', 'refund']),
  amount: z.number().describe('Negative for a reserve, and if credits were removed.'),
  balance: z.number().describe('Spendable credits after the entry.'),
  subject: z.string().nullable().describe('The id of the run or artifact; null: none.'),
  request_id: z
    .string()
    .nullable()
    .describe('The request that caused the entry; null: caused by time or an operator.'),
})
/** A ledger entry with the balance after it. Times are ISO 8601 in mock time, amounts are credits. */
type LedgerEntryView = Readonly<z.output<typeof ledgerEntryView>>

/** Schemas of the sums of credits by use: reserved, spent, refunded, added. */
export const creditSumFieldSchemas = {
  reserved: z.number().describe('Credits reserved for active and queued runs.'),
  spent: z.number(),
  refunded: z.number(),
  added: z.number(),
}

/** Schema of the ledger of one organization, with its sums, credits. */
export const ledgerViewSchema = z.object({
  org_id: z.string(),
  name: z.string(),
  balance: z.number(),
  ...creditSumFieldSchemas,
  entries: z.array(ledgerEntryView).describe('Oldest first.'),
})
/** The ledger of one organization as control routes return it, with its sums, credits. */
export type LedgerView = Readonly<z.output<typeof ledgerViewSchema>>

/** The ledger of an organization as control routes return it, with its sums, credits. */
export function viewLedger(org: Organization): LedgerView {
  org.settled()
  const { balance, entries } = org.ledger
  const sums = creditSumsOf(entries, org.agent.load)
  return { org_id: org.id, name: org.name, balance, ...sums, entries: viewLedgerEntries(entries) }
}

/**
 * Sums the credits of ledger entries by use; a failed run counts as refunded, not as spent (§3.2). `reserved`: credits
 * held for runs that have not ended.
 */
export function creditSumsOf(entries: readonly LedgerEntry[], reserved: number) {
  const sums: Record<LedgerEntry['kind'], number> = { top_up: 0, reserve: 0, refund: 0 }
  for (const { kind, amount } of entries) sums[kind] += amount
  const spent = -sums.reserve - sums.refund - reserved
  return { reserved, spent, refunded: sums.refund, added: sums.top_up }
}

/** Ledger entries as control routes return them, oldest first, each with the balance after it. */
export function viewLedgerEntries(entries: readonly LedgerEntry[]): LedgerEntryView[] {
  let balance = 0
  return entries.map(({ id, at, kind, amount, subject, request_id }) => {
    balance = addCreditAmounts(balance, amount)
    return { id, at: isoTimeOf(at), kind, amount, balance, subject, request_id }
  })
}

/** An entry as people read it: setting a balance is one entry, although the ledger first empties and then fills it. */
type ReadEntry = Omit<LedgerEntryView, 'kind'> & { readonly kind: LedgerEntryView['kind'] | 'set' }

/**
 * Joins the two ledger entries that setting a balance creates (one empties it, one adds the new credits) into a single
 * entry `set`; other entries stay.
 */
export function joinBalanceSettingEntries(entries: readonly LedgerEntryView[]): ReadEntry[] {
  const read: ReadEntry[] = []
  for (const entry of entries) {
    const before = read.at(-1)
    const emptied = before?.kind === 'set' && before.balance === 0 && before.at === entry.at
    const { kind, amount, balance } = entry
    if (emptied && kind === 'top_up')
      read.splice(-1, 1, { ...entry, amount: before.amount + amount, kind: 'set' })
    else {
      const isSet = kind === 'top_up' && (amount < 0 || (amount === 0 && balance === 0))
      read.push(isSet ? { ...entry, kind: 'set' } : entry)
    }
  }
  return read
}
