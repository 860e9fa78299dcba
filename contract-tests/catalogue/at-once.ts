/** §3.2, §8.2: the balance after paid requests that arrive at the same moment. */

import { countWithNoun } from '#reporting/markup.ts'
import { briefAnswer, hasSuccessStatus, isRunAccepted } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import { concurrentPaymentEvidence } from '../fixtures/bursts.ts'
import { expectRunsCharged } from '../fixtures/failed-runs.ts'
import { expectSpent } from '../fixtures/spending.ts'
import { assumePresent } from '../harness/expect.ts'
import { type CheckTraits, must, type Requirement } from '../harness/requirement.ts'

const racing: CheckTraits = {
  ...{ writes: true, retryOnViolation: true, isRace: true },
  ...{ cost: 1, needs: ['state:credits'] },
}

/** Statuses of a run refused for the state of its task, which runs of other tasks do not change. */
const conflicts = [404, 409]

/** Continues only if at least two requests of the same moment were accepted. */
function assumeSeveral(many: number): void {
  if (many < 2) throw new NotExercised('no two requests of the same moment were accepted')
}

/**
 * Removes `delta` from a violation: a race that is lost again loses another number of credits, so it confirms nothing.
 */
async function lostAnew(comparison: Promise<void>): Promise<void> {
  await comparison.catch((error: unknown) => {
    throw error instanceof Violation ? Object.assign(error, { delta: undefined }) : error
  })
}

/** Requirements on the balance after paid requests that are sent at the same moment. */
export const concurrencyRequirements: Requirement[] = [
  must('RUN-COSTS-AT-ONCE', '§3.2, §8.2', 'runTask', racing)
    .tests('billing-unavoidable', 'cost-one', 'run-reserves', 'prices')
    .states('Runs that are requested at the same moment are accepted, and cost one credit each.')
    .experiment('moment', async (t) => {
      const { runs, ofOneTask } = await concurrentPaymentEvidence(t)
      const { answers, taken } = assumePresent(runs, 'a burst of runs')
      const refused = answers.find((one) => !isRunAccepted(one) && conflicts.includes(one.status))
      if (refused)
        throw new Violation('a success or 409 busy, with credits', briefAnswer(refused), ...answers)
      assumeSeveral(taken.length)
      for (const burst of [runs, ofOneTask]) {
        if (!burst) continue
        const { answers, taken, ends, ...balances } = burst
        const by = `by ${taken.length} runs of ${countWithNoun(new Set(taken).size, 'task')} requested at the same moment`
        if (ends) await lostAnew(expectRunsCharged(t, ends, balances, by, ...answers))
        else await lostAnew(expectSpent(t, taken.length, balances, by, ...answers))
      }
    }),

  must('CREATIVE-COSTS-AT-ONCE', '§4, §8.2', 'generateCreative', racing)
    .tests('billing-unavoidable', 'cost-one', 'generate-creative', 'creative-cost', 'prices')
    .states('Generations that are requested at the same moment cost one credit each.')
    .experiment('moment', async (t) => {
      const { generations } = await concurrentPaymentEvidence(t)
      const { answers, ...balances } = assumePresent(generations, 'a burst of generations')
      const { length } = answers.filter(hasSuccessStatus)
      assumeSeveral(length)
      const by = `by ${length} generations requested at the same moment`
      await lostAnew(expectSpent(t, length, balances, by, ...answers))
    }),
]
