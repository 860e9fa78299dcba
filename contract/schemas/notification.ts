/** §2 Notification. */
import { z } from 'zod'
import { count, identifier } from './values.ts'

/** A notification (§2 Notification). */
export const notification = z.looseObject({
  id: identifier,
  read: z.boolean().describe('False until the notification is marked as read (§3.4).'),
})

/** Response of listNotifications. */
export const notificationList = z.looseObject({
  items: z.array(notification),
  unread: count.describe('The number of unread notifications.'),
})
