/** §7: what cannot be accepted as written is not accepted in part either. */

import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/finding.ts'
import { twin } from '../evidence/calls.ts'
import { expectSpent, needCredits, readCredits } from '../evidence/credits.ts'
import { requestKey } from '../evidence/keys.ts'
import type { TestContext } from '../harness/context.ts'
import { expectThat, needAccepted, needItems, needRefused, refusals, show } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'

const traits = { writes: true, alone: true, quiet: true } as const

/** Texts that nobody writes, and that come of a text that was not there or was none. */
const blank = new Set(['', 'undefined', 'null', '[object Object]'])

function isBlank(text: unknown): boolean {
  return typeof text === 'string' ? blank.has(text.trim()) : true
}

/** What a list shows that it did not show before. */
function added(before: Exchange, after: Exchange, name?: string): unknown[] {
  const known = new Set(needItems(before, name).map((item) => idOf(field(item, 'id'))))
  return needItems(after, name).filter((item) => !known.has(idOf(field(item, 'id'))))
}

/** Judges that requests which are refused leave no item without a text behind, and cost nothing. */
async function expectNothingLeft(
  t: TestContext,
  operation: 'createTask' | 'createDocument',
  list: () => Promise<Exchange>,
  text: string,
): Promise<void> {
  await twin(t, operation)
  await needCredits(t, 1)
  const before = needAccepted(await list())
  const credits = await readCredits(t)
  const answers: Exchange[] = []
  for (const body of [{}, { [text]: { not: 'a string' } }])
    answers.push(needRefused(await t.call(operation, { body }), refusals.badInput))
  const balance = { before: credits, after: await readCredits(t) }
  const after = needAccepted(await list())
  const left = added(before, after).filter((item) => isBlank(field(item, text)))
  expectThat(left.length === 0, 'no item of refused requests', show(left[0]), ...answers, after)
  await expectSpent(t, 0, balance, 'by refused requests', ...answers)
}

export const leftovers: Requirement[] = [
  probe(
    'LEFTOVER-createTask',
    'MUST',
    '§7, §8.2',
    'createTask',
    'A task that is refused as bad input is not created, and costs nothing.',
    (t) => expectNothingLeft(t, 'createTask', () => t.call('listTasks'), 'text'),
    traits,
  ),

  probe(
    'LEFTOVER-createDocument',
    'MUST',
    '§7, §8.2',
    'createDocument',
    'A document that is refused as bad input is not created, and costs nothing.',
    (t) =>
      expectNothingLeft(t, 'createDocument', () => t.call('listDocuments', { query: { all: '1' } }), 'title'),
    traits,
  ),

  probe(
    'LEFTOVER-createKey',
    'MUST',
    '§7',
    'createKey',
    'A key that is refused as bad input is not created.',
    async (t) => {
      await twin(t, 'createKey')
      const before = needAccepted(await t.session.call('listKeys'))
      const exchange = await requestKey(t, { name: { not: 'a string' } })
      if (isAccepted(exchange)) throw new NotExercised('an object for name is accepted')
      const after = needAccepted(await t.session.call('listKeys'))
      const left = added(before, after, 'keys')
      expectThat(left.length === 0, 'no key of a refused request', show(left[0]), exchange, after)
    },
    { ...traits, needs: ['session'] },
  ),
]
