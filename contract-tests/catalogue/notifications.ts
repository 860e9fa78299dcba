/** §2 Notification, §3.4, §4 Notifications. */

import { hasSuccessStatus, itemsOf, valueAtPath } from '#traffic/exchange.ts'
import { NotExercised, rethrowUnlessNotExercised } from '../client/check-errors.ts'
import {
  fourNewNotifications,
  markNotificationOfRun,
  markNotificationTwice,
  markUnknownAndUnlistedNotifications,
  markUnknownNotification,
} from '../fixtures/notification-story.ts'
import {
  areNotificationsAddedByOthers,
  areNotificationsMarkedByOthers,
  takeNewNotificationId,
  unreadCountOf,
} from '../fixtures/notifications.ts'
import { notificationsMarkedByOthersError } from '../fixtures/refused-runs.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, expectSame, findItem } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'

const arranged = { writes: true, retryOnViolation: true, needs: ['state:unread_notification'] } as const
const traits = { ...arranged, runsInsteadOfState: 1 } as const
const inOrder = { comparesOrder: true } as const

/** Wraps a plan: where it is not exercised and other clients may mark notifications, they are given as the reason. */
const unlessOthersMark =
  <T>(plan: (t: TestContext) => Promise<T>) =>
  (t: TestContext): Promise<T> =>
    plan(t).catch(async (error: unknown) => {
      const isOpen = error instanceof NotExercised && t.run.exclusive
      const isByOthers = isOpen && (await areNotificationsMarkedByOthers(t).catch(() => t.settings.shared))
      throw isByOthers ? notificationsMarkedByOthersError() : error
    })

/** Requirements on how notifications are counted, listed and marked as read. */
export const notificationRequirements: Requirement[] = [
  must('NOTIFICATION-UNREAD-COUNT', '§2', 'listNotifications', { exclusive: true })
    .tests('notification-list')
    .explains('NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT')
    .states('The unread count is at least the number of unread items in the list.')
    .judged(async (t) => {
      const arrived =
        t.states.mayOffer('unread_notification') && !t.settings.readOnly
          ? await fourNewNotifications(t).catch(() => undefined)
          : undefined
      const list = arrived?.list ?? assumeAccepted(await t.call('listNotifications'))
      const marked =
        arrived &&
        t.run.wants('NOTIFICATION-READ') &&
        (await markNotificationTwice(t).catch(rethrowUnlessNotExercised))
      unreadCountOf(list)
      if (itemsOf(list).length === 0)
        throw new NotExercised(
          'there are no notifications',
          'the state "unread_notification", or an organization with notifications',
        )
      const isMarked = !t.settings.readOnly && t.run.wants('NOTIFICATION-UNKNOWN')
      const unknown = isMarked ? await markUnknownNotification(t).catch(rethrowUnlessNotExercised) : undefined
      return [list, ...(marked ? [marked.after, marked.later] : []), ...(unknown ? [unknown.list] : [])]
    }),

  must('NOTIFICATION-NEW-UNREAD', '§3.4', 'listNotifications', { ...arranged, ...inOrder })
    .tests('notification-flag', 'notification-marking', 'notifications-polled')
    .states('A new notification is unread.')
    .judged(async (t) => [(await fourNewNotifications(t)).first]),

  must('NOTIFICATION-STAYS-UNREAD', '§3.4', 'listNotifications', { ...traits, ...inOrder })
    .tests('notification-marking', 'notifications-polled')
    .explains(
      'ISOLATION-UNREAD',
      'NOTIFICATION-READ-ONE',
      'NOTIFICATION-NEW-COUNTED',
      'NOTIFICATION-READ-COUNT',
    )
    .states('Listing a notification leaves it unread.')
    .judged(
      unlessOthersMark(async (t) => {
        const { ids, list } = await fourNewNotifications(t)
        const { before } = await markNotificationTwice(t)
        const isRead = ids.some((id) => valueAtPath(findItem(before, id), 'read') === true)
        if (isRead && !t.run.exclusive && t.states.mayOffer('unread_notification'))
          throw new NotExercised('another check may have marked it')
        if (t.run.exclusive && (await areNotificationsMarkedByOthers(t)))
          throw notificationsMarkedByOthersError()
        return [list, before]
      }),
    ),

  must('NOTIFICATION-NEW-COUNTED', '§2', 'listNotifications', { ...arranged, ...inOrder })
    .tests('notification-list')
    .explains('NOTIFICATION-READ-COUNT')
    .states('A new notification raises the unread count by one.')
    .judged(
      unlessOthersMark(async (t) => {
        const { before, list, count } = await fourNewNotifications(t)
        const marked = await markUnknownAndUnlistedNotifications(t, before, list)
        const [unknown, unlisted] = marked
        const wanted = unreadCountOf(before) + count
        // One that the list does not show is still there if it can be marked, but for a service that marks what it does not know.
        const isThere = unlisted && hasSuccessStatus(unlisted) && !(unknown && hasSuccessStatus(unknown))
        if (isThere && !t.settings.shared && unreadCountOf(list) < wanted)
          expectSame(unreadCountOf(list), wanted, 'unread', before, list, unlisted)
        if (
          t.run.exclusive &&
          ((await areNotificationsMarkedByOthers(t)) || (await areNotificationsAddedByOthers(t)))
        )
          throw notificationsMarkedByOthersError()
        return [...t.sentSoFar, list, ...marked]
      }),
    ),

  must('NOTIFICATION-READ', '§3.4', 'readNotification', traits)
    .tests('notification-flag', 'notification-marking')
    .explains('NOTIFICATION-READ-AGAIN', 'NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT', 'LIST-PROMPT')
    .states('Marking a notification as read sets its read field to true.')
    .judged(async (t) => {
      const { after } = await markNotificationTwice(t)
      const ofRun = await markNotificationOfRun(t)
      return [after, ...(ofRun ? [ofRun.list] : [])]
    }),

  must('NOTIFICATION-STAYS-READ', '§3.4', 'listNotifications', { ...traits, ...inOrder })
    .tests('notification-marking')
    .explains('NOTIFICATION-READ', 'NOTIFICATION-READ-COUNT')
    .states('A notification stays read after it was marked as read.')
    .judged(async (t) => {
      const { later, last } = await markNotificationTwice(t)
      return [later, last]
    }),

  must('NOTIFICATION-READ-OK', '§4', 'readNotification', traits)
    .tests('notification-marking', 'read-notification')
    .states('Marking a notification as read returns ok: true.')
    .judged(markNotificationTwice),

  must('NOTIFICATION-READ-COUNT', '§2, §3.4', 'readNotification', traits)
    .tests('notification-list', 'notification-marking')
    .states('Marking an unread notification as read lowers the unread count by one.')
    .judged(
      unlessOthersMark(async (t) => {
        const { after, last } = await markNotificationTwice(t)
        if (t.run.exclusive && (await areNotificationsMarkedByOthers(t)))
          throw notificationsMarkedByOthersError()
        return [...t.sentSoFar, after, last]
      }),
    ),

  must('NOTIFICATION-READ-ONE', '§3.4', 'readNotification', { ...traits, runsInsteadOfState: 3 })
    .tests('notification-marking')
    .explains('NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT')
    .states('Marking a notification as read changes no other notification.')
    .judged(
      unlessOthersMark(async (t) => {
        const { older, id, newer, before, answer, after, last } = await markNotificationTwice(t)
        if ([older, id, newer].some((one) => one && valueAtPath(findItem(before, one), 'read') !== false))
          throw new NotExercised('new notifications are not all unread')
        assumeAccepted(answer)
        const ofRun = await markNotificationOfRun(t)
        const shown = [after, last, ...(ofRun ? [ofRun.list] : [])]
        if (!t.run.exclusive || !t.states.mayOffer('unread_notification')) return shown
        if (await areNotificationsMarkedByOthers(t)) throw notificationsMarkedByOthersError()
        // Marking one that does not exist must not mark the newest either.
        await takeNewNotificationId(t)
        await t.call('listNotifications')
        return [...shown, (await markUnknownNotification(t)).list]
      }),
    ),

  must('NOTIFICATION-READ-AGAIN', '§3.4', 'readNotification', traits)
    .tests('notification-marking')
    .explains('NOTIFICATION-READ-COUNT')
    .states('Marking a read notification as read again succeeds and changes nothing.')
    .judged(async (t) => {
      const { again, later } = await markNotificationTwice(t)
      return [again, later]
    }),
]
