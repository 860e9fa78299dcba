/** Checks one after the other judge as checks side by side do, of which matrix.test.ts has the verdicts. */
import { expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { sample } from '#mocks/testing/sample.ts'
import { defects } from './defects/index.ts'
import { objections, variantsOf } from './matrix.ts'
import { tryMutations } from './trial.ts'

const differing = [
  // It starts a run later than the suite waits after the last refusal, which is earlier where checks run side by side.
  'unavailable-runs-much-later',
  // What lists show then may be older than they may be late.
  'credits-of-last-list',
  // The organization that pays has it repeated, but for runs that are requested one after the other.
  'credits-charged-to-the-first',
]

test.each(
  sample(
    defects.filter(({ id }) => !differing.includes(id)),
    800,
  ).map((defect) => [defect.id, defect] as const),
)('the defect %s breaks exactly what it names with --concurrency 1', async (_, defect) => {
  const variant = variantsOf(defect)[0] ?? 'first'
  const trial = await tryMutations([defect.mutate()], variant, { extended: 'on', concurrency: 1 })
  expect(objections(trial, defect.breaks, catalogue)).toEqual([])
})
