/** §2 Notification, §3.4: a notification is unread until it is marked, and read for ever after. */

import { valueAtPath } from '#traffic/exchange.ts'
import { refusalsWithoutEffect } from '../creations.ts'
import { type AnsweredRequest, areDistinctTenants, isSuccess } from '../event.ts'
import {
  effectInterval,
  hasEndedBefore,
  isMomentEarlier,
  itemsWithIds,
  mayFallBetween,
  numberAt,
  statusAndCode,
} from '../matching.ts'
import { badInputStatuses } from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import {
  type EffectInterval,
  emptyNotificationKnowledge,
  type KnownNotification,
  type KnownOrganization,
  type ModelState,
  type NotificationListing,
  type RequestOutcome,
} from '../state.ts'
import {
  declareModelRule,
  judgeEachItem,
  judgeFact,
  type ModelRule,
  type RuleJudgement,
} from '../violation.ts'

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
    return one ? [{ one, read: valueAtPath(item, 'read'), id }] : []
  })
  const finding = judgeEachItem(listed, event, ({ one, read, id }) => judge(one, read, id))
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

/** True if a list of notifications with these ids still contains all that an earlier list showed. */
export const showsAllOf = ({ shown }: NotificationListing, ids: ReadonlySet<string>): boolean =>
  shown.keys().every((id) => ids.has(id))

/** The intervals in which provider states created notifications, between an earlier list and a request. */
export const notificationsArrivedBetween = (
  { arrangedStates }: KnownOrganization,
  since: NotificationListing,
  at: EffectInterval,
) =>
  (arrangedStates.get('unread_notification') ?? []).filter(
    ({ from }) => from.seq > since.to.seq && from.seq < at.from.seq,
  )

/** Rules: a notification is unread until it is marked, and read from then on. */
export const notificationRules: readonly ModelRule[] = [
  declareModelRule('marked-read', 'NOTIFICATION-READ', 'notification-marking', ['listNotifications']).judge(
    (org, event, { consistency }) => {
      const isMarked = ({ seenRead, listedRead }: KnownNotification) =>
        seenRead?.marked === true && !listedRead
      return eachListed(org, event, isMarked, ({ seenRead, listedRead, markRequests }, shown, id) => {
        if (!seenRead || listedRead || !hasEndedBefore(seenRead, effectInterval(event), consistency))
          return undefined
        const again = markRequests.findLast((one) => one.eventId !== seenRead.eventId)
        return notRead(seenRead, again ? 'NOTIFICATION-READ-AGAIN' : 'NOTIFICATION-READ', again, shown, id)
      })
    },
  ),
  declareModelRule('marked-read-promptly', 'LIST-PROMPT', 'notification-marking', ['listNotifications'], {
    promptFormOf: 'marked-read',
    attributableToOthers: true,
  }).judge((org, event, { consistency }) => {
    const at = effectInterval(event)
    /** The mark of a notification, as long as lists may show it late. */
    const recentMark = ({ seenRead, listedRead }: KnownNotification) =>
      seenRead?.marked &&
      !listedRead &&
      hasEndedBefore(seenRead, at) &&
      !hasEndedBefore(seenRead, at, consistency)
        ? seenRead
        : undefined
    const isBearing = (one: KnownNotification) => recentMark(one) !== undefined
    return eachListed(org, event, isBearing, (one, shown, id) => {
      const mark = recentMark(one)
      return mark && notRead(mark, 'LIST-PROMPT', undefined, shown, id)
    })
  }),
  declareModelRule('stays-read', 'NOTIFICATION-STAYS-READ', 'notification-marking', [
    'listNotifications',
  ]).judge((org, event, { consistency }) => {
    const isListed = ({ listedRead }: KnownNotification) => listedRead !== undefined
    return eachListed(org, event, isListed, ({ listedRead, lastListedRead, markRequests }, shown, id) => {
      if (!listedRead || !lastListedRead || !hasEndedBefore(listedRead, effectInterval(event), consistency))
        return undefined
      const again = markRequests.find((one) => hasEndedBefore(lastListedRead, one))
      const requirement = again ? 'NOTIFICATION-READ-AGAIN' : 'NOTIFICATION-STAYS-READ'
      return notRead(listedRead, requirement, again, shown, id)
    })
  }),
  declareModelRule('new-unread', 'NOTIFICATION-NEW-UNREAD', 'notification-marking', ['listNotifications'], {
    attributableToOthers: true,
  }).judge((org, event) => {
    const { notificationListings, notifications } = org
    const [before, at] = [notificationListings.at(-1), effectInterval(event)]
    if (!before || !hasEndedBefore(before, at)) return undefined
    const arrived = notificationsArrivedBetween(org, before, at)
    const items = itemsWithIds(event.answer.json)
    const fresh = items.filter(({ id }) => {
      const { firstListed, markRequests } = notifications.get(id) ?? emptyNotificationKnowledge
      return !firstListed && markRequests.length === 0
    })
    // A list may show older ones that it left out before, unless it grows.
    const isGrown = before.shown.size > 0 && showsAllOf(before, new Set(items.map(({ id }) => id)))
    if (fresh.length > arrived.length && !isGrown) return undefined
    return judgeEachItem(fresh.length > 0 ? fresh : undefined, event, ({ id, item }) =>
      judgeFact(
        valueAtPath(item, 'read') !== true,
        `read: false of ${id}, which is new`,
        'read: true',
        before.eventId,
      ),
    )
  }),
  declareModelRule('stays-unread', 'NOTIFICATION-READ-ONE', 'notification-marking', ['listNotifications'], {
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
        const isSince = (mark: EffectInterval) => mayShowSince(mark, lastSeenUnread, at, consistency)
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
    declareModelRule(`refused-marking-${status}`, `${prefix}-MARKING`, anchor, ['listNotifications'], {
      attributableToOthers: true,
    }).judge(({ notifications }, event, { marks, consistency }) => {
      const at = effectInterval(event)
      const shown = itemsWithIds(event.answer.json).flatMap(({ id, item }) => {
        const { lastSeenUnread, seenRead, markRequests, foreignRequests } =
          notifications.get(id) ?? emptyNotificationKnowledge
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
            isRead: valueAtPath(item, 'read') === true,
          },
        ]
      })
      // Marks on other notifications make the cause ambiguous.
      const unasked = shown.filter((one) => one.isUnasked)
      const isElsewhere = unasked.some(({ isRead }) => isRead)
      const all = unasked.length > 0 ? [] : [...notifications.values()].flatMap((one) => one.markRequests)
      const tried = shown.filter(({ eventId }) => eventId !== undefined)
      return judgeEachItem(tried.length > 0 ? tried : undefined, event, (one) => {
        const { id, unread, eventId, markRequests, foreignRequests, isRead } = one
        // Marks by other organizations long before the notification was seen unread are not the cause.
        const theirs = foreignRequests.filter(({ from }) => !isMomentEarlier(from, unread.from, consistency))
        if (
          isElsewhere ||
          [...all, ...markRequests, ...theirs].some((mark) => mayFallBetween(mark, unread, at))
        )
          return undefined
        const expected = `read: false of ${id}, whose marking was refused`
        return judgeFact(!isRead, expected, 'read: true', unread.eventId, eventId)
      })
    }),
  ),
  // Both numbers stand in one answer, so no other client explains a difference but by a marking at the same moment, which
  // may fall between the two readings of a service, or show later in one of them.
  declareModelRule('unread-counted', 'NOTIFICATION-UNREAD-COUNT', 'notification-list', [
    'listNotifications',
  ]).judge(({ notifications }, event, { consistency }) => {
    const unread = numberAt(event.answer.json, 'unread')
    if (!isSuccess(event.answer) || unread === undefined) return undefined
    const at = effectInterval(event)
    const isBeingMarked = (id: string) =>
      notifications.get(id)?.markRequests.some((mark) => mayShowSince(mark, at, at, consistency)) === true
    const shown = itemsWithIds(event.answer.json).filter(({ item }) => valueAtPath(item, 'read') === false)
    const least = shown.filter(({ id }) => !isBeingMarked(id)).length
    return judgeFact(unread >= least, `unread: ${least} or more`, `unread: ${unread}`)
  }),
  declareModelRule(
    'marking-accepted',
    'ACCEPTS-readNotification',
    'notification-marking',
    ['readNotification'],
    {
      attributableToOthers: true,
    },
  ).judge(({ notifications }, { resource, answer }) => {
    const seen = notifications.get(resource ?? '')
    const eventId = seen?.lastSeenUnread?.eventId ?? seen?.seenRead?.eventId
    if (eventId === undefined) return undefined
    return judgeFact(
      answer.status !== 404,
      'a success: the notification was listed',
      statusAndCode(answer),
      eventId,
    )
  }),
  declareModelRule('marking-again-accepted', 'NOTIFICATION-READ-AGAIN', 'notification-marking', [
    'readNotification',
  ]).judge(({ notifications }, event) => {
    const { seenRead } = notifications.get(event.resource ?? '') ?? {}
    if (!seenRead || !hasEndedBefore(seenRead, effectInterval(event))) return undefined
    const isRefused = badInputStatuses.includes(event.answer.status)
    return judgeFact(
      !isRefused,
      'a success: it is read already',
      statusAndCode(event.answer),
      seenRead.eventId,
    )
  }),
  declareModelRule('marking-ok', 'NOTIFICATION-READ-OK', 'read-notification', ['readNotification']).judge(
    (_, { answer }) => {
      const ok = valueAtPath(answer.json, 'ok')
      if (!isSuccess(answer) || typeof ok !== 'boolean') return undefined
      return judgeFact(ok, 'ok: true', 'ok: false')
    },
  ),
]

/** True if a mark may first show between two answers: it may have been made before the first one and show late. */
const mayShowSince = (
  mark: EffectInterval,
  since: Pick<EffectInterval, 'from'>,
  at: EffectInterval,
  consistency: number,
): boolean => !hasEndedBefore(mark, since, consistency) && mayFallBetween(mark, mark, at)
