/** §2 Notification, §3.4, §4 Notifications. */

import { type Exchange, field, isAccepted, items } from '#traffic/exchange.ts'
import { Disturbed, NotExercised, undefinedIfNotExercised } from '../client/check-errors.ts'
import {
  arrivedNotifications,
  expectUnread,
  markedNotificationOfRun,
  readNotifications,
  unknownMarked,
  unreadDroppedSince,
} from '../fixtures/notification-story.ts'
import {
  newNotification,
  notificationIds,
  othersAddNotifications,
  othersMarkNotifications,
  unreadCountOf,
} from '../fixtures/notifications.ts'
import { markedByOthersError } from '../fixtures/refused-runs.ts'
import {
  assumeAccepted,
  assumePresent,
  consequenceError,
  expectAccepted,
  expectSame,
  expectThat,
  itemIn,
} from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'

const arranged = { writes: true, retryOnViolation: true, needs: ['state:unread_notification'] } as const
const traits = { ...arranged, runsInsteadOfState: 1 } as const

/** The ids of other notifications whose read field is not the same in a later list. */
function changedBeside(id: string, before: Exchange, after: Exchange): string[] {
  return notificationIds(before).filter((one) => {
    const [then, now] = [field(itemIn(before, one), 'read'), field(itemIn(after, one), 'read')]
    return one !== id && now !== undefined && then !== now
  })
}

/** Requirements on notifications: how they are counted, listed and marked as read. */
export const notifications: Requirement[] = [
  must('NOTIFICATION-UNREAD-COUNT', '§2', 'listNotifications', { exclusive: true })
    .states('The unread count is at least the number of unread items in the list.')
    .judged(async (t) => {
      const arrived =
        t.states.mayOffer('unread_notification') && !t.settings.readOnly
          ? await arrivedNotifications(t).catch(() => undefined)
          : undefined
      const list = arrived?.list ?? assumeAccepted(await t.call('listNotifications'))
      const marked =
        arrived &&
        t.run.wants('NOTIFICATION-READ') &&
        (await readNotifications(t).catch(undefinedIfNotExercised))
      unreadCountOf(list)
      if (items(list).length === 0)
        throw new NotExercised(
          'there are no notifications',
          'the state "unread_notification", or an organization with notifications',
        )
      const isMarked = !t.settings.readOnly && t.run.wants('NOTIFICATION-UNKNOWN')
      const unknown = isMarked ? await unknownMarked(t).catch(undefinedIfNotExercised) : undefined
      return [list, ...(marked ? [marked.after, marked.later] : []), ...(unknown ? [unknown.list] : [])]
    }),

  must('NOTIFICATION-NEW-UNREAD', '§3.4', 'listNotifications', arranged)
    .states('A new notification is unread.')
    .check(async (t) => {
      // Later notifications may have been marked by others.
      const { ids, first } = await arrivedNotifications(t)
      const isRead = ids.some((id) => field(itemIn(first, id), 'read') === true)
      expectThat(!isRead, 'read: false', 'read: true', first)
    }),

  must('NOTIFICATION-STAYS-UNREAD', '§3.4', 'listNotifications', traits)
    .states('Listing a notification leaves it unread.')
    .check(async (t) => {
      const { ids, list } = await arrivedNotifications(t)
      if (ids.some((id) => field(itemIn(list, id), 'read') !== false))
        throw new NotExercised('the new notification was not unread')
      const { before: later } = await readNotifications(t)
      const isRead = ids.some((id) => field(itemIn(later, id), 'read') === true)
      if (isRead && (await othersMarkNotifications(t))) throw markedByOthersError()
      expectThat(!isRead, 'read: false', 'read: true', list, later)
    }),

  must('NOTIFICATION-NEW-COUNTED', '§2', 'listNotifications', arranged)
    .states('A new notification raises the unread count by one.')
    .check(async (t) => {
      const { ids, count, first, before, list } = await arrivedNotifications(t)
      const isMarked = (id: string) => {
        const [then, now] = [first, list].map((one) => field(itemIn(one, id), 'read'))
        return then !== true && now === true
      }
      if (ids.some(isMarked)) throw markedByOthersError()
      const wanted = unreadCountOf(before) + count
      // A short list does not show all that have come.
      if (ids.length < count && unreadCountOf(list) > wanted && (await othersAddNotifications(t)))
        throw new Disturbed('somebody else adds notifications')
      const fewer = wanted - unreadCountOf(list)
      if (fewer > 0 && fewer <= (await unreadDroppedSince(t, before, list)))
        throw new NotExercised('new notifications take the place of old ones', 'fewer unread notifications')
      expectSame(unreadCountOf(list), wanted, 'unread', before, list)
    }),

  must('NOTIFICATION-READ', '§3.4', 'readNotification', traits)
    .states('Marking a notification as read sets its read field to true.')
    .check(async (t) => {
      const { id, answer, after } = await readNotifications(t)
      assumeAccepted(answer)
      const item = assumePresent(itemIn(after, id), 'the notification in the list')
      expectThat(field(item, 'read') !== false, 'read: true', 'read: false', answer, after)
      const ofRun = await markedNotificationOfRun(t)
      if (!ofRun || !isAccepted(ofRun.answer)) return
      const isUnread = field(itemIn(ofRun.list, ofRun.id), 'read') === false
      expectThat(!isUnread, `read: true of ${ofRun.id}`, 'read: false', ofRun.answer, ofRun.list)
    }),

  must('NOTIFICATION-STAYS-READ', '§3.4', 'listNotifications', traits)
    .states('A notification stays read after it was marked as read.')
    .check(async (t) => {
      const { id, later, last } = await readNotifications(t)
      if (field(itemIn(later, id), 'read') !== true)
        throw new NotExercised('the notification was not marked as read')
      expectThat(field(itemIn(last, id), 'read') !== false, 'read: true', 'read: false', later, last)
    }),

  must('NOTIFICATION-READ-OK', '§4', 'readNotification', traits)
    .states('Marking a notification as read returns ok: true.')
    .judged(readNotifications),

  must('NOTIFICATION-READ-COUNT', '§2, §3.4', 'readNotification', traits)
    .states('Marking an unread notification as read lowers the unread count by one.')
    .check(async (t) => {
      const { id, before, answer, after } = await readNotifications(t)
      assumeAccepted(answer)
      if (field(itemIn(before, id), 'read') !== false)
        throw new NotExercised('the notification was read before')
      if (changedBeside(id, before, after).length > 0)
        throw consequenceError('NOTIFICATION-READ-ONE', 'other notifications changed too')
      if (unreadCountOf(after) < unreadCountOf(before) - 1 && (await othersMarkNotifications(t)))
        throw markedByOthersError()
      expectUnread(before, after, -1, before, answer, after)
    }),

  must('NOTIFICATION-READ-ONE', '§3.4', 'readNotification', { ...traits, runsInsteadOfState: 3 })
    .states('Marking a notification as read changes no other notification.')
    .judged(async (t) => {
      const { older, id, newer, before, answer, after } = await readNotifications(t)
      if ([older, id, newer].some((one) => one && field(itemIn(before, one), 'read') !== false))
        throw new NotExercised('new notifications are not all unread')
      assumeAccepted(answer)
      const ofRun = await markedNotificationOfRun(t)
      const shown = [after, ...(ofRun ? [ofRun.list] : [])]
      if (!t.run.exclusive || !t.states.mayOffer('unread_notification')) return shown
      if (await othersMarkNotifications(t)) throw markedByOthersError()
      // Marking one that does not exist must not mark the newest either.
      await newNotification(t)
      await t.call('listNotifications')
      return [...shown, (await unknownMarked(t)).list]
    }),

  must('NOTIFICATION-READ-AGAIN', '§3.4', 'readNotification', traits)
    .states('Marking a read notification as read again succeeds and changes nothing.')
    .check(async (t) => {
      const { id, answer, after, again, later } = await readNotifications(t)
      assumeAccepted(answer)
      expectAccepted(again, answer)
      const shown = [answer, after, again, later]
      expectUnread(after, later, 0, ...shown)
      const [first, second] = [after, later].map((list) => field(itemIn(list, id), 'read'))
      expectSame(second, first, 'read', ...shown)
    }),
]
