/** §4 Extended route set: simultaneous generations, their ids, and ranges of insights. */

import { field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import { generation } from '../evidence/creatives.ts'
import { spentOf } from '../evidence/credits.ts'
import { assumeQuietBalance } from '../evidence/quiet-balance.ts'
import { throwIfAbsent } from '../evidence/resources.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import { withCredits } from '../evidence/zero-balance.ts'
import { assumeAccepted, expectRefused, expectThat, refusals } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import { moreCredits, notSeen, successes } from './response-shapes.ts'

/** Generations requested at once. */
const atOnce = 4

export const creatives: Requirement[] = [
  must('CREATIVE-ATOMIC', '§4, §8.2', 'generateCreative', {
    writes: true,
    alone: true,
    quiet: true,
    cost: 2,
    needs: ['state:credits'],
  })
    .states('Of several simultaneous generations, no more succeed than there are credits.')
    .check(async (t) => {
      const { before, exchange, after } = await generation(t)
      assumeAccepted(exchange)
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
      if (made.length > 1) await assumeQuietBalance(t)
      const actual = `${made.length} of ${atOnce} succeeded`
      expectThat(made.length <= 1, 'at most 1 success with 1 credit', actual, ...answers)
    }),

  must('CREATIVE-UNIQUE', '§4', 'generateCreative')
    .states('Each generation has a unique artifactId.')
    .observe((traffic) => {
      // Ids may be counted per organization.
      const made = successes(traffic, 'generateCreative').filter(({ caller }) => caller !== 'other')
      if (made.length === 0) throw notSeen(traffic, 'generateCreative')
      const ids = made.flatMap(({ json }) => idOf(field(json, 'artifactId')) ?? [])
      if (ids.length < 2)
        throw new NotExercised('fewer than two generations were made', moreCredits(traffic.maxCredits, 20))
      const twice = ids.find((id, at) => ids.indexOf(id) < at)
      if (twice !== undefined) throw new Violation('a unique artifactId for each', `${twice} twice`, ...made)
    }),

  must('INSIGHTS-RANGE', '§4', 'getInsights')
    .states('Insights for a range return a success or reject the range as bad input.')
    .check(async (t) => {
      await assumePositiveControl(t, 'getInsights')
      for (const range of ['last_30d', 'no such range']) {
        const exchange = await t.call('getInsights', { query: { range } })
        throwIfAbsent(t, exchange)
        if (!isAccepted(exchange)) expectRefused(exchange, refusals.badInput)
      }
    }),
]
