/** Checks side by side judge as checks one after the other do. */
import { expect, test } from 'vitest'
import { sample } from '#mocks/testing/sample.ts'
import { defects } from './defects/index.ts'
import { variantsOf } from './matrix.ts'
import { tryMutations } from './trial.ts'

/** It starts a run later than the suite waits after the last refusal, which is earlier where checks run side by side. */
const later = 'unavailable-runs-much-later'

test.each(
  sample(
    defects.filter(({ id }) => id !== later),
    110,
  ).map((defect) => [defect.id, defect] as const),
)('the verdict on %s is the same with --concurrency 1', async (_, defect) => {
  const variant = variantsOf(defect)[0] ?? 'first'
  const judge = async (settings: object) =>
    (await tryMutations([defect.mutate()], variant, { extended: 'on', ...settings })).red
  expect(await judge({ concurrency: 1 })).toEqual(await judge({}))
})
