/** Everything an organization has, now or as it was after one of its requests. */

import type { Organization } from '../../core/organization.ts'
import type { Run, Task } from '../../core/resources.ts'
import type { OrganizationState } from '../../core/state.ts'
import {
  viewCampaign,
  viewCreative,
  viewDocument,
  viewKey,
  viewLandingPage,
  viewNotification,
  viewProspect,
  viewTask,
} from '../../handlers/views.ts'
import type { Service } from '../../pipeline/service.ts'
import { viewEntries } from '../ledger-view.ts'
import { pastOf } from './past.ts'
import { stateAt } from './state-at.ts'

/** A state of an organization, and when it had it. */
export interface Moment {
  /** Number of the request; null: now. */
  readonly number: number | null
  /** Mock time, ms since the epoch. */
  readonly at: number
  /** Number of the newest change that it includes. */
  readonly position: number
  readonly state: OrganizationState
}

/**
 * Returns the state of an organization right after a request of it; without a number: now. Undefined: the journal
 * does not hold the request, or the changes since then are no longer kept.
 */
export function momentOf(service: Service, org: Organization, number?: number): Moment | undefined {
  if (number === undefined) {
    const now = org.clock.now()
    org.settle(now)
    return { number: null, at: now, position: org.changes.position, state: org.dump() }
  }
  const entry = service.journal.upTo(number)
  if (entry?.number !== number || entry.org_id !== org.id) return undefined
  const past = pastOf(org, entry.changes_to)
  const position = entry.changes_to
  return (
    past && {
      number,
      at: entry.at,
      position,
      state: usedAt(service, stateAt(org, past, entry.at), number),
    }
  )
}

/** Sets when each key was last used, which the journal knows. */
function usedAt({ journal }: Service, state: OrganizationState, number: number): OrganizationState {
  const used = new Map<string, number>()
  for (const { number: other, key_id, at } of journal.entries())
    if (key_id !== null && other <= number) used.set(key_id, at)
  const later = new Set(journal.after(number).flatMap(({ key_id }) => key_id ?? []))
  const keys = state.keys.map((key) => {
    const last = used.get(key.id) ?? (later.has(key.id) ? null : key.last_used_at)
    return { ...key, last_used_at: last }
  })
  return { ...state, keys }
}

/** Everything that an organization has, as people read it; newest first. */
export function viewState(org: Organization, { number, at, position, state }: Moment) {
  const newestFirst = <Row, View>(rows: readonly Row[], view: (row: Row) => View) => rows.map(view).reverse()
  const older = earlierRuns(org, position)
  const refunded = new Set(state.ledger.flatMap(({ kind, subject }) => (kind === 'refund' ? [subject] : [])))
  return {
    at: { number, time: new Date(at).toISOString() },
    credits: state.ledger.reduce((sum, { amount }) => sum + amount, 0),
    agent: { active: state.agent.active, waiting: state.agent.waiting },
    tasks: newestFirst(state.tasks, (task) => ({
      ...viewTask(task),
      runs: [...(task.run ? [task.run] : []), ...(older.get(task.id) ?? [])].map((run) =>
        viewRun(run, refunded.has(run.id)),
      ),
    })),
    documents: newestFirst(state.documents, viewDocument),
    notifications: newestFirst(state.notifications, viewNotification),
    keys: newestFirst(
      state.keys.filter(({ deleted }) => !deleted),
      viewKey,
    ),
    creatives: newestFirst(state.creatives, (creative) => ({
      ...creative,
      ...viewCreative(creative, org, ''),
    })),
    landing_pages: newestFirst(state.landing_pages, viewLandingPage),
    campaigns: newestFirst(state.campaigns, viewCampaign),
    prospects: newestFirst(state.prospects, viewProspect),
    wallet: state.account,
    ledger: viewEntries(state.ledger).reverse(),
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
  const iso = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString())
  const { id, accepted_at, started_at, ends_at, ended, outcome } = run
  return {
    id,
    accepted_at: iso(accepted_at),
    started_at: iso(started_at),
    ends_at: iso(ends_at),
    ended,
    outcome: ended ? outcome : null,
    refunded,
    waited_ms: started_at === null ? null : started_at - accepted_at,
  }
}
