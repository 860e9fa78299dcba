/** §2 Notification, §3.4, §4 Notifications. */

import { type Exchange, field, items } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import { newNotification, notificationIds, sharedNotification } from '../evidence/notifications.ts'
import type { TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumePresent,
  expectAccepted,
  expectSame,
  expectThat,
  itemIn,
  show,
} from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'

const traits = { writes: true, alone: true, quiet: true, needs: ['state:unread_notification'] } as const

/** The unread count of a list response. */
function unreadOf(list: Exchange): number {
  const unread = field(list.json, 'unread')
  return assumePresent(typeof unread === 'number' ? unread : undefined, 'unread')
}

/** How many notifications of a list are not in an earlier one. */
function countNew(before: Exchange, after: Exchange): number {
  const known = new Set(notificationIds(before))
  return notificationIds(after).filter((id) => !known.has(id)).length
}

/** A notification that no requirement marks as read. */
const arrived = (t: TestContext) => t.evidence('arrived notification', () => newNotification(t))

/** A new notification marked as read twice: each response, and the lists before, between and after. */
const reading = (t: TestContext) =>
  t.evidence('reading', async () => {
    await newNotification(t)
    const { id, list: before } = await newNotification(t)
    const answer = await t.call('readNotification', { id })
    const after = assumeAccepted(await t.call('listNotifications'))
    const again = await t.call('readNotification', { id })
    const later = assumeAccepted(await t.call('listNotifications'))
    await t.target.sleep(1_000)
    const last = assumeAccepted(await t.call('listNotifications'))
    return { id, before, answer, after, again, later, last }
  })

export const notifications: Requirement[] = [
  must('NOTIFICATION-UNREAD-COUNT', '§2', 'listNotifications', { alone: true, quiet: true })
    .states('The unread count is at least the number of unread items in the list.')
    .check(async (t) => {
      if (t.states.mayOffer('unread_notification') && !t.settings.readOnly)
        await sharedNotification(t).catch(() => undefined)
      const list = assumeAccepted(await t.call('listNotifications'))
      const listed = items(list).filter((item) => field(item, 'read') === false).length
      if (items(list).length === 0)
        throw new NotExercised(
          'there are no notifications',
          'the state "unread_notification", or an organization with notifications',
        )
      expectThat(unreadOf(list) >= listed, `unread of ${listed} or more`, String(unreadOf(list)), list)
    }),

  must('NOTIFICATION-NEW-UNREAD', '§3.4', 'listNotifications', traits)
    .states('A new notification is unread.')
    .check(async (t) => {
      const { id, list } = await arrived(t)
      const read = field(itemIn(list, id), 'read')
      expectThat(read !== true, 'read: false', 'read: true', list)
    }),

  must('NOTIFICATION-STAYS-UNREAD', '§3.4', 'listNotifications', traits)
    .states('Listing a notification leaves it unread.')
    .check(async (t) => {
      const { id, list } = await arrived(t)
      if (field(itemIn(list, id), 'read') !== false)
        throw new NotExercised('the new notification was not unread')
      const later = assumeAccepted(await t.call('listNotifications'))
      expectThat(field(itemIn(later, id), 'read') !== true, 'read: false', 'read: true', list, later)
    }),

  must('NOTIFICATION-NEW-COUNTED', '§2', 'listNotifications', traits)
    .states('A new notification raises the unread count by one.')
    .check(async (t) => {
      const { before, list } = await arrived(t)
      expectSame(unreadOf(list), unreadOf(before) + countNew(before, list), 'unread', before, list)
    }),

  must('NOTIFICATION-READ', '§3.4', 'readNotification', traits)
    .states('Marking a notification as read sets its read field to true.')
    .check(async (t) => {
      const { id, answer, after } = await reading(t)
      assumeAccepted(answer)
      const item = assumePresent(itemIn(after, id), 'the notification in the list')
      expectThat(field(item, 'read') !== false, 'read: true', 'read: false', answer, after)
    }),

  must('NOTIFICATION-STAYS-READ', '§3.4', 'listNotifications', traits)
    .states('A notification stays read after it was marked as read.')
    .check(async (t) => {
      const { id, later, last } = await reading(t)
      if (field(itemIn(later, id), 'read') !== true)
        throw new NotExercised('the notification was not marked as read')
      expectThat(field(itemIn(last, id), 'read') !== false, 'read: true', 'read: false', later, last)
    }),

  must('NOTIFICATION-READ-OK', '§4', 'readNotification', traits)
    .states('Marking a notification as read returns ok: true.')
    .check(async (t) => {
      const { answer } = await reading(t)
      const ok = field(assumeAccepted(answer).json, 'ok')
      if (typeof ok === 'boolean') expectSame(ok, true, 'ok', answer)
    }),

  must('NOTIFICATION-READ-COUNT', '§2, §3.4', 'readNotification', traits)
    .states('Marking an unread notification as read lowers the unread count by one.')
    .check(async (t) => {
      const { before, answer, after } = await reading(t)
      assumeAccepted(answer)
      const wanted = unreadOf(before) - 1 + countNew(before, after)
      expectSame(unreadOf(after), wanted, 'unread', before, answer, after)
    }),

  must('NOTIFICATION-READ-ONE', '§3.4', 'readNotification', traits)
    .states('Marking a notification as read changes no other notification.')
    .check(async (t) => {
      const older = (await newNotification(t)).id
      const { id } = await newNotification(t)
      const newer = (await newNotification(t)).id
      const before = assumeAccepted(await t.call('listNotifications'))
      if ([older, id, newer].some((one) => field(itemIn(before, one), 'read') !== false))
        throw new NotExercised('new notifications are not all unread')
      assumeAccepted(await t.call('readNotification', { id }))
      const after = assumeAccepted(await t.call('listNotifications'))
      const changed = notificationIds(before).filter((one) => {
        const [then, now] = [field(itemIn(before, one), 'read'), field(itemIn(after, one), 'read')]
        return one !== id && now !== undefined && then !== now
      })
      expectThat(
        changed.length === 0,
        'no other notification changed',
        `the read field changed on ${show(changed)}`,
        before,
        after,
      )
    }),

  must('NOTIFICATION-READ-AGAIN', '§3.4', 'readNotification', traits)
    .states('Marking a read notification as read again succeeds and changes nothing.')
    .check(async (t) => {
      const { id, answer, after, again, later } = await reading(t)
      assumeAccepted(answer)
      expectAccepted(again)
      expectSame(unreadOf(later), unreadOf(after) + countNew(after, later), 'unread', after, later)
      const [first, second] = [after, later].map((list) => field(itemIn(list, id), 'read'))
      expectSame(second, first, 'read', after, later)
    }),
]
