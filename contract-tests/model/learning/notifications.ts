/** What answers teach about notifications. */
import { field } from '#traffic/exchange.ts'
import { type Answered, isSuccess, type RequestEvent } from '../event.ts'
import { hadEffect, identified, settled, spanOf } from '../matching.ts'
import type { Notification, Organization } from '../state.ts'

const unknown: Notification = { marks: [] }

function change(
  { notifications }: Organization,
  id: string,
  to: (known: Notification) => Partial<Notification>,
): void {
  const known = notifications.get(id) ?? unknown
  notifications.set(id, { ...known, ...to(known) })
}

export function learnNotificationList(org: Organization, event: Answered): void {
  const span = spanOf(event)
  for (const { id, item } of identified(event.answer.json)) {
    const read = field(item, 'read')
    if (read === false) change(org, id, ({ read, unread }) => ({ unread: read ? unread : span }))
    if (read === true) change(org, id, (known) => ({ read: known.read ?? { ...span, marked: false } }))
  }
}

/** A request to mark it may have its effect from the moment it is sent. */
export function expectMark(org: Organization, { id, resource, sent }: RequestEvent): void {
  if (resource === undefined) return
  change(org, resource, ({ marks }) => ({ marks: [...marks, { by: id, from: sent, to: null }] }))
}

/** An answer tells whether it had. Only what was listed is known to exist. */
export function learnMark(org: Organization, event: Answered): void {
  const { resource: id, answer } = event
  if (id === undefined) return
  const span = spanOf(event)
  change(org, id, ({ marks, read, unread }) => ({
    marks: settled(marks, span, hadEffect(answer)),
    read: isSuccess(answer) && unread ? (read ?? { ...span, marked: true }) : read,
  }))
}
