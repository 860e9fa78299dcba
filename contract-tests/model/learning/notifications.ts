/** What answers teach about notifications. */
import { field } from '#traffic/exchange.ts'
import { type Answered, isSuccess, type RequestEvent } from '../event.ts'
import { hadEffect, identified, numberAt, settled, spanOf } from '../matching.ts'
import type { Notification, Organization, State } from '../state.ts'

const unknown: Notification = { marks: [], foreign: [] }

/** Lists that are remembered. */
const most = 8

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
  const items = identified(event.answer.json)
  const unread = numberAt(event.answer.json, 'unread')
  const shown = new Map(items.map(({ id, item }) => [id, field(item, 'read') === false]))
  if (isSuccess(event.answer) && unread !== undefined)
    org.inboxes = [...org.inboxes.slice(1 - most), { ...span, unread, shown }]
  for (const { id, item } of items) {
    const read = field(item, 'read')
    change(org, id, ({ seen }) => ({ seen: seen ?? span }))
    if (read === false) change(org, id, ({ read, unread }) => ({ unread: read ? unread : span }))
    if (read === true) change(org, id, (known) => ({ read: known.read ?? { ...span, marked: false } }))
  }
}

/** A request to mark it may have its effect from the moment it is sent. */
export function expectMark(own: Organization, { id, resource, sent }: RequestEvent, state: State): void {
  if (resource === undefined) return
  const span = { by: id, from: sent, to: null }
  change(own, resource, ({ marks }) => ({ marks: [...marks, span] }))
  for (const org of state.organizations.values())
    if (org !== own && org.notifications.has(resource))
      change(org, resource, ({ foreign }) => ({ foreign: [...foreign, span] }))
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
