/** §4 Notifications. */
import { both, route } from '../route.ts'
import { acknowledgement, notificationList } from '../schemas/core.ts'

const shared = { section: '§4 Notifications', set: 'core', auth: 'key', cost: 0 } as const

export const listNotifications = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/notifications',
  summary: 'List the notifications of the organization, with the number of unread ones.',
  answer: both(notificationList),
  failures: [],
})

export const readNotification = route({
  ...shared,
  method: 'POST',
  path: '/api/cli/notifications/:id/read',
  summary: 'Mark a notification as read.',
  answer: both(acknowledgement),
  failures: ['not_found'],
})
