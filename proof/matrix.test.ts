import { expect, test } from 'vitest'
import { variants } from '#contract/route.ts'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import { defects } from './defects/index.ts'
import { variations } from './legal-variations/index.ts'
import { drawVariations, seeds, tryTogether, tryVariation, variantsOf } from './matrix.ts'
import { tryMutations } from './trial.ts'

// A sample of the matrix, whose defects curl-lines.test.ts tries; `npm run proof` tries all of it.
const share = <T>(rows: readonly T[], every: number) => rows.filter((_, i) => i % every === 0)
const variantFor = (i: number, row: Parameters<typeof variantsOf>[0]) => {
  const fitting = variantsOf(row)
  return fitting[i % fitting.length] ?? 'first'
}

test.each(
  variants,
)('the mock without a defect meets every requirement, and all are exercised (%s)', async (variant) => {
  const { run, red, faults } = await tryMutations([], variant, { extended: 'on' })
  expect({ red, faults }).toEqual({ red: [], faults: [] })
  expect(resultsOf(run, 'not_exercised').map(({ requirement }) => requirement.id)).toEqual([])
})

test.each(['extended-absent', 'long-texts-refused-422-200'])('%s leaves nothing unexercised', async (id) => {
  const { run } = await tryMutations(
    variations.filter((one) => one.id === id).map((one) => one.mutate()),
    'first',
  )
  expect(resultsOf(run, 'not_exercised').map(({ requirement }) => requirement.id)).toEqual([])
})

test.each(
  share(variations, 44).map((one, i) => [one.id, one, variantFor(i, one)] as const),
)('the variation %s breaks nothing', async (_, variation, variant) => {
  expect((await tryVariation(variation, variant)).objections).toEqual([])
})

test.each(share(seeds, 200))('variations drawn together break nothing (seed %s)', async (seed) => {
  expect((await tryTogether(drawVariations(variations, seed), 'first')).objections).toEqual([])
})

test('a trial has the same outcome each time', async () => {
  const [defect] = defects
  const look = async () => {
    const { run } = await tryMutations(defect ? [defect.mutate()] : [], 'first')
    return run.results.map(({ requirement, outcome, actual }) => [requirement.id, outcome, actual])
  }
  expect(await look()).toEqual(await look())
})
