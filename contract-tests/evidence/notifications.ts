/** Notifications that came while the suite was looking. */
import { type Exchange, field, idOf } from '../exchange.ts'
import type { Kit } from '../kit.ts'
import { needAccepted, needItems } from '../words.ts'

export interface SeenNotification {
  readonly id: string
  /** The first list that shows it, and the one before it came. */
  readonly list: Exchange
  readonly before: Exchange
}

/** A notification that was arranged as a state, and came. */
export async function newNotification(kit: Kit): Promise<SeenNotification> {
  const before = needAccepted(await kit.call('listNotifications'))
  const known = new Set(notificationIds(before))
  await kit.states.setup('unread_notification', { org_id: await kit.orgId() })
  const seen = await kit.until(kit.settings.runTimeout, async () => {
    const list = needAccepted(await kit.call('listNotifications'))
    const id = notificationIds(list).find((one) => !known.has(one))
    return id === undefined ? undefined : { id, list, before }
  })
  if (seen) return seen
  throw kit.states.giveUp('unread_notification')
}

/** A new notification that requirements about refusals and limits share; it may be marked as read. */
export const sharedNotification = (kit: Kit) => kit.evidence('notification', () => newNotification(kit))

/** The ids in a list of notifications. */
export function notificationIds(list: Exchange): string[] {
  return needItems(list).flatMap((item) => idOf(field(item, 'id')) ?? [])
}

/** The notification of an id in a list. */
export function notificationIn(list: Exchange, id: string): unknown {
  return needItems(list).find((item) => idOf(field(item, 'id')) === id)
}
