/** §7: ids with unusual characters or length, none of which exists. */

import { isAccepted } from '#traffic/exchange.ts'
import { readCredits } from '../evidence/credits.ts'
import { isTaken } from '../evidence/runs.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import { assumePresent, expectRefused, refusals } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import { document, task } from './resource-kinds.ts'
import { refusesOddIds, unknownRequest } from './stored-resources.ts'
import { oddIds } from './texts.ts'

const notFoundOrBadInput = { ...refusals.notFound, ...refusals.badInput }

export const oddIdRefusals: Requirement[] = [
  refusesOddIds(task),
  refusesOddIds(document),

  must('RUN-ODD-ID', '§7', 'runTask', { writes: true, alone: true, quiet: true })
    .states('Running a task with an unusual id, percent-encoded, returns not found or bad input.')
    .check(async (t) => {
      const plain = await unknownRequest(t, 'runTask', task)
      assumePresent(isTaken(plain) ? undefined : plain, 'a refusal of a run of an unknown task')
      for (const id of oddIds) {
        const exchange = await t.call('runTask', { id })
        // A service may check the balance first.
        const zeroBalance = exchange.status === 402 && (await readCredits(t)) < 1
        expectRefused(exchange, zeroBalance ? refusals.noCredits : notFoundOrBadInput)
      }
    }),

  must('NOTIFICATION-ODD-ID', '§7', 'readNotification', { writes: true, alone: true })
    .states(
      'Marking a notification with an unusual id, percent-encoded, returns not found, bad input or a success.',
    )
    .check(async (t) => {
      if (t.states.mayOffer('unread_notification')) await assumePositiveControl(t, 'readNotification')
      for (const id of oddIds) {
        const exchange = await t.call('readNotification', { id })
        if (!isAccepted(exchange)) expectRefused(exchange, notFoundOrBadInput)
      }
    }),
]
