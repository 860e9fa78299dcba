/** §7: a request rejected as bad input creates nothing. */

import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import { betweenReadings } from '../evidence/balance-windows.ts'
import { assumeCredits } from '../evidence/credit-states.ts'
import { requestKey } from '../evidence/keys.ts'
import { expectSpent } from '../evidence/quiet-balance.ts'
import { soon } from '../evidence/runs.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeItems, assumeRefused, expectThat, refusals, show } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'

const traits = { writes: true, alone: true, quiet: true } as const

/** Texts that a missing or wrong text turns into if it is stored anyway. */
const blank = new Set(['', 'undefined', 'null', '[object Object]'])

function isBlank(text: unknown): boolean {
  return typeof text === 'string' ? blank.has(text.trim()) : true
}

/** The items of a list that are not in an earlier one. */
function added(before: Exchange, after: Exchange, name?: string): unknown[] {
  const known = new Set(assumeItems(before, name).map((item) => idOf(field(item, 'id'))))
  return assumeItems(after, name).filter((item) => !known.has(idOf(field(item, 'id'))))
}

/** Requires rejected requests to create no item with a blank text and to cost nothing. */
async function expectNothingCreated(
  t: TestContext,
  operation: 'createTask' | 'createDocument',
  list: () => Promise<Exchange>,
  text: string,
): Promise<void> {
  await assumePositiveControl(t, operation)
  await assumeCredits(t, 1)
  const before = assumeAccepted(await list())
  const { made: answers, ...balance } = await betweenReadings(t, async () => {
    const refused: Exchange[] = []
    for (const body of [{}, { [text]: { not: 'a string' } }])
      refused.push(assumeRefused(await t.call(operation, { body }), refusals.badInput))
    await t.target.sleep(soon)
    return refused
  })
  const after = assumeAccepted(await list())
  const left = added(before, after).filter((item) => isBlank(field(item, text)))
  expectThat(left.length === 0, 'no item created by rejected requests', show(left[0]), ...answers, after)
  await expectSpent(t, 0, balance, 'by rejected requests', ...answers)
}

export const rejectedCreates: Requirement[] = [
  must('LEFTOVER-createTask', '§7, §8.2', 'createTask', traits)
    .states('A task rejected as bad input is not created and costs nothing.')
    .check((t) => expectNothingCreated(t, 'createTask', () => t.call('listTasks'), 'text')),

  must('LEFTOVER-createDocument', '§7, §8.2', 'createDocument', traits)
    .states('A document rejected as bad input is not created and costs nothing.')
    .check((t) =>
      expectNothingCreated(
        t,
        'createDocument',
        () => t.call('listDocuments', { query: { all: '1' } }),
        'title',
      ),
    ),

  must('LEFTOVER-createKey', '§7', 'createKey', { ...traits, needs: ['session'] })
    .states('A key rejected as bad input is not created.')
    .check(async (t) => {
      await assumePositiveControl(t, 'createKey')
      const before = assumeAccepted(await t.session.call('listKeys'))
      const exchange = await requestKey(t, { name: { not: 'a string' } })
      if (isAccepted(exchange)) throw new NotExercised('an object for name is accepted')
      await t.target.sleep(soon)
      const after = assumeAccepted(await t.session.call('listKeys'))
      // A list may show the keys of earlier requests late.
      const left = added(before, after, 'keys').filter((key) => !String(field(key, 'name')).includes(t.runId))
      expectThat(left.length === 0, 'no key created by a rejected request', show(left[0]), exchange, after)
    }),
]
