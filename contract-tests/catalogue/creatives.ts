/** §4 Extended route set: generations beside one another, and what each of them is called; ranges of insights. */

import { field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/finding.ts'
import { throwIfAbsent, twin } from '../evidence/calls.ts'
import { generation } from '../evidence/creatives.ts'
import { needQuietBalance, spentOf } from '../evidence/credits.ts'
import { expectRefused, expectThat, needAccepted, refusals } from '../harness/expect.ts'
import { observation, probe, type Requirement } from '../harness/requirement.ts'
import { withCredits } from './no-credits.ts'

/** Generations that are asked for at once. */
const atOnce = 4

export const creatives: Requirement[] = [
  probe(
    'CREATIVE-ATOMIC',
    'MUST',
    '§4, §8.2',
    'generateCreative',
    'Of simultaneous generations no more succeed than there are credits.',
    async (t) => {
      const { before, exchange, after } = await generation(t)
      needAccepted(exchange)
      if (spentOf(before, after) !== 1) throw new NotExercised('a generation does not cost one credit')
      t.budget.allow(1)
      const answers = await withCredits(t, 1, async () => {
        const prompts = Array.from({ length: atOnce }, () => t.name('A blue square'))
        const answers = await Promise.all(
          prompts.map((prompt) => t.call('generateCreative', { body: { prompt } })),
        )
        t.budget.spend(Math.max(answers.filter(isAccepted).length, 1))
        return answers
      })
      const made = answers.filter(isAccepted)
      if (made.length > 1) await needQuietBalance(t)
      expectThat(made.length <= 1, 'at most 1 success with 1 credit', `${made.length} of ${atOnce}`, ...made)
    },
    { writes: true, alone: true, quiet: true, cost: 2, needs: ['state:credits'] },
  ),

  observation(
    'CREATIVE-UNIQUE',
    'MUST',
    '§4',
    'generateCreative',
    'Each generation has an artifactId of its own.',
    ({ exchanges }) => {
      const made = exchanges.filter((one) => one.operation === 'generateCreative' && isAccepted(one))
      const ids = made.flatMap(({ json }) => idOf(field(json, 'artifactId')) ?? [])
      if (ids.length < 2) throw new NotExercised('fewer than two generations were made', '--max-credits 20')
      const twice = ids.find((id, at) => ids.indexOf(id) < at)
      if (twice !== undefined) throw new Violation('an id for each', `${twice} twice`, ...made)
    },
  ),

  probe(
    'INSIGHTS-RANGE',
    'MUST',
    '§4',
    'getInsights',
    'Insights of a range are answered, or the range is refused as bad input.',
    async (t) => {
      await twin(t, 'getInsights')
      for (const range of ['last_30d', 'no such range']) {
        const exchange = await t.call('getInsights', { query: { range } })
        throwIfAbsent(t, 'getInsights', exchange)
        if (!isAccepted(exchange)) expectRefused(exchange, refusals.badInput)
      }
    },
  ),
]
