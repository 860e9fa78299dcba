/** Updates of notifications: listed, marked by a request, and seen as read. */
import { valueAtPath } from '#traffic/exchange.ts'
import { learnResourceOwner } from './creations.ts'
import { type AnsweredRequest, isSuccess, type RequestEvent } from './event.ts'
import {
  effectInterval,
  itemsWithIds,
  numberAt,
  settleEffectIntervals,
  showsAllIds,
  tookEffect,
} from './matching.ts'
import { ownersOfRequestedResource } from './reached.ts'
import {
  emptyNotificationKnowledge,
  type KnownNotification,
  type KnownOrganization,
  type ModelState,
} from './state.ts'

/** Maximum number of remembered listings; of successive ones with equal counts, the first and the last are kept. */
const maxListings = 8

function changeNotification(
  { notifications }: KnownOrganization,
  id: string,
  to: (known: KnownNotification) => Partial<KnownNotification>,
): void {
  const known = notifications.get(id) ?? emptyNotificationKnowledge
  notifications.set(id, { ...known, ...to(known) })
}

/** Records which notifications a list shows as read, and how many it counts as unread. */
export function learnNotificationList(
  org: KnownOrganization,
  event: AnsweredRequest,
  state: ModelState,
): void {
  const interval = effectInterval(event)
  const items = itemsWithIds(event.answer.json)
  const unread = numberAt(event.answer.json, 'unread')
  const shown = new Map(items.map(({ id, item }) => [id, valueAtPath(item, 'read') === false]))
  if (isSuccess(event.answer) && unread !== undefined && showsAllIds(event.answer.json)) {
    const isSame =
      org.notificationListings.length > 1 &&
      org.notificationListings.slice(-2).every((one) => one.unread === unread)
    const kept = isSame ? org.notificationListings.slice(0, -1) : org.notificationListings
    org.notificationListings = [...kept.slice(1 - maxListings), { ...interval, unread, shown }]
  }
  for (const { id, item } of items) {
    const read = valueAtPath(item, 'read')
    changeNotification(org, id, ({ firstListed }) => ({ firstListed: firstListed ?? interval }))
    learnResourceOwner(state, 'notification', id, event)
    if (read === false)
      changeNotification(org, id, ({ seenRead, lastSeenUnread }) => ({
        lastSeenUnread: seenRead ? lastSeenUnread : interval,
      }))
    if (read === true)
      changeNotification(org, id, ({ seenRead, listedRead }) => ({
        seenRead: seenRead ?? { ...interval, marked: false },
        listedRead: listedRead ?? interval,
        lastListedRead: interval,
      }))
  }
}

/** Records that a request to mark a notification as read was sent. */
export function learnMarkRequest(own: KnownOrganization, event: RequestEvent, state: ModelState): void {
  const { resource } = event
  if (resource === undefined) return
  const has = (org: KnownOrganization) => org === own || org.notifications.has(resource)
  for (const { org, isForeign, interval } of ownersOfRequestedResource(event, state, has))
    changeNotification(org, resource, ({ markRequests, foreignRequests }) =>
      isForeign
        ? { foreignRequests: [...foreignRequests, interval] }
        : { markRequests: [...markRequests, interval] },
    )
}

/**
 * Records whether a request to mark a notification as read succeeded. A notification is known to exist only if a list
 * has shown it.
 */
export function learnMarkOutcome(org: KnownOrganization, event: AnsweredRequest): void {
  const { resource: id, answer } = event
  if (id === undefined) return
  const interval = effectInterval(event)
  changeNotification(org, id, ({ markRequests, seenRead, lastSeenUnread }) => ({
    markRequests: settleEffectIntervals(markRequests, interval, tookEffect(answer)),
    seenRead: isSuccess(answer) && lastSeenUnread ? (seenRead ?? { ...interval, marked: true }) : seenRead,
  }))
}
