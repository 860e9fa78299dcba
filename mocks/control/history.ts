/** Rows of an organization as they were at an earlier position of its changes. */
import { type HistoricalRowReader, readCurrentRow } from '../core/changes.ts'
import { isoTimeOf } from '../core/clock.ts'
import { ControlRefusal } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { OrganizationState, Run, Task } from '../core/resources.ts'
import type { SavedOrganizationFaultRules } from '../faults/rule.ts'
import * as views from '../handlers/views.ts'
import type { RecordedEntry } from '../journal/entry.ts'
import { type AnswerConditions, conditionsAt, currentAnswerConditions } from '../pipeline/conditions.ts'
import type { MockParts } from '../pipeline/service.ts'
import type { Tenant } from '../tenants/tenant.ts'
import { creditSumsOf, joinBalanceSettingEntries, viewLedgerEntries } from './overview.ts'
import { agentStateOfTasks } from './snapshot.ts'

/** Returns the state of an organization in its past; `at`: the mock time then, ms since the epoch. */
function stateAt(
  org: Organization,
  was: HistoricalRowReader,
  at: number,
  { frozen, variants, runPolicy }: AnswerConditions,
) {
  const state = org.dump(was)
  const { free_since, other_work_until } = was(org.agent.times) ?? org.agent.times
  const ends = state.tasks.flatMap(({ run }) => (run?.ended && run.ends_at !== null ? [run.ends_at] : []))
  const freed = [free_since, ...ends].filter((moment) => moment <= at)
  const finite = (moment: number) => (Number.isFinite(moment) ? moment : null)
  return {
    ...state,
    variants,
    policy: runPolicy,
    clock: { now: at, frozen },
    agent: {
      ...agentStateOfTasks(state.tasks, org.ledger.entries),
      free_since: finite(freed.reduce((latest, one) => Math.max(latest, one), Number.NEGATIVE_INFINITY)),
      other_work_until: finite(other_work_until),
    },
  }
}

/**
 * The moment whose state a control call asks for: right after the request with the number `at`, or right before the
 * request with the number `before` (and after what operators changed until then). Neither: now.
 */
export interface MomentQuery {
  readonly at?: number | undefined
  readonly before?: number | undefined
}

/** The state of an organization at one moment. */
export interface HistoricalState {
  /** The organization object of that time; a reset or a restore may have replaced it since. */
  readonly org: Organization
  /** Number of the request that the moment belongs to; null: now. */
  readonly number: number | null
  /** True if this is the state right before the request; false: right after it. */
  readonly isBefore: boolean
  /** Mock time, ms since the epoch. */
  readonly at: number
  /** Number of the newest recorded change that this state includes. */
  readonly position: number
  readonly state: OrganizationState
  readonly conditions: AnswerConditions
  /** How many random numbers each quirk had drawn; undefined if the organization has no quirks. */
  readonly surprises: Readonly<Record<string, number>> | undefined
  /** The fault rules that applied then, with the counts of their uses. */
  readonly rules: SavedOrganizationFaultRules
  /** Number of requests of the organization until then. */
  readonly requests: number
  /** The credential of the request; undefined: now, or unknown. */
  readonly credential: string | undefined
}

/**
 * Finds the organization that answered a request in the journal: an earlier object of the same id if a reset has
 * replaced it since. Undefined: its changes are no longer kept.
 */
export function organizationThatAnswered({ tenants }: MockParts, { org_id, changes_before }: RecordedEntry) {
  return org_id === null ? undefined : tenants.livedAt(org_id, changes_before)
}

/**
 * Reconstructs the state of an organization at a moment. @throws ControlRefusal if the journal does not hold the
 * request, or the changes since then are no longer kept.
 */
export function historicalStateOf(
  service: MockParts,
  org: Organization,
  { at, before }: MomentQuery,
): HistoricalState {
  const number = before ?? at
  if (number === undefined) return momentNow(service, org)
  const entry = service.journal.upTo(number)
  const isHere = entry?.number === number && entry.org_id === org.id
  const moment = isHere
    ? (before === undefined ? momentAfter : stateBeforeRequest)(service, entry)
    : undefined
  if (moment) return moment
  const which = before === undefined ? 'after' : 'before'
  throw new ControlRefusal(
    410,
    `The state ${which} this request is not kept: the request is not of this organization, or too long ago, or before a reset.`,
  )
}

function momentNow(service: MockParts, org: Organization): HistoricalState {
  const now = org.settled()
  const tenant = service.tenants.tenantOf(org)
  if (!tenant) throw new Error('The organization was replaced.')
  const conditions = currentAnswerConditions(service, tenant)
  return {
    ...{ org, number: null, isBefore: false, at: now, position: org.changes.position },
    ...{ state: { ...org.dump(), clock: { now, frozen: conditions.frozen } }, conditions },
    surprises: conditions.quirks?.dump(),
    rules: service.faults.dumpAlone(org.id, conditions.rules, readCurrentRow),
    requests: service.journal.countOf(org.id),
    credential: undefined,
  }
}

/** Returns the state right after a request; undefined: the changes since are not kept. */
function momentAfter(service: MockParts, entry: RecordedEntry): HistoricalState | undefined {
  const { changes_to: position } = entry
  return pastMoment(service, entry, { isBefore: false, position, arrival: position })
}

/**
 * Reconstructs the state of an organization right before one of its requests; undefined: the changes since then are no
 * longer kept.
 */
export function stateBeforeRequest(service: MockParts, entry: RecordedEntry): HistoricalState | undefined {
  const { changes_before: arrival, changes_from } = entry
  // Requests that were handled while this one waited had taken effect when it was answered.
  const overlaps = service.journal
    .entries()
    .some(
      (one) =>
        one.org_id === entry.org_id &&
        one !== entry &&
        one.changes_to > arrival &&
        one.changes_to <= changes_from,
    )
  return pastMoment(service, entry, { isBefore: true, position: overlaps ? changes_from : arrival, arrival })
}

interface Position extends Pick<HistoricalState, 'isBefore' | 'position'> {
  /** Position when the request arrived, and met rate limits and fault rules with their counts. */
  readonly arrival: number
}

function pastMoment(service: MockParts, entry: RecordedEntry, { isBefore, position, arrival }: Position) {
  const org = organizationThatAnswered(service, entry)
  const [was, onArrival] = [org?.changes.past(position), org?.changes.past(arrival)]
  const conditions = org && onArrival && conditionsAt(org, onArrival)
  if (!org || !was || !conditions) return undefined
  const { number, at, id, key_id } = entry
  const state = usedAt(service, org, stateAt(org, was, at, conditions), isBefore ? number - 1 : number)
  const surprises = isBefore ? conditions.quirks?.dump(onArrival) : surprisesAfter(service, org, entry)
  const credential = key_id ?? Object.keys(state.windows).find((one) => !org.keys.get(one))
  return {
    ...{ org, number, isBefore, at, position, conditions, surprises, credential },
    state: { ...state, windows: org.limiter.dump(onArrival) },
    rules: service.faults.dumpAlone(org.id, conditions.rules, onArrival),
    requests: Number(id.slice(id.lastIndexOf('_') + 1)) - Number(isBefore),
  }
}

/** The number of draws of each quirk up to a request; the next request notes it, since answering draws quirks. */
function surprisesAfter(service: MockParts, org: Organization, { number }: RecordedEntry) {
  const next = service.journal.after(number).find(({ org_id }) => org_id === org.id)
  const was = next && org.changes.past(next.changes_before)
  return was ? conditionsAt(org, was)?.quirks?.dump(was) : service.tenants.tenantOf(org)?.quirks?.dump()
}

/** Sets when each key was last used, which the journal knows: only requests that reached a handler count. */
function usedAt({ journal }: MockParts, org: Organization, state: OrganizationState, number: number) {
  const used = new Map<string, number | null>()
  for (const { number: other, org_id, key_id, at, decided_by, changes_before } of journal.entries()) {
    if (decided_by !== 'state' || org_id !== org.id || !org.changes.includes(changes_before)) continue
    const isLater = other > number
    if (key_id !== null && !(isLater && used.has(key_id)))
      used.set(key_id, isLater ? (org.usedBefore.get(key_id) ?? null) : at)
  }
  const keys = state.keys.map((key) => {
    const last_used_at = used.get(key.id)
    return last_used_at === undefined ? key : { ...key, last_used_at }
  })
  return { ...state, keys }
}

/** The balance of an organization, credits: the sum of the amounts in its ledger. */
export const ledgerBalanceOf = ({ ledger }: Pick<OrganizationState, 'ledger'>): number =>
  ledger.reduce((sum, { amount }) => sum + amount, 0)

/** The whole state of an organization as control routes return it; in every list the newest item comes first. */
export function viewOrganizationState({ org, number, isBefore, at, position, state }: HistoricalState) {
  const newestFirst = <Row, View>(rows: readonly Row[], view: (row: Row) => View) => rows.map(view).reverse()
  const older = earlierRuns(org, position)
  const refunded = new Set(state.ledger.flatMap(({ kind, subject }) => (kind === 'refund' ? [subject] : [])))
  return {
    at: { number, before: isBefore, time: isoTimeOf(at) },
    credits: ledgerBalanceOf(state),
    ...creditSumsOf(state.ledger, state.agent.waiting.length + (state.agent.active === null ? 0 : 1)),
    agent: { active: state.agent.active, waiting: state.agent.waiting },
    tasks: newestFirst(state.tasks, (task) => ({
      ...views.viewTask(task),
      runs: [...(task.run ? [task.run] : []), ...(older.get(task.id) ?? [])].map((run) =>
        viewRun(run, refunded.has(run.id)),
      ),
    })),
    documents: newestFirst(state.documents, views.viewDocument),
    notifications: newestFirst(state.notifications, views.viewNotification),
    keys: newestFirst(
      state.keys.filter(({ deleted }) => !deleted),
      views.viewKey,
    ),
    creatives: newestFirst(state.creatives, (creative) => ({
      ...creative,
      ...views.viewCreative(creative, org, ''),
    })),
    landing_pages: newestFirst(state.landing_pages, views.viewLandingPage),
    campaigns: newestFirst(state.campaigns, views.viewCampaign),
    prospects: newestFirst(state.prospects, views.viewProspect),
    wallet: state.account,
    ledger: joinBalanceSettingEntries(viewLedgerEntries(state.ledger)).reverse(),
  }
}

/** Runs of each task that newer ones had replaced, newest first, as far as they are kept. */
function earlierRuns(org: Organization, position: number): Map<string, Run[]> {
  const runs = new Map<string, Run[]>()
  for (const { number, resource, row, before } of org.changes.after() ?? []) {
    const replaced = resource === 'tasks' && before !== null && number <= position
    const run: Run | null = replaced ? Reflect.get(before, 'run') : null
    if (run) runs.set((row as Task).id, [run, ...(runs.get((row as Task).id) ?? [])])
  }
  return runs
}

function viewRun(run: Run, refunded: boolean) {
  const { id, accepted_at, started_at, ends_at, ended, outcome } = run
  return {
    id,
    accepted_at: isoTimeOf(accepted_at),
    started_at: isoTimeOf(started_at),
    ends_at: isoTimeOf(ends_at),
    ended,
    outcome: ended ? outcome : null,
    refunded,
    waited_ms: started_at === null ? null : started_at - accepted_at,
  }
}

/** Fields that are times, ms since the epoch. */
const isTime = (name: string) => /(?:^at|_at|_since|_until)$/.test(name)

/** A row of any resource as control routes return it: moments in ISO 8601, and secrets left out. */
export function viewResourceRow(row: object): Record<string, unknown> {
  const { secret: _, ...fields } = row as Record<string, unknown>
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, viewField(name, value)]))
}

function viewField(name: string, value: unknown): unknown {
  if (typeof value === 'number' && isTime(name)) return isoTimeOf(value)
  if ((name === 'run' || name === 'reserve') && typeof value === 'object' && value !== null)
    return Reflect.get(value, 'id')
  return value
}

/**
 * Creates a copy of an organization at a moment: the same resources and fault rules, but an id and keys of its own.
 * Later ids and secrets differ from the original's; outcomes and delays continue as they would have there.
 */
export function forkOrganization(service: MockParts, moment: HistoricalState, name: string): Tenant {
  const { tenants, faults, journal } = service
  const { org, conditions, surprises, rules, requests } = moment
  const fresh = tenants.tenant(name).org
  const first = tenants.nameById(org.id) ?? ''
  const state = stateOf(moment, fresh.dump())
  const quirksOf = tenants.quirksOf(first) ?? first
  const tenant = tenants.restore(name, state, conditions.settings, tenants.createdWith(first), quirksOf)
  tenant.quirks?.restore(surprises ?? {})
  faults.restoreOf(tenant.org.id, rules)
  journal.requestsOf(tenant.org.id).count = requests
  return tenant
}

/** The state of a fork. Requests stay those of the other organization, so that its ledger names none. */
function stateOf(
  { at, state, conditions, credential }: HistoricalState,
  fresh: OrganizationState,
): OrganizationState {
  return structuredClone({
    ...state,
    id: fresh.id,
    clock: { now: at, frozen: conditions.frozen },
    keys: fresh.keys,
    windows: windowsOf(state, fresh, credential),
    chance: { ...state.chance, ids: fresh.chance.ids },
    ledger: state.ledger.map((entry) => ({ ...entry, request_id: null })),
  })
}

/** The rate windows of a fork: its only key gets that of `credential`, or else the fullest one. */
function windowsOf({ windows }: OrganizationState, { keys }: OrganizationState, credential = '') {
  const fullest = Object.values(windows).toSorted((one, other) => other.used - one.used)[0]
  const window = windows[credential] ?? fullest
  const [key] = keys
  return key && window ? { [key.id]: window } : {}
}

/** A name for a copy that no organization has yet, made from the given one: `NAME-fork`, `NAME-fork-2` and so on. */
export function unusedOrganizationName(service: MockParts, of: string): string {
  const base = `${of.split('.')[0]}-fork`
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!service.tenants.isTaken(name)) return name
  }
}
