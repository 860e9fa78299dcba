/** Notifications from their arrival to their marking as read, shared among requirements. */
import type { Exchange } from '#traffic/exchange.ts'
import { skip } from '../client/check-errors.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumePresent } from '../harness/expect.ts'
import { markRead, newNotifications, notificationIds, sharedNotification } from './notifications.ts'
import { otherOrganization } from './organizations.ts'

/** Four new notifications that only `readNotifications` marks as read, and lists of the second organization around them. */
export const arrivedNotifications = (t: TestContext) =>
  t.evidence('arrived notifications', async () => {
    const isCompared = t.run.wants('ISOLATION-UNREAD') || t.run.wants('ISOLATION-LIST-NOTIFICATIONS')
    const other = isCompared ? await otherOrganization(t).catch(() => undefined) : undefined
    // Those for other requirements do not come between two lists.
    if (t.run.evidence.has('notifications')) await sharedNotification(t).catch(skip)
    const first = await other?.call('listNotifications')
    const arrived = await newNotifications(t, 4)
    const last = await other?.call('listNotifications')
    return { ...arrived, elsewhere: first && last && { before: first, after: last } }
  })

/** The second of them, or the only one in the list, marked as read twice: each response, and the lists before, between and after. */
export const readNotifications = (t: TestContext) =>
  t.evidence('read notifications', async () => {
    const { ids } = await arrivedNotifications(t)
    const [older, id, newer, ...more] = ids.length > 1 ? ids : [undefined, ...ids]
    const wanted = assumePresent(id, 'the new notification')
    const list = async () => assumeAccepted(await t.call('listNotifications'))
    const read = () => t.call('readNotification', { id: wanted })
    const story = await t.run.unreadCount.write(async () => {
      const before = await list()
      const [answer, after] = [await read(), await list()]
      return { before, answer, after, again: await read(), later: await list() }
    })
    // Two at once.
    await Promise.all([newer, more[0]].map((one) => one && more[0] && markRead(t, one)))
    // A list may follow late; after that it shows what lasts.
    await t.target.sleep(Math.max(1_000, t.settings.consistency + 50))
    return { ...story, older, id: wanted, newer, last: await list() }
  })

/** How many notifications of a list are not in an earlier one. */
export function countNew(before: Exchange, after: Exchange): number {
  const known = new Set(notificationIds(before))
  return notificationIds(after).filter((id) => !known.has(id)).length
}
