/** Notifications that arrived during the run. */
import { type Exchange, field, idOf } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeItems } from '../harness/expect.ts'

export interface SeenNotification {
  readonly id: string
  /** The first list that contains it, and the list before it arrived. */
  readonly list: Exchange
  readonly before: Exchange
}

/** A notification created by a provider state. */
export async function newNotification(t: TestContext): Promise<SeenNotification> {
  const before = assumeAccepted(await t.call('listNotifications'))
  const known = new Set(notificationIds(before))
  await t.states.setup('unread_notification', { org_id: await t.orgId() })
  const seen = await t.until(t.settings.runTimeout, async () => {
    const list = assumeAccepted(await t.call('listNotifications'))
    const id = notificationIds(list).find((one) => !known.has(one))
    return id === undefined ? undefined : { id, list, before }
  })
  if (seen) return seen
  throw t.states.giveUp('unread_notification')
}

/** A new notification that several requirements share; it may be marked as read. */
export const sharedNotification = (t: TestContext) => t.evidence('notification', () => newNotification(t))

/** The ids in a list of notifications. */
export function notificationIds(list: Exchange): string[] {
  return assumeItems(list).flatMap((item) => idOf(field(item, 'id')) ?? [])
}
