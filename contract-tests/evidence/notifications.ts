/** Notifications that arrived during the run. */
import { type Exchange, field, idOf } from '#traffic/exchange.ts'
import type { Client } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeItems, assumePresent } from '../harness/expect.ts'

/** Notifications that arrived together. */
export interface Arrived {
  readonly ids: readonly string[]
  /** The first list that contains them, and the list before they arrived. */
  readonly list: Exchange
  readonly before: Exchange
}

/** Notifications created by a provider state. */
export async function newNotifications(t: TestContext, count: number): Promise<Arrived> {
  const before = assumeAccepted(await t.call('listNotifications'))
  const known = new Set(notificationIds(before))
  const org_id = await t.orgId()
  for (let i = 0; i < count; i++) await t.states.setup('unread_notification', { org_id })
  const seen = await t.until(t.settings.runTimeout, async () => {
    const list = assumeAccepted(await t.call('listNotifications'))
    const ids = notificationIds(list).filter((one) => !known.has(one))
    return ids.length < count ? undefined : { ids, list, before }
  })
  if (seen) return seen
  throw t.states.giveUp('unread_notification')
}

/** The id of a new notification. */
export async function newNotification(t: TestContext): Promise<string> {
  const [id] = (await newNotifications(t, 1)).ids
  return assumePresent(id, 'the new notification')
}

/** A new notification that several requirements share; it may be marked as read. */
export const sharedNotification = (t: TestContext) => t.evidence('notification', () => newNotification(t))

/** Marks a notification as read, at no time at which unread ones are counted. */
export function markRead(t: TestContext, id: string, client: Client = t.main): Promise<Exchange> {
  return t.run.unreadCount.pass(() => client.call('readNotification', { id }))
}

/** The ids in a list of notifications. */
export function notificationIds(list: Exchange): string[] {
  return assumeItems(list).flatMap((item) => idOf(field(item, 'id')) ?? [])
}
