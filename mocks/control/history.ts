/** Rows of an organization as they were at an earlier position of its changes. */
import type { Was } from '../core/changes.ts'
import { isoOf } from '../core/clock.ts'
import { Refusal } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { OrganizationState, Run, Task } from '../core/resources.ts'
import type { OwnFaultsState } from '../faults/rule.ts'
import * as views from '../handlers/views.ts'
import type { RecordedEntry } from '../journal/view.ts'
import type { Service } from '../pipeline/service.ts'
import type { Tenant } from '../tenants/tenant.ts'
import { sumsOf, viewEntries, withSets } from './overview.ts'
import { runsOfAgent } from './snapshot.ts'

/** Returns the state of an organization in its past; `at`: the mock time then, ms since the epoch. */
function stateAt(org: Organization, was: Was, at: number): OrganizationState {
  const state = org.dump(was)
  const { free_since, other_work_until } = was(org.agent.times) ?? org.agent.times
  const ends = state.tasks.flatMap(({ run }) => (run?.ended && run.ends_at !== null ? [run.ends_at] : []))
  const freed = [free_since, ...ends].filter((moment) => moment <= at)
  const finite = (moment: number) => (Number.isFinite(moment) ? moment : null)
  return {
    ...state,
    clock: { now: at, frozen: org.clock.frozen },
    agent: {
      ...runsOfAgent(state.tasks, org.ledger.entries),
      free_since: finite(freed.reduce((latest, one) => Math.max(latest, one), Number.NEGATIVE_INFINITY)),
      other_work_until: finite(other_work_until),
    },
  }
}

/** A state of an organization, and when it had it. */
export interface Moment {
  /** Number of the request; null: now. */
  readonly number: number | null
  /** Mock time, ms since the epoch. */
  readonly at: number
  /** Number of the newest change that it includes. */
  readonly position: number
  /** The same of the counts of fault rules: a request meets them before it is handled. */
  readonly rulesPosition: number
  readonly state: OrganizationState
}

/**
 * Returns the state of an organization right after a request of it; without a number: now. @throws Refusal if the
 * journal does not hold the request, or the changes since then are no longer kept.
 */
export function momentOf(service: Service, org: Organization, number?: number): Moment {
  if (number === undefined) {
    const now = org.settled()
    const { position } = org.changes
    return { number: null, at: now, position, rulesPosition: position, state: org.dump() }
  }
  const entry = service.journal.upTo(number)
  if (entry?.number === number && entry.org_id === org.id) {
    const { at, changes_to: position } = entry
    const moment = pastMoment(service, org, { number, at, position, rulesPosition: position })
    if (moment) return moment
  }
  throw new Refusal(
    410,
    'The state after this request is not kept: the request is not of this organization, or too long ago, or before a reset.',
  )
}

/** Returns the state of an organization right before a request of it; undefined: the changes since are not kept. */
export function momentBefore(service: Service, org: Organization, entry: RecordedEntry): Moment | undefined {
  const { number, at, changes_before: rulesPosition, changes_from: position } = entry
  return pastMoment(service, org, { number: number - 1, at, position, rulesPosition })
}

function pastMoment(
  service: Service,
  org: Organization,
  moment: Omit<Moment, 'state'> & { readonly number: number },
): Moment | undefined {
  const was = org.changes.past(moment.position)
  return was && { ...moment, state: usedAt(service, stateAt(org, was, moment.at), moment.number) }
}

/** Sets when each key was last used, which the journal knows: by a request that was not answered before it was handled. */
function usedAt({ journal }: Service, state: OrganizationState, number: number): OrganizationState {
  const used = new Map<string, number | null>()
  for (const { number: other, key_id, at, decided_by } of journal.entries()) {
    if (decided_by !== 'state') continue
    const isLater = other > number
    if (key_id !== null && !(isLater && used.has(key_id))) used.set(key_id, isLater ? null : at)
  }
  const keys = state.keys.map((key) => {
    const last_used_at = used.get(key.id)
    return last_used_at === undefined ? key : { ...key, last_used_at }
  })
  return { ...state, keys }
}

export const creditsOf = ({ ledger }: Pick<OrganizationState, 'ledger'>): number =>
  ledger.reduce((sum, { amount }) => sum + amount, 0)

/** Everything that an organization has, as people read it; newest first. */
export function viewState(org: Organization, { number, at, position, state }: Moment) {
  const newestFirst = <Row, View>(rows: readonly Row[], view: (row: Row) => View) => rows.map(view).reverse()
  const older = earlierRuns(org, position)
  const refunded = new Set(state.ledger.flatMap(({ kind, subject }) => (kind === 'refund' ? [subject] : [])))
  return {
    at: { number, time: isoOf(at) },
    credits: creditsOf(state),
    ...sumsOf(state.ledger, state.agent.waiting.length + (state.agent.active === null ? 0 : 1)),
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
    ledger: withSets(viewEntries(state.ledger)).reverse(),
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
    accepted_at: isoOf(accepted_at),
    started_at: isoOf(started_at),
    ends_at: isoOf(ends_at),
    ended,
    outcome: ended ? outcome : null,
    refunded,
    waited_ms: started_at === null ? null : started_at - accepted_at,
  }
}

/** Fields that are times, ms since the epoch. */
const isTime = (name: string) => /(?:^at|_at|_since|_until)$/.test(name)

export function viewRow(row: object): Record<string, unknown> {
  const { secret: _, ...fields } = row as Record<string, unknown>
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, viewField(name, value)]))
}

function viewField(name: string, value: unknown): unknown {
  if (typeof value === 'number' && isTime(name)) return isoOf(value)
  if ((name === 'run' || name === 'reserve') && typeof value === 'object' && value !== null)
    return Reflect.get(value, 'id')
  return value
}

/** Returns the rules that there are now, with their counts of then. */
export function faultsAt({ faults }: Service, org: Organization, { rulesPosition }: Moment): OwnFaultsState {
  return faults.dumpOf(org.id, org.changes.past(rulesPosition))
}

/**
 * Returns a new organization with a state of another: its own id and keys, everything else as it was. New ids and
 * secrets are drawn anew, since no two organizations share a secret; outcomes and delays continue as they would have.
 * Fault rules of the organization apply to it too.
 */
export function fork(service: Service, org: Organization, moment: Moment, name: string): Tenant {
  const { tenants, faults } = service
  const source = tenants.tenantOf(org)
  const fresh = tenants.tenant(name).org
  const created = source && tenants.createdWith(source.name)
  const tenant = tenants.restore(name, stateOf(moment, fresh.dump(), org), source?.settings, created)
  if (source?.quirks) tenant.quirks?.restore(source.quirks.dump())
  faults.restoreOf(tenant.org.id, faultsAt(service, org, moment))
  return tenant
}

/** Requests stay those of the other organization, so that the ledger names none. */
function stateOf({ at, state }: Moment, fresh: OrganizationState, org: Organization): OrganizationState {
  return structuredClone({
    ...state,
    id: fresh.id,
    clock: { now: at, frozen: org.clock.frozen },
    keys: fresh.keys,
    windows: {},
    chance: { ...state.chance, ids: fresh.chance.ids },
    ledger: state.ledger.map((entry) => ({ ...entry, request_id: null })),
  })
}

/** Returns a name that no organization has: the given one, or `NAME-fork`, `NAME-fork-2` and so on. */
export function freeName(service: Service, of: string): string {
  const base = `${of.split('.')[0]}-fork`
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!service.tenants.isTaken(name)) return name
  }
}
