/** §7: what is not there, on routes that may just as well say that it is done. */

import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/finding.ts'
import { twin } from '../evidence/calls.ts'
import { unknownLike } from '../evidence/ids.ts'
import { deleteKey, newKey } from '../evidence/keys.ts'
import { notificationIds, sharedNotification } from '../evidence/notifications.ts'
import { expectRefused, needAccepted, refusals } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'

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
    async (t) => {
      const key = await newKey(t)
      needAccepted(await deleteKey(t, key))
      expectGone(await deleteKey(t, key))
    },
    { writes: true, needs: ['session'] },
  ),

  probe(
    'NOTIFICATION-UNKNOWN',
    'MUST',
    '§7',
    'readNotification',
    'Marking an unknown notification as read is answered 404 not_found, or as done.',
    async (t) => {
      const list = needAccepted(await t.call('listNotifications'))
      const shared =
        t.states.mayOffer('unread_notification') && (await sharedNotification(t).catch(() => undefined))
      const known = notificationIds(list)[0] ?? (shared ? shared.id : undefined)
      if (known === undefined)
        throw new NotExercised(
          'there are no notifications whose ids show the form of an unknown one',
          'the state "unread_notification", or an organization with notifications',
        )
      const exchange = await t.call('readNotification', { id: unknownLike(known) })
      if (!isAccepted(exchange) && t.states.mayOffer('unread_notification')) await twin(t, 'readNotification')
      expectGone(exchange)
    },
    { writes: true, alone: true },
  ),
]
