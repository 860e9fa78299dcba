/** §4 Notifications. */
import { fail } from '../core/failure.ts'
import type { Handlers } from './handler.ts'
import { longestList } from './limits.ts'
import { viewNotification } from './views.ts'

/** Handlers of §4 Notifications. */
export const notifications: Pick<Handlers, 'listNotifications' | 'readNotification'> = {
  listNotifications: ({ org }) => ({
    items: org.notifications.newest(longestList).map(viewNotification),
    unread: org.notifications.unread,
  }),

  readNotification({ org, id }) {
    const notification = org.notifications.get(id)
    if (!notification) return fail('not_found', 'No such notification in this organization.')
    org.notifications.markRead(notification)
    return { ok: true }
  },
}
