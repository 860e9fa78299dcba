/** §7: a request rejected as bad input creates nothing. */

import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import { expectSpent } from '../evidence/quiet-balance.ts'
import { rejectedCreates, rejectedKey } from '../evidence/rejected-creates.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeItems, assumeRefused, expectThat, refusals, show } from '../harness/expect.ts'
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
  text: string,
): Promise<void> {
  const { answers, balance, before, after } = await rejectedCreates(t, operation)
  for (const answer of answers) assumeRefused(answer, refusals.badInput)
  const left = added(before, after).filter((item) => isBlank(field(item, text)))
  expectThat(left.length === 0, 'no item created by rejected requests', show(left[0]), ...answers, after)
  await expectSpent(t, 0, balance, 'by rejected requests', ...answers)
}

export const rejectedCreateEffects: Requirement[] = [
  must('LEFTOVER-createTask', '§7, §8.2', 'createTask', traits)
    .states('A task rejected as bad input is not created and costs nothing.')
    .check((t) => expectNothingCreated(t, 'createTask', 'text')),

  must('LEFTOVER-createDocument', '§7, §8.2', 'createDocument', traits)
    .states('A document rejected as bad input is not created and costs nothing.')
    .check((t) => expectNothingCreated(t, 'createDocument', 'title')),

  must('LEFTOVER-createKey', '§7', 'createKey', { ...traits, needs: ['session'] })
    .states('A key rejected as bad input is not created.')
    .check(async (t) => {
      const { answers, before, after } = await rejectedKey(t)
      const [exchange] = answers
      if (!exchange || isAccepted(exchange)) throw new NotExercised('an object for name is accepted')
      // A list may show the keys of earlier requests late.
      const left = added(before, after, 'keys').filter((key) => !String(field(key, 'name')).includes(t.runId))
      expectThat(left.length === 0, 'no key created by a rejected request', show(left[0]), exchange, after)
    }),
]
