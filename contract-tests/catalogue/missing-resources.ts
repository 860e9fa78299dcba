/** §7: missing resources, on routes that may return 404 or a success. */

import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import { deletedKeys } from '../evidence/key-use.ts'
import { deleteKey } from '../evidence/keys.ts'
import { notificationIds, sharedNotification } from '../evidence/notifications.ts'
import { unknownLike } from '../evidence/resources.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import { expectRefused, refusals } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'

/** Requires a success, not found or bad input. */
function expectGone(exchange: Exchange): void {
  if (!isAccepted(exchange)) expectRefused(exchange, refusals.notFoundOrBadInput, 'a success')
}

export const missingResources: Requirement[] = [
  must('KEY-DELETE-AGAIN', '§7', 'deleteKey', { writes: true, alone: true, needs: ['session'] })
    .states('Deleting a deleted key returns 404 not_found or a success.')
    .check(async (t) => {
      const [{ key }] = await deletedKeys(t)
      expectGone(await deleteKey(t, key))
    }),

  must('NOTIFICATION-UNKNOWN', '§7', 'readNotification', { writes: true, alone: true })
    .states('Marking an unknown notification as read returns 404 not_found or a success.')
    .check(async (t) => {
      const list = await assumePositiveControl(t, 'listNotifications')
      const shared =
        t.states.mayOffer('unread_notification') && (await sharedNotification(t).catch(() => undefined))
      const known = notificationIds(list)[0] ?? (shared || undefined)
      if (known === undefined)
        throw new NotExercised(
          'there is no notification whose id shows what an unknown id looks like',
          'the state "unread_notification", or an organization with notifications',
        )
      const exchange = await t.call('readNotification', { id: unknownLike(known) })
      if (!isAccepted(exchange) && t.states.mayOffer('unread_notification'))
        await assumePositiveControl(t, 'readNotification')
      expectGone(exchange)
    }),
]
