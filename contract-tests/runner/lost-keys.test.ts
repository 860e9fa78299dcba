/** After a search that ended because the key of the operator was refused: whether creations cost a key its life. */
import { expect, test } from 'vitest'
import { keepOnlyNewestKeys } from '#proof/defects/keys.ts'
import { createMutatedMock } from '#proof/mutations/mutation.ts'
import { idsWithOutcome, runSuiteOnMock } from '../testing/run.ts'
import { recheckKeyAfterSearch } from './lost-keys.ts'

test.each([
  ['of which four are kept', 4, ['KEY-WORKS']],
  ['of which a hundred are kept', 100, []],
])('keys %s', async (_, most, red) => {
  const create = (options: object = {}) => createMutatedMock([keepOnlyNewestKeys(most)], options)
  const { run, settings, target } = await runSuiteOnMock({ only: ['KEY-WORKS'] }, { create })
  const met = run.results.map((one) => ({ ...one, outcome: 'passed' as const }))
  const looked = await recheckKeyAfterSearch({ ...run, results: met }, settings, target)
  expect(idsWithOutcome(looked, 'failed')).toEqual(red)
  expect(looked.left).toEqual([])
  expect(looked.secrets.length).toBeGreaterThan(run.secrets.length)
})
