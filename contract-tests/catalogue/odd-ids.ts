/** §7: ids that are easily taken amiss are nobody's all the same. */

import { isAccepted } from '#traffic/exchange.ts'
import { twin } from '../evidence/calls.ts'
import { readCredits } from '../evidence/credits.ts'
import { askUnknown } from '../evidence/ids.ts'
import { readBack, sharedDocument, sharedTask } from '../evidence/resources.ts'
import { isTaken } from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import { expectRefused, need, refusals } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import { oddIds } from './texts.ts'

const gone = { ...refusals.notFound, ...refusals.badInput }

/** Judges that odd ids are not found where the id of something that is there is. */
async function expectGone(t: TestContext, operation: 'getTask' | 'getDocument', id: string): Promise<void> {
  await readBack(t, operation, id)
  for (const odd of oddIds) expectRefused(await t.call(operation, { id: odd }), gone)
}

export const oddId: Requirement[] = [
  probe(
    'TASK-ODD-ID',
    'MUST',
    '§7',
    'getTask',
    'An odd id, percent-encoded, is answered as unknown or as bad input.',
    async (t) => expectGone(t, 'getTask', (await sharedTask(t)).id),
    { writes: true },
  ),

  probe(
    'DOC-ODD-ID',
    'MUST',
    '§7',
    'getDocument',
    'An odd id of a document, percent-encoded, is answered as unknown or as bad input.',
    async (t) => expectGone(t, 'getDocument', (await sharedDocument(t)).id),
    { writes: true },
  ),

  probe(
    'RUN-ODD-ID',
    'MUST',
    '§7',
    'runTask',
    'A run of a task with an odd id, percent-encoded, is answered as unknown or as bad input.',
    async (t) => {
      const { id } = await sharedTask(t)
      await readBack(t, 'getTask', id)
      const plain = await askUnknown(id, (unknown) => t.call('runTask', { id: unknown }))
      need(isTaken(plain) ? undefined : plain, 'a refusal of a run of an unknown task')
      const broke = (await readCredits(t)) < 1
      for (const id of oddIds)
        expectRefused(await t.call('runTask', { id }), broke ? { ...gone, ...refusals.noCredits } : gone)
    },
    { writes: true, alone: true, quiet: true },
  ),

  probe(
    'NOTIFICATION-ODD-ID',
    'MUST',
    '§7',
    'readNotification',
    'A notification with an odd id, percent-encoded, is answered as unknown, as bad input, or as done.',
    async (t) => {
      if (t.states.mayOffer('unread_notification')) await twin(t, 'readNotification')
      for (const id of oddIds) {
        const exchange = await t.call('readNotification', { id })
        if (!isAccepted(exchange)) expectRefused(exchange, gone)
      }
    },
    { writes: true, alone: true },
  ),
]
