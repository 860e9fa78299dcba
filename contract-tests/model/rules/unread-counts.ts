/** §2 Notification: the number of unread notifications in a list, compared with an earlier list. */

import { valueAtPath } from '#traffic/exchange.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import {
  effectInterval,
  hasEndedBefore,
  itemsWithIds,
  type ListItem,
  mayFallBetween,
  numberAt,
  showsAllIds,
} from '../matching.ts'
import type { RequirementId } from '../requirement-id.ts'
import type {
  EffectInterval,
  KnownNotification,
  KnownOrganization,
  ModelState,
  NotificationListing,
} from '../state.ts'
import { declareModelRule, judgeFact, type ModelRule } from '../violation.ts'
import { notificationsArrivedBetween, showsAllOf } from './notifications.ts'

/**
 * The most notifications that may come while a list is answered, since a service may count after it has read the items:
 * one for each state that brings one, and for each run that was not seen to end before.
 */
function mostDuring({ arrangedStates, tasks }: KnownOrganization, at: EffectInterval): number {
  const arranged = (arrangedStates.get('unread_notification') ?? []).filter(
    ({ from }) => at.from.seq < from.seq && from.seq < (at.to?.seq ?? Number.POSITIVE_INFINITY),
  )
  const going = [...tasks.values()].flatMap(({ runs, readings }) =>
    runs.filter((run) => {
      const isOver = readings.some(
        (one) => one.finished && hasEndedBefore(run, one) && hasEndedBefore(one, at),
      )
      return mayFallBetween(run, run, at) && !isOver
    }),
  )
  return arranged.length + going.length
}

/** Minimum and maximum unread count of a list, by an earlier list. */
interface ExpectedUnread {
  readonly before: NotificationListing
  readonly least: number
  readonly most: number
  /** Mark requests that may have taken effect between the two lists. */
  readonly marks: readonly number[]
}

const unreadIn = ({ shown }: Pick<NotificationListing, 'shown'>) => [...shown.values()].filter(Boolean).length

/** The notifications of a list, and their ids. */
interface ListedNotifications {
  readonly items: readonly ListItem[]
  readonly ids: ReadonlySet<string>
}

/**
 * The unread count to expect after an earlier list. `mayHaveGone`: notifications that it counted as unread but did not
 * show, and that may be gone; `mayCome`: those that may come while the list is answered.
 */
function expectedSince(
  before: NotificationListing,
  { items, ids }: ListedNotifications,
  { mayHaveGone, mayCome }: { readonly mayHaveGone: number; readonly mayCome: number },
  org: KnownOrganization,
  event: AnsweredRequest,
  { consistency }: ModelState,
): ExpectedUnread {
  const at = effectInterval(event)
  const fresh = items.filter(({ id }) => !before.shown.has(id))
  // Partial lists may show older notifications later, or omit new ones.
  const isWhole = unreadIn(before) === before.unread
  const showsAll = showsAllOf(before, ids)
  // A list that goes on with earlier items shows all new ones; after an empty one, only a longer list shows that it is not capped.
  const longest = Math.max(...org.notificationListings.map(({ shown }) => shown.size))
  const isLonger = fresh.length === 0 || (before.shown.size > 0 ? showsAll : items.length < longest)
  // A stale list may not show yet what the earlier one showed.
  const isBehind = !showsAll && !hasEndedBefore(before, at, consistency)
  const freshUnread = fresh.filter(({ item }) => valueAtPath(item, 'read') === false).length
  const arrived = isWhole
    ? freshUnread
    : Math.min(freshUnread, notificationsArrivedBetween(org, before, at).length)
  const marked = [...org.notifications].filter(
    ([, { seenRead, markRequests }]) =>
      isMarkable(seenRead, before, consistency) &&
      markRequests.some(
        (mark) => !hasEndedBefore(mark, before, consistency) && mayFallBetween(mark, mark, at),
      ),
  )
  const sure = [...org.notifications].filter(
    ([id, { seenRead }]) =>
      before.shown.get(id) &&
      seenRead?.marked &&
      hasEndedBefore(before, seenRead) &&
      hasEndedBefore(seenRead, at, consistency),
  )
  // Unlisted notifications may no longer exist.
  const left = ids.union(new Set(marked.map(([id]) => id)))
  const gone = [...before.shown].filter(([id, isUnread]) => isUnread && !left.has(id))
  return {
    before,
    least: isBehind ? 0 : before.unread + arrived - marked.length - gone.length - mayHaveGone,
    most: isLonger ? before.unread + fresh.length - sure.length + mayCome : Number.POSITIVE_INFINITY,
    marks: marked.flatMap(([, { markRequests }]) => markRequests.map(({ eventId }) => eventId)),
  }
}

const isMarkable = (read: KnownNotification['seenRead'], before: NotificationListing, consistency: number) =>
  !read || !hasEndedBefore(read, before, consistency)

/**
 * Maximum age of an earlier list, ms, at which the unread notifications that it counted but did not show still exist.
 */
const recentMs = 1_500

/**
 * Rule on the unread count. `isMarked`: it compares lists between which marks may have taken effect, else the others.
 */
const counted = (id: string, requirement: RequirementId, isMarked: boolean): ModelRule =>
  declareModelRule(id, requirement, 'notification-list', ['listNotifications'], {
    attributableToOthers: true,
  }).judge((org, event, state) => {
    const unread = numberAt(event.answer.json, 'unread')
    if (unread === undefined || !isSuccess(event.answer) || !showsAllIds(event.answer.json)) return undefined
    const at = effectInterval(event)
    const earlier = org.notificationListings.filter((one) => hasEndedBefore(one, at))
    const isRecent = (one: NotificationListing) =>
      one === earlier.at(-1) && !hasEndedBefore(one, at, recentMs)
    const mayCome = earlier.length > 0 ? mostDuring(org, at) : 0
    const items = itemsWithIds(event.answer.json)
    // Made once for all earlier lists: both may be thousands long.
    const listed = { items, ids: new Set(items.map(({ id }) => id)) }
    const all = earlier
      .map((one) => {
        const mayHaveGone = isRecent(one) ? 0 : Math.max(0, one.unread - unreadIn(one))
        return expectedSince(one, listed, { mayHaveGone, mayCome }, org, event, state)
      })
      .filter(({ marks }) => marks.length > 0 === isMarked)
    const wrong = all.findLast(({ least, most }) => unread < least || unread > most)
    if (!wrong) return all.length > 0 || undefined
    const { before, least, most, marks } = wrong
    const open = most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
    const range = least === most ? `${least}` : open
    const evidence = [before.eventId, ...marks]
    return { expected: `unread: ${range}`, actual: `unread: ${unread}`, evidence }
  })

/** Rules on the count of unread notifications. */
export const unreadCountRules: readonly ModelRule[] = [
  counted('unread-after-marking', 'NOTIFICATION-READ-COUNT', true),
  counted('unread-without-marking', 'NOTIFICATION-NEW-COUNTED', false),
  declareModelRule('notification-listed', 'NOTIFICATION-LISTED', 'list-contents', [
    'listNotifications',
  ]).judge(({ notificationListings, notifications }, event, { consistency }) => {
    const unread = numberAt(event.answer.json, 'unread')
    if (!isSuccess(event.answer) || unread === undefined) return undefined
    const at = effectInterval(event)
    const items = itemsWithIds(event.answer.json)
    const early = notificationListings.filter((one) => hasEndedBefore(one, at, consistency))
    const grown = (since: NotificationListing) =>
      early.findLast((one) => hasEndedBefore(since, one, consistency) && one.unread > since.unread)
    // Between two earlier lists something came that still counts as unread, but the list shows nothing new since.
    const since = early.findLast((one) => one.unread < unread && grown(one))
    const later = since && grown(since)
    const isOld = (id: string) => {
      const seen = notifications.get(id)?.firstListed
      return seen !== undefined && since !== undefined && hasEndedBefore(seen, since, consistency)
    }
    if (later)
      return judgeFact(
        !items.every(({ id }) => isOld(id)),
        'a notification that was new then',
        `${items.length} old ones`,
        since.eventId,
        later.eventId,
      )
    const first = early.find((one) => one.unread > 0)
    if (!first || unread === 0) return undefined
    return judgeFact(items.length > 0, `one of ${unread} unread`, 'an empty list', first.eventId)
  }),
]
