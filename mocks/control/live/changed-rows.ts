/** What an organization holds as responses show it, or only what changed since an earlier call. */
import type { Organization } from '../../core/organization.ts'
import type { Run } from '../../core/resources.ts'
import { viewDocument, viewNotification, viewTask } from '../../handlers/views.ts'

/** Rows in the order in which they were created. */
export interface ChangedRows {
  /** To pass to the next call. */
  readonly position: number
  /** Whether these are all rows: what changed since is not known, as after a reset. */
  readonly all: boolean
  readonly tasks: readonly ReturnType<typeof viewTask>[]
  readonly documents: readonly ReturnType<typeof viewDocument>[]
  readonly notifications: readonly ReturnType<typeof viewNotification>[]
}

/** Returns the rows that were added or changed after a position; without one, or if it is no longer known: all. */
export function changedRows(org: Organization, since?: number): ChangedRows {
  org.settle(org.clock.now())
  const { position } = org.changes
  const changes = since === undefined || since > position ? undefined : org.changes.after(since)
  const changed = new Set(
    changes?.map(({ resource, row }) => (resource === 'runs' ? org.tasks.get((row as Run).task_id) : row)),
  )
  const rows = <Row extends object>(all: readonly Row[]) =>
    changes ? (changed.size === 0 ? [] : all.filter((row) => changed.has(row))) : all
  return {
    position,
    all: !changes,
    tasks: rows(org.tasks.all()).map(viewTask),
    documents: rows(org.documents.all()).map(viewDocument),
    notifications: rows(org.notifications.all()).map(viewNotification),
  }
}
