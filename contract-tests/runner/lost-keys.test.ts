/** After a search that ended because the key of the operator was refused: whether creations cost a key its life. */
import { expect, test } from 'vitest'
import { createMutated } from '#proof/mutations/mutation.ts'
import { after } from '#proof/mutations/rules.ts'
import { idsOf, runOnMock } from '../testing/run.ts'
import { withLostKey } from './lost-keys.ts'

/** Of all keys of an organization, only so many of the newest stay valid. */
const keeping = (most: number) =>
  after('createKey', ({ org }) => {
    for (const key of org.keys.newest(Infinity, ({ deleted }) => !deleted).slice(most)) key.deleted = true
  })

test.each([
  ['of which four are kept', 4, ['KEY-WORKS']],
  ['of which a hundred are kept', 100, []],
])('keys %s', async (_, most, red) => {
  const create = (options: object = {}) => createMutated([keeping(most)], options)
  const { run, settings, target } = await runOnMock({ only: ['KEY-WORKS'] }, { create })
  const met = run.results.map((one) => ({ ...one, outcome: 'passed' as const }))
  const looked = await withLostKey({ ...run, results: met }, settings, target)
  expect(idsOf(looked, 'failed')).toEqual(red)
  expect(looked.left).toEqual([])
  expect(looked.secrets.length).toBeGreaterThan(run.secrets.length)
})
