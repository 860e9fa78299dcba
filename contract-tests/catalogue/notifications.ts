/** §2 Notification, §3.4, §4 Notifications. */

import { type Exchange, field, items } from '#traffic/exchange.ts'
import { NotExercised } from '../client/finding.ts'
import {
  newNotification,
  notificationIds,
  notificationIn,
  sharedNotification,
} from '../evidence/notifications.ts'
import type { TestContext } from '../harness/context.ts'
import { expectAccepted, expectSame, expectThat, need, needAccepted, show } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'

const traits = { writes: true, alone: true, quiet: true, needs: ['state:unread_notification'] } as const

/** `unread` of a list answer. */
function unreadOf(list: Exchange): number {
  const unread = field(list.json, 'unread')
  return need(typeof unread === 'number' ? unread : undefined, 'unread')
}

/** How many notifications of a list came after another list. */
function cameBetween(before: Exchange, after: Exchange): number {
  const known = new Set(notificationIds(before))
  return notificationIds(after).filter((id) => !known.has(id)).length
}

/** A notification that nobody has touched. */
const arrived = (t: TestContext) => t.evidence('arrived notification', () => newNotification(t))

/** A new notification marked as read, twice: each answer, and the list before, between and after. */
const reading = (t: TestContext) =>
  t.evidence('reading', async () => {
    const { id, list: before } = await newNotification(t)
    const answer = await t.call('readNotification', { id })
    const after = needAccepted(await t.call('listNotifications'))
    const again = await t.call('readNotification', { id })
    const later = needAccepted(await t.call('listNotifications'))
    await t.target.sleep(1_000)
    const last = needAccepted(await t.call('listNotifications'))
    return { id, before, answer, after, again, later, last }
  })

export const notifications: Requirement[] = [
  probe(
    'NOTIFICATION-UNREAD-COUNT',
    'MUST',
    '§2',
    'listNotifications',
    'unread counts at least the unread items that are listed.',
    async (t) => {
      if (t.states.mayOffer('unread_notification') && !t.settings.readOnly)
        await sharedNotification(t).catch(() => undefined)
      const list = needAccepted(await t.call('listNotifications'))
      const listed = items(list).filter((item) => field(item, 'read') === false).length
      if (items(list).length === 0)
        throw new NotExercised(
          'there are no notifications',
          'the state "unread_notification", or an organization with notifications',
        )
      expectThat(unreadOf(list) >= listed, `unread of ${listed} or more`, String(unreadOf(list)), list)
    },
    { alone: true, quiet: true },
  ),

  probe(
    'NOTIFICATION-NEW-UNREAD',
    'MUST',
    '§3.4',
    'listNotifications',
    'A new notification is unread.',
    async (t) => {
      const { id, list } = await arrived(t)
      const read = field(notificationIn(list, id), 'read')
      expectThat(read !== true, 'read: false', 'read: true', list)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-STAYS-UNREAD',
    'MUST',
    '§3.4',
    'listNotifications',
    'A notification stays unread while it is only listed.',
    async (t) => {
      const { id, list } = await arrived(t)
      if (field(notificationIn(list, id), 'read') !== false)
        throw new NotExercised('the new notification was not unread')
      const later = needAccepted(await t.call('listNotifications'))
      expectThat(field(notificationIn(later, id), 'read') !== true, 'read: false', 'read: true', list, later)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-NEW-COUNTED',
    'MUST',
    '§2',
    'listNotifications',
    'A new notification raises unread by one.',
    async (t) => {
      const { before, list } = await arrived(t)
      expectSame(unreadOf(list), unreadOf(before) + cameBetween(before, list), 'unread', before, list)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ',
    'MUST',
    '§3.4',
    'readNotification',
    'Marking a notification as read sets its read to true.',
    async (t) => {
      const { id, answer, after } = await reading(t)
      needAccepted(answer)
      const item = need(notificationIn(after, id), 'the notification in the list')
      expectThat(field(item, 'read') !== false, 'read: true', 'read: false', answer, after)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-STAYS-READ',
    'MUST',
    '§3.4',
    'listNotifications',
    'A notification that was marked as read stays read.',
    async (t) => {
      const { id, later, last } = await reading(t)
      if (field(notificationIn(later, id), 'read') !== true)
        throw new NotExercised('the notification was not marked as read')
      expectThat(field(notificationIn(last, id), 'read') !== false, 'read: true', 'read: false', later, last)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ-OK',
    'MUST',
    '§4',
    'readNotification',
    'Marking a notification as read answers ok: true.',
    async (t) => {
      const { answer } = await reading(t)
      const ok = field(needAccepted(answer).json, 'ok')
      if (typeof ok === 'boolean') expectSame(ok, true, 'ok', answer)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ-COUNT',
    'MUST',
    '§2, §3.4',
    'readNotification',
    'Marking an unread notification as read lowers unread by one.',
    async (t) => {
      const { before, answer, after } = await reading(t)
      needAccepted(answer)
      const wanted = unreadOf(before) - 1 + cameBetween(before, after)
      expectSame(unreadOf(after), wanted, 'unread', before, answer, after)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ-ONE',
    'MUST',
    '§3.4',
    'readNotification',
    'Marking a notification as read changes no other.',
    async (t) => {
      const older = (await newNotification(t)).id
      const { id } = await newNotification(t)
      const newer = (await newNotification(t)).id
      const before = needAccepted(await t.call('listNotifications'))
      if ([older, id, newer].some((one) => field(notificationIn(before, one), 'read') !== false))
        throw new NotExercised('new notifications are not all unread')
      needAccepted(await t.call('readNotification', { id }))
      const after = needAccepted(await t.call('listNotifications'))
      const changed = notificationIds(before).filter((one) => {
        const [then, now] = [
          field(notificationIn(before, one), 'read'),
          field(notificationIn(after, one), 'read'),
        ]
        return one !== id && now !== undefined && then !== now
      })
      expectThat(
        changed.length === 0,
        'all others as they were',
        `read changed on ${show(changed)}`,
        before,
        after,
      )
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ-AGAIN',
    'MUST',
    '§3.4',
    'readNotification',
    'Marking it again is accepted and changes nothing.',
    async (t) => {
      const { id, answer, after, again, later } = await reading(t)
      needAccepted(answer)
      expectAccepted(again)
      expectSame(unreadOf(later), unreadOf(after) + cameBetween(after, later), 'unread', after, later)
      const [then, now] = [after, later].map((list) => field(notificationIn(list, id), 'read'))
      expectSame(now, then, 'read', after, later)
    },
    traits,
  ),
]
