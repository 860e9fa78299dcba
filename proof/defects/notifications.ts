/** §2 Notification, §3.4, §4 Notifications: notifications that are miscounted, or wrongly marked as read. */

import { fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { combine } from '../mutations/mutation.ts'
import { rewriteField } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

export const notifications: readonly Defect[] = [
  {
    id: 'notification-unread-low',
    title: 'unread is one too few.',
    breaks: ['NOTIFICATION-UNREAD-COUNT'],
    mutate: () => rewriteField('unread', (unread) => Math.max(0, Number(unread) - 1), 'listNotifications'),
  },
  {
    id: 'notification-born-read',
    title: 'A notification is listed as read from the start.',
    breaks: ['NOTIFICATION-NEW-UNREAD'],
    mutate: () => rewriteField('items.*.read', () => true, 'listNotifications'),
  },
  {
    id: 'notification-read-by-listing',
    title: 'Listing notifications marks them as read.',
    breaks: ['NOTIFICATION-STAYS-UNREAD'],
    mutate: () =>
      after('listNotifications', ({ org }) => {
        for (const one of org.notifications.newest(Infinity)) org.notifications.markRead(one)
      }),
  },
  {
    id: 'notification-counted-twice',
    title: 'A new notification increases unread by two.',
    breaks: ['NOTIFICATION-NEW-COUNTED'],
    mutate() {
      const twice = new WeakMap<Organization, number>()
      return combine(
        {
          onOrganization(org) {
            const notify = org.notify.bind(org)
            org.notify = (...notification) => {
              twice.set(org, (twice.get(org) ?? 0) + 1)
              return notify(...notification)
            }
          },
        },
        handle('listNotifications', (call, usual) => {
          const answer = usual(call)
          return 'unread' in answer
            ? { ...answer, unread: answer.unread + (twice.get(call.org) ?? 0) }
            : answer
        }),
      )
    },
  },
  {
    id: 'notification-uncounted',
    title: 'unread is always zero.',
    breaks: ['NOTIFICATION-UNREAD-COUNT', 'NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT'],
    mutate: () => rewriteField('unread', () => 0, 'listNotifications'),
  },
  {
    id: 'notification-stays-unread',
    title: 'Marking a notification as read changes unread only.',
    breaks: ['NOTIFICATION-READ', 'NOTIFICATION-UNREAD-COUNT'],
    mutate: () => rewriteField('items.*.read', () => false, 'listNotifications'),
  },
  {
    id: 'notification-read-ignored',
    title: 'Marking a notification as read does nothing.',
    breaks: ['NOTIFICATION-READ', 'NOTIFICATION-READ-COUNT'],
    mutate: () =>
      handle('readNotification', ({ org, id }) =>
        org.notifications.get(id) ? { ok: true } : fail('not_found'),
      ),
  },
  {
    id: 'notification-unread-again',
    title: 'A notification that was marked as read is unread again half a second later.',
    breaks: ['NOTIFICATION-STAYS-READ'],
    mutate() {
      const read = new Map<string, number>()
      return combine(
        after('readNotification', ({ id, now }) => void read.set(id, read.get(id) ?? now)),
        handle('listNotifications', (call, usual) => {
          const answer = usual(call)
          if (!('items' in answer)) return answer
          const back = (id: string | number) => call.now - (read.get(String(id)) ?? Infinity) > 500
          return {
            ...answer,
            unread: answer.unread + answer.items.filter((one) => one.read && back(one.id)).length,
            items: answer.items.map((one) => (back(one.id) ? { ...one, read: false } : one)),
          }
        }),
      )
    },
  },
  {
    id: 'notification-read-older',
    title: 'Marking a notification as read marks the older ones too.',
    breaks: ['NOTIFICATION-READ-ONE'],
    mutate: () =>
      after('readNotification', ({ org, id }) => {
        const all = org.notifications.newest(Infinity)
        for (const older of all.slice(all.findIndex((one) => one.id === id) + 1)) older.read = true
      }),
  },
  {
    id: 'notification-read-not-ok',
    title: 'Marking a notification as read answers ok: false.',
    breaks: ['NOTIFICATION-READ-OK'],
    mutate: () => rewriteField('ok', () => false, 'readNotification'),
  },
  {
    id: 'notification-read-uncounted',
    title: 'Marking a notification as read leaves unread as it was.',
    breaks: ['NOTIFICATION-READ-COUNT'],
    mutate: () =>
      handle('readNotification', ({ org, id }) => {
        const notification = org.notifications.get(id)
        if (!notification) return fail('not_found')
        notification.read = true
        return { ok: true }
      }),
  },
  {
    id: 'notification-read-all',
    title: 'Marking a notification as read marks all others too.',
    breaks: ['NOTIFICATION-READ-ONE'],
    mutate: () =>
      handle('readNotification', (call, usual) => {
        const answer = usual(call)
        for (const one of call.org.notifications.newest(Infinity)) one.read = true
        return answer
      }),
  },
  {
    id: 'notification-read-all-counted',
    title: 'Marking a notification as read marks all others too, and counts them.',
    breaks: ['NOTIFICATION-READ-ONE'],
    mutate: () =>
      handle('readNotification', (call, usual) => {
        const answer = usual(call)
        for (const one of call.org.notifications.newest(Infinity)) call.org.notifications.markRead(one)
        return answer
      }),
  },
  {
    id: 'notification-read-again-refused',
    title: 'Marking a notification as read again is refused with 409.',
    breaks: ['NOTIFICATION-READ-AGAIN'],
    mutate: () =>
      handle('readNotification', (call, usual) =>
        call.org.notifications.get(call.id)?.read ? (fail('conflict') as never) : usual(call),
      ),
  },
  {
    id: 'notification-read-toggles',
    title: 'Marking a notification as read again makes it unread.',
    breaks: ['NOTIFICATION-READ-AGAIN'],
    mutate: () =>
      handle('readNotification', (call, usual) => {
        const notification = call.org.notifications.get(call.id)
        if (!notification?.read) return usual(call)
        notification.read = false
        return { ok: true }
      }),
  },
  {
    id: 'notification-unknown-fails',
    title: 'Marking an unknown notification as read is answered 500.',
    breaks: ['NOTIFICATION-UNKNOWN', 'NOTIFICATION-ODD-ID', 'MALFORMED-ID-readNotification'],
    mutate: () =>
      handle('readNotification', (call, usual) =>
        call.org.notifications.get(call.id) ? usual(call) : fail('internal_error'),
      ),
  },
]
