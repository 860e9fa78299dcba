/** §7: what cannot be accepted as written is not accepted in part either. */
import { twin } from '../evidence/calls.ts'
import { expectSpent, needCredits, readCredits } from '../evidence/credits.ts'
import { requestKey } from '../evidence/keys.ts'
import { type Exchange, field, idOf, isAccepted } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectThat, needAccepted, needItems, needRefused, refusals, show } from '../words.ts'

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
  kit: Kit,
  operation: 'createTask' | 'createDocument',
  list: () => Promise<Exchange>,
  text: string,
): Promise<void> {
  await twin(kit, operation)
  await needCredits(kit, 1)
  const before = needAccepted(await list())
  const credits = await readCredits(kit)
  const answers: Exchange[] = []
  for (const body of [{}, { [text]: { not: 'a string' } }])
    answers.push(needRefused(await kit.call(operation, { body }), refusals.badInput))
  const balance = { before: credits, after: await readCredits(kit) }
  const after = needAccepted(await list())
  const left = added(before, after).filter((item) => isBlank(field(item, text)))
  expectThat(left.length === 0, 'no item of refused requests', show(left[0]), ...answers, after)
  await expectSpent(kit, 0, balance, 'by refused requests', ...answers)
}

export const leftovers: Requirement[] = [
  probe(
    'LEFTOVER-createTask',
    'MUST',
    '§7, §8.2',
    'createTask',
    'A task that is refused as bad input is not created, and costs nothing.',
    (kit) => expectNothingLeft(kit, 'createTask', () => kit.call('listTasks'), 'text'),
    traits,
  ),

  probe(
    'LEFTOVER-createDocument',
    'MUST',
    '§7, §8.2',
    'createDocument',
    'A document that is refused as bad input is not created, and costs nothing.',
    (kit) =>
      expectNothingLeft(
        kit,
        'createDocument',
        () => kit.call('listDocuments', { query: { all: '1' } }),
        'title',
      ),
    traits,
  ),

  probe(
    'LEFTOVER-createKey',
    'MUST',
    '§7',
    'createKey',
    'A key that is refused as bad input is not created.',
    async (kit) => {
      await twin(kit, 'createKey')
      const before = needAccepted(await kit.session.call('listKeys'))
      const exchange = await requestKey(kit, { name: { not: 'a string' } })
      if (isAccepted(exchange)) throw new NotExercised('an object for name is accepted')
      const after = needAccepted(await kit.session.call('listKeys'))
      const left = added(before, after, 'keys')
      expectThat(left.length === 0, 'no key of a refused request', show(left[0]), exchange, after)
    },
    { ...traits, needs: ['session'] },
  ),
]
