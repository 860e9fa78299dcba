/** What an organization holds as responses show it, or only what changed since an earlier call. */
import type { Organization } from '../../core/organization.ts'
import type { Notification, Run, Task } from '../../core/resources.ts'
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
  const { changes, tasks, documents, notifications } = org
  const { position } = changes
  if (since === undefined || since > position || !changes.keeps(since))
    return {
      position,
      all: true,
      tasks: tasks.all().map(viewTask),
      documents: documents.all().map(viewDocument),
      notifications: notifications.all().map(viewNotification),
    }
  const added = { tasks: 0, documents: 0, notifications: 0 }
  const changedTasks = new Set<Task>()
  const changedNotifications = new Set<Notification>()
  for (const change of changes.newestFirst(since)) {
    if (change.kind === 'added' && change.resource in added) added[change.resource as keyof typeof added]++
    if (change.kind !== 'changed') continue
    if (change.resource === 'tasks') changedTasks.add(change.row as Task)
    if (change.resource === 'notifications') changedNotifications.add(change.row as Notification)
    const task = change.resource === 'runs' ? tasks.get((change.row as Run).task_id) : undefined
    if (task) changedTasks.add(task)
  }
  const withNew = <Row>(changed: Set<Row>, newest: readonly Row[]) => {
    for (const row of newest) changed.delete(row)
    return [...changed, ...newest.toReversed()]
  }
  return {
    position,
    all: false,
    tasks: withNew(changedTasks, tasks.newest(added.tasks)).map(viewTask),
    documents: documents.newest(added.documents).toReversed().map(viewDocument),
    notifications: withNew(changedNotifications, notifications.newest(added.notifications)).map(
      viewNotification,
    ),
  }
}
