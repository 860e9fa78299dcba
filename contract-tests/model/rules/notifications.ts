/** §2 Notification, §3.4: a notification is unread until it is marked, and read for ever after. */

import { field } from '#traffic/exchange.ts'
import { refusalsWithoutEffect } from '../creations.ts'
import { type AnsweredRequest, areDistinctTenants, isSuccess } from '../event.ts'
import {
  effectInterval,
  endedBefore,
  isMomentEarlier,
  itemsWithIds,
  mayFallBetween,
  numberAt,
  showsAllIds,
  statusAndCode,
} from '../matching.ts'
import { badInputStatuses } from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import {
  type EffectInterval,
  type KnownNotification,
  type KnownOrganization,
  type ModelState,
  type NotificationListing,
  type RequestOutcome,
  unknownNotification,
} from '../state.ts'
import { firstObjectionToItems, type ModelRule, type RuleJudgement, requireThat, rule } from '../violation.ts'

/**
 * Judges each listed notification that is known; without an objection, undefined unless one of them `bears` on the
 * rule.
 */
function eachListed(
  { notifications }: KnownOrganization,
  event: AnsweredRequest,
  bears: (notification: KnownNotification) => boolean,
  judge: (notification: KnownNotification, read: unknown, id: string) => RuleJudgement,
): RuleJudgement {
  const listed = itemsWithIds(event.answer.json).flatMap(({ id, item }) => {
    const one = notifications.get(id)
    return one ? [{ one, read: field(item, 'read'), id }] : []
  })
  const finding = firstObjectionToItems(listed, event, ({ one, read, id }) => judge(one, read, id))
  return typeof finding === 'object' || listed.some(({ one }) => bears(one)) ? finding : undefined
}

/** Objects to a notification shown as unread after an event that made it read. `again`: a repeated mark, if any. */
const notRead = (
  { eventId }: EffectInterval,
  requirement: RequirementId,
  again: EffectInterval | undefined,
  shown: unknown,
  id: string,
): RuleJudgement => {
  if (shown !== false) return { confirms: [requirement] }
  const evidence = [eventId, ...(again ? [again.eventId] : [])]
  return { requirement, expected: `read: true of ${id}`, actual: 'read: false', evidence }
}

/** Requests to mark a notification, without those of other organizations. */
const marksOf = ({ marks }: Pick<ModelState, 'marks'>, { tenant }: AnsweredRequest, id: string) =>
  marks.get(id)?.filter((one) => !areDistinctTenants(one.tenant, tenant)) ?? []

/** True if a mark was refused without effect. */
const isEffectless = ({ status, isRefused }: RequestOutcome) =>
  isRefused && refusalsWithoutEffect.some(([one]) => one === status)

/** Notifications that states have brought between two requests. */
const arrivedSince = (
  { arrangedStates }: KnownOrganization,
  since: NotificationListing,
  at: EffectInterval,
) =>
  (arrangedStates.get('unread_notification') ?? []).filter(
    ({ from }) => from.seq > since.to.seq && from.seq < at.from.seq,
  )

/**
 * How many notifications may come while a list is answered, since a service may count after it has read the items: one
 * for each state that brings one, and for each run that was not seen to end before.
 */
function mostDuring({ arrangedStates, tasks }: KnownOrganization, at: EffectInterval): number {
  const arranged = (arrangedStates.get('unread_notification') ?? []).filter(
    ({ from }) => at.from.seq < from.seq && from.seq < (at.to?.seq ?? Number.POSITIVE_INFINITY),
  )
  const going = [...tasks.values()].flatMap(({ runs, readings }) =>
    runs.filter((run) => {
      const isOver = readings.some((one) => one.finished && endedBefore(run, one) && endedBefore(one, at))
      return mayFallBetween(run, run, at) && !isOver
    }),
  )
  return arranged.length + going.length
}

/** Rules: a notification is unread until it is marked, and read from then on. */
export const notificationRules: readonly ModelRule[] = [
  rule('marked-read', 'NOTIFICATION-READ', 'notification-marking', ['listNotifications']).judge(
    (org, event, { consistency }) => {
      const isMarked = ({ seenRead, listedRead }: KnownNotification) =>
        seenRead?.marked === true && !listedRead
      return eachListed(org, event, isMarked, ({ seenRead, listedRead, markRequests }, shown, id) => {
        if (!seenRead || listedRead || !endedBefore(seenRead, effectInterval(event), consistency))
          return undefined
        const again = markRequests.findLast((one) => one.eventId !== seenRead.eventId)
        return notRead(seenRead, again ? 'NOTIFICATION-READ-AGAIN' : 'NOTIFICATION-READ', again, shown, id)
      })
    },
  ),
  rule('marked-read-promptly', 'LIST-PROMPT', 'notification-marking', ['listNotifications'], {
    promptFormOf: 'marked-read',
    attributableToOthers: true,
  }).judge((org, event, { consistency }) => {
    const at = effectInterval(event)
    /** The mark of a notification, as long as lists may show it late. */
    const recentMark = ({ seenRead, listedRead }: KnownNotification) =>
      seenRead?.marked && !listedRead && endedBefore(seenRead, at) && !endedBefore(seenRead, at, consistency)
        ? seenRead
        : undefined
    const isBearing = (one: KnownNotification) => recentMark(one) !== undefined
    return eachListed(org, event, isBearing, (one, shown, id) => {
      const mark = recentMark(one)
      return mark && notRead(mark, 'LIST-PROMPT', undefined, shown, id)
    })
  }),
  rule('stays-read', 'NOTIFICATION-STAYS-READ', 'notification-marking', ['listNotifications']).judge(
    (org, event, { consistency }) => {
      const isListed = ({ listedRead }: KnownNotification) => listedRead !== undefined
      return eachListed(org, event, isListed, ({ listedRead, lastListedRead, markRequests }, shown, id) => {
        if (!listedRead || !lastListedRead || !endedBefore(listedRead, effectInterval(event), consistency))
          return undefined
        const again = markRequests.find((one) => endedBefore(lastListedRead, one))
        const requirement = again ? 'NOTIFICATION-READ-AGAIN' : 'NOTIFICATION-STAYS-READ'
        return notRead(listedRead, requirement, again, shown, id)
      })
    },
  ),
  rule('new-unread', 'NOTIFICATION-NEW-UNREAD', 'notification-marking', ['listNotifications'], {
    attributableToOthers: true,
  }).judge((org, event) => {
    const { notificationListings, notifications } = org
    const [before, at] = [notificationListings.at(-1), effectInterval(event)]
    if (!before || !endedBefore(before, at)) return undefined
    const arrived = arrivedSince(org, before, at)
    const fresh = itemsWithIds(event.answer.json).filter(({ id }) => !notifications.get(id)?.firstListed)
    // A list may show older ones that it left out before.
    if (fresh.length > arrived.length) return undefined
    return firstObjectionToItems(fresh.length > 0 ? fresh : undefined, event, ({ id, item }) =>
      requireThat(
        field(item, 'read') !== true,
        `read: false of ${id}, which is new`,
        'read: true',
        before.eventId,
      ),
    )
  }),
  rule('stays-unread', 'NOTIFICATION-READ-ONE', 'notification-marking', ['listNotifications'], {
    attributableToOthers: true,
  }).judge((org, event, state) => {
    const { consistency } = state
    const at = effectInterval(event)
    const bears = ({ lastSeenUnread }: KnownNotification) => lastSeenUnread !== undefined
    return eachListed(
      org,
      event,
      bears,
      ({ lastSeenUnread, markRequests, foreignRequests, seenRead }, shown, id) => {
        if (!lastSeenUnread || seenRead || marksOf(state, event, id).some(isEffectless)) return undefined
        const isSince = (mark: EffectInterval) =>
          !endedBefore(mark, lastSeenUnread, consistency) && mayFallBetween(mark, mark, at)
        if ([...markRequests, ...foreignRequests].some(isSince)) return undefined
        const others = [...org.notifications].flatMap(([of, one]) =>
          one.markRequests.filter(isSince).map((mark) => ({ ...mark, of })),
        )
        const other = others.find(({ of }) => of.startsWith(id)) ?? others[0]
        const requirement = other ? 'NOTIFICATION-READ-ONE' : 'NOTIFICATION-STAYS-UNREAD'
        if (shown !== true) return { confirms: [requirement] }
        const expected = `read: false of ${id}, which was not marked`
        const evidence = [lastSeenUnread.eventId, ...(other ? [other.eventId] : [])]
        return { requirement, expected, actual: 'read: true', evidence }
      },
    )
  }),
  ...refusalsWithoutEffect.map(([status, prefix, anchor]) =>
    rule(`refused-marking-${status}`, `${prefix}-MARKING`, anchor, ['listNotifications'], {
      attributableToOthers: true,
    }).judge(({ notifications }, event, { marks, consistency }) => {
      const at = effectInterval(event)
      const shown = itemsWithIds(event.answer.json).flatMap(({ id, item }) => {
        const { lastSeenUnread, seenRead, markRequests, foreignRequests } =
          notifications.get(id) ?? unknownNotification
        if (!lastSeenUnread || seenRead) return []
        const asked = marksOf({ marks }, event, id)
        const isMarked = asked.some(({ isRefused }) => !isRefused)
        const eventId = isMarked
          ? undefined
          : asked.findLast((one) => one.isRefused && one.status === status)?.eventId
        const isUnasked = !isMarked && markRequests.length === 0 && !asked.some(isEffectless)
        return [
          {
            id,
            unread: lastSeenUnread,
            eventId,
            isUnasked,
            markRequests,
            foreignRequests,
            isRead: field(item, 'read') === true,
          },
        ]
      })
      // Marks on other notifications make the cause ambiguous.
      const unasked = shown.filter((one) => one.isUnasked)
      const isElsewhere = unasked.some(({ isRead }) => isRead)
      const all = unasked.length > 0 ? [] : [...notifications.values()].flatMap((one) => one.markRequests)
      const tried = shown.filter(({ eventId }) => eventId !== undefined)
      return firstObjectionToItems(tried.length > 0 ? tried : undefined, event, (one) => {
        const { id, unread, eventId, markRequests, foreignRequests, isRead } = one
        // Marks by other organizations long before the notification was seen unread are not the cause.
        const theirs = foreignRequests.filter(({ from }) => !isMomentEarlier(from, unread.from, consistency))
        if (
          isElsewhere ||
          [...all, ...markRequests, ...theirs].some((mark) => mayFallBetween(mark, unread, at))
        )
          return undefined
        const expected = `read: false of ${id}, whose marking was refused`
        return requireThat(!isRead, expected, 'read: true', unread.eventId, eventId)
      })
    }),
  ),
  // Both numbers stand in one answer, so no other client explains a difference but by a marking at the same moment, which
  // may fall between the two readings of a service, or show later in one of them.
  rule('unread-counted', 'NOTIFICATION-UNREAD-COUNT', 'notification-list', ['listNotifications']).judge(
    ({ notifications }, event, { consistency }) => {
      const unread = numberAt(event.answer.json, 'unread')
      if (!isSuccess(event.answer) || unread === undefined) return undefined
      const at = effectInterval(event)
      const isBeingMarked = (id: string) =>
        notifications
          .get(id)
          ?.markRequests.some(
            (mark) => mayFallBetween(mark, mark, at) && !endedBefore(mark, at, consistency),
          ) === true
      const shown = itemsWithIds(event.answer.json).filter(({ item }) => field(item, 'read') === false)
      const least = shown.filter(({ id }) => !isBeingMarked(id)).length
      return requireThat(unread >= least, `unread: ${least} or more`, `unread: ${unread}`)
    },
  ),
  rule('marking-accepted', 'ACCEPTS-readNotification', 'notification-marking', ['readNotification'], {
    attributableToOthers: true,
  }).judge(({ notifications }, { resource, answer }) => {
    const seen = notifications.get(resource ?? '')
    const eventId = seen?.lastSeenUnread?.eventId ?? seen?.seenRead?.eventId
    if (eventId === undefined) return undefined
    return requireThat(
      answer.status !== 404,
      'a success: the notification was listed',
      statusAndCode(answer),
      eventId,
    )
  }),
  rule('marking-again-accepted', 'NOTIFICATION-READ-AGAIN', 'notification-marking', [
    'readNotification',
  ]).judge(({ notifications }, event) => {
    const { seenRead } = notifications.get(event.resource ?? '') ?? {}
    if (!seenRead || !endedBefore(seenRead, effectInterval(event))) return undefined
    const isRefused = badInputStatuses.includes(event.answer.status)
    return requireThat(
      !isRefused,
      'a success: it is read already',
      statusAndCode(event.answer),
      seenRead.eventId,
    )
  }),
  rule('marking-ok', 'NOTIFICATION-READ-OK', 'read-notification', ['readNotification']).judge(
    (_, { answer }) => {
      const ok = field(answer.json, 'ok')
      if (!isSuccess(answer) || typeof ok !== 'boolean') return undefined
      return requireThat(ok, 'ok: true', 'ok: false')
    },
  ),
]

/** Minimum and maximum unread count of a list, by an earlier list. */
interface ExpectedUnread {
  readonly before: NotificationListing
  readonly least: number
  readonly most: number
  /** Mark requests that may have taken effect between the two lists. */
  readonly marks: readonly number[]
}

const unreadIn = ({ shown }: Pick<NotificationListing, 'shown'>) => [...shown.values()].filter(Boolean).length

/**
 * The unread count to expect after an earlier list. `mayHaveGone`: notifications that it counted as unread but did not
 * show, and that may be gone; `mayCome`: those that may come while the list is answered.
 */
function expectedSince(
  before: NotificationListing,
  { mayHaveGone, mayCome }: { readonly mayHaveGone: number; readonly mayCome: number },
  org: KnownOrganization,
  event: AnsweredRequest,
  { consistency }: ModelState,
): ExpectedUnread {
  const at = effectInterval(event)
  const items = itemsWithIds(event.answer.json)
  const fresh = items.filter(({ id }) => !before.shown.has(id))
  // Partial lists may show older notifications later, or omit new ones.
  const isWhole = unreadIn(before) === before.unread
  const showsAll = [...before.shown.keys()].every((id) => items.some((one) => one.id === id))
  // A list that goes on with earlier items shows all new ones; after an empty one, only a longer list shows that it is not capped.
  const longest = Math.max(...org.notificationListings.map(({ shown }) => shown.size))
  const isLonger = fresh.length === 0 || (before.shown.size > 0 ? showsAll : items.length < longest)
  // A stale list may not show yet what the earlier one showed.
  const isBehind = !showsAll && !endedBefore(before, at, consistency)
  const freshUnread = fresh.filter(({ item }) => field(item, 'read') === false).length
  const arrived = isWhole ? freshUnread : Math.min(freshUnread, arrivedSince(org, before, at).length)
  const marked = [...org.notifications].filter(
    ([, { seenRead, markRequests }]) =>
      isMarkable(seenRead, before, consistency) &&
      markRequests.some((mark) => !endedBefore(mark, before, consistency) && mayFallBetween(mark, mark, at)),
  )
  const sure = [...org.notifications].filter(
    ([id, { seenRead }]) =>
      before.shown.get(id) &&
      seenRead?.marked &&
      endedBefore(before, seenRead) &&
      endedBefore(seenRead, at, consistency),
  )
  // Unlisted notifications may no longer exist.
  const left = new Set([...items.map(({ id }) => id), ...marked.map(([id]) => id)])
  const gone = [...before.shown].filter(([id, isUnread]) => isUnread && !left.has(id))
  return {
    before,
    least: isBehind ? 0 : before.unread + arrived - marked.length - gone.length - mayHaveGone,
    most: isLonger ? before.unread + fresh.length - sure.length + mayCome : Number.POSITIVE_INFINITY,
    marks: marked.flatMap(([, { markRequests }]) => markRequests.map(({ eventId }) => eventId)),
  }
}

const isMarkable = (read: KnownNotification['seenRead'], before: NotificationListing, consistency: number) =>
  !read || !endedBefore(read, before, consistency)

/**
 * Maximum age of an earlier list, ms, at which the unread notifications that it counted but did not show still exist.
 */
const recentMs = 1_500

/**
 * Rule on the unread count. `isMarked`: it compares lists between which marks may have taken effect, else the others.
 */
const counted = (id: string, requirement: RequirementId, isMarked: boolean): ModelRule =>
  rule(id, requirement, 'notification-list', ['listNotifications'], { attributableToOthers: true }).judge(
    (org, event, state) => {
      const unread = numberAt(event.answer.json, 'unread')
      if (unread === undefined || !isSuccess(event.answer) || !showsAllIds(event.answer.json))
        return undefined
      const at = effectInterval(event)
      const earlier = org.notificationListings.filter((one) => endedBefore(one, at))
      const isRecent = (one: NotificationListing) => one === earlier.at(-1) && !endedBefore(one, at, recentMs)
      const mayCome = earlier.length > 0 ? mostDuring(org, at) : 0
      const all = earlier
        .map((one) => {
          const mayHaveGone = isRecent(one) ? 0 : Math.max(0, one.unread - unreadIn(one))
          return expectedSince(one, { mayHaveGone, mayCome }, org, event, state)
        })
        .filter(({ marks }) => marks.length > 0 === isMarked)
      const wrong = all.findLast(({ least, most }) => unread < least || unread > most)
      if (!wrong) return all.length > 0 || undefined
      const { before, least, most, marks } = wrong
      const open = most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
      const range = least === most ? `${least}` : open
      const evidence = [before.eventId, ...marks]
      return { expected: `unread: ${range}`, actual: `unread: ${unread}`, evidence }
    },
  )

/** Rules on the count of unread notifications. */
export const unreadCountRules: readonly ModelRule[] = [
  counted('unread-after-marking', 'NOTIFICATION-READ-COUNT', true),
  counted('unread-without-marking', 'NOTIFICATION-NEW-COUNTED', false),
  rule('notification-listed', 'NOTIFICATION-LISTED', 'list-contents', ['listNotifications']).judge(
    ({ notificationListings, notifications }, event, { consistency }) => {
      const unread = numberAt(event.answer.json, 'unread')
      if (!isSuccess(event.answer) || unread === undefined) return undefined
      const at = effectInterval(event)
      const items = itemsWithIds(event.answer.json)
      const early = notificationListings.filter((one) => endedBefore(one, at, consistency))
      const grown = (since: NotificationListing) =>
        early.findLast((one) => endedBefore(since, one, consistency) && one.unread > since.unread)
      // Between two earlier lists something came that still counts as unread, but the list shows nothing new since.
      const since = early.findLast((one) => one.unread < unread && grown(one))
      const later = since && grown(since)
      const isOld = (id: string) => {
        const seen = notifications.get(id)?.firstListed
        return seen !== undefined && since !== undefined && endedBefore(seen, since, consistency)
      }
      if (later)
        return requireThat(
          !items.every(({ id }) => isOld(id)),
          'a notification that was new then',
          `${items.length} old ones`,
          since.eventId,
          later.eventId,
        )
      const first = early.find((one) => one.unread > 0)
      if (!first || unread === 0) return undefined
      return requireThat(items.length > 0, `one of ${unread} unread`, 'an empty list', first.eventId)
    },
  ),
]
