/** Notifications that came while the suite was looking. */
import { type Exchange, field, idOf } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { needAccepted, needItems } from '../harness/expect.ts'

export interface SeenNotification {
  readonly id: string
  /** The first list that shows it, and the one before it came. */
  readonly list: Exchange
  readonly before: Exchange
}

/** A notification that was arranged as a state, and came. */
export async function newNotification(t: TestContext): Promise<SeenNotification> {
  const before = needAccepted(await t.call('listNotifications'))
  const known = new Set(notificationIds(before))
  await t.states.setup('unread_notification', { org_id: await t.orgId() })
  const seen = await t.until(t.settings.runTimeout, async () => {
    const list = needAccepted(await t.call('listNotifications'))
    const id = notificationIds(list).find((one) => !known.has(one))
    return id === undefined ? undefined : { id, list, before }
  })
  if (seen) return seen
  throw t.states.giveUp('unread_notification')
}

/** A new notification that requirements about refusals and limits share; it may be marked as read. */
export const sharedNotification = (t: TestContext) => t.evidence('notification', () => newNotification(t))

/** The ids in a list of notifications. */
export function notificationIds(list: Exchange): string[] {
  return needItems(list).flatMap((item) => idOf(field(item, 'id')) ?? [])
}

/** The notification of an id in a list. */
export function notificationIn(list: Exchange, id: string): unknown {
  return needItems(list).find((item) => idOf(field(item, 'id')) === id)
}
