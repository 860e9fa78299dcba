/** §7: what is not there, on routes that may just as well say that it is done. */

import { twin } from '../evidence/calls.ts'
import { unknownLike } from '../evidence/ids.ts'
import { deleteKey, newKey } from '../evidence/keys.ts'
import { notificationIds, sharedNotification } from '../evidence/notifications.ts'
import { type Exchange, isAccepted } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectRefused, needAccepted, refusals } from '../words.ts'

/** Judges that it is answered as not there, or as done. */
function expectGone(exchange: Exchange): void {
  if (!isAccepted(exchange)) expectRefused(exchange, { ...refusals.notFound, ...refusals.badInput })
}

export const unknown: Requirement[] = [
  probe(
    'KEY-DELETE-AGAIN',
    'MUST',
    '§7',
    'deleteKey',
    'Deleting a key that is gone is answered 404 not_found, or as done.',
    async (kit) => {
      const key = await newKey(kit)
      needAccepted(await deleteKey(kit, key))
      expectGone(await deleteKey(kit, key))
    },
    { writes: true, needs: ['session'] },
  ),

  probe(
    'NOTIFICATION-UNKNOWN',
    'MUST',
    '§7',
    'readNotification',
    'Marking an unknown notification as read is answered 404 not_found, or as done.',
    async (kit) => {
      const list = needAccepted(await kit.call('listNotifications'))
      const shared =
        kit.states.mayOffer('unread_notification') && (await sharedNotification(kit).catch(() => undefined))
      const known = notificationIds(list)[0] ?? (shared ? shared.id : undefined)
      if (known === undefined)
        throw new NotExercised(
          'there are no notifications whose ids show the form of an unknown one',
          'the state "unread_notification", or an organization with notifications',
        )
      const exchange = await kit.call('readNotification', { id: unknownLike(known) })
      if (!isAccepted(exchange) && kit.states.mayOffer('unread_notification'))
        await twin(kit, 'readNotification')
      expectGone(exchange)
    },
    { writes: true, alone: true },
  ),
]
