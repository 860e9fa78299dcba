/** §2 Notification. */
import { z } from 'zod'
import { count, identifier } from './values.ts'

export const notification = z.looseObject({
  id: identifier,
  read: z.boolean().describe('False until it is marked as read (§3.4).'),
})

export const notificationList = z.looseObject({
  items: z.array(notification),
  unread: count.describe('How many notifications are unread.'),
})
