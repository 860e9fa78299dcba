import { expect, test } from 'vitest'
import { fits } from '#contract-tests/runner/selection.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { historyDefects } from './history-defects/index.ts'
import { searchInProcess } from './search-trial.ts'
import { tryMutations } from './trial.ts'

const all = Object.values(historyDefects).flat()
const defectOf = (id: string) => all.find((one) => one.id === id)

test('there are at least 80 history defects that only the search finds, with unique ids', () => {
  const ids = all.map(({ id }) => id)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  expect(all.filter(({ plainRun }) => !plainRun).length).toBeGreaterThanOrEqual(80)
})

/** A sample; `npm run proof` tries all. */
const tried = isWhole
  ? all.map(({ id }) => id)
  : ['refund-fifth-lost', 'crowd-third-free', 'mark-read-forgotten']

test.each(tried)('a run without the search finds of %s what its table says', async (id) => {
  const defect = defectOf(id)
  const { red } = await tryMutations([defect?.mutate() ?? {}], 'first', { extended: 'on' })
  const named = defect?.plainRun ?? []
  expect(red.filter((one) => !named.some((pattern) => fits(one, pattern)))).toEqual([])
  expect(red.length > 0).toBe(named.length > 0)
})

test('the search does not accuse a mock without a defect', async () => {
  const { confirmed, once, bugs } = await searchInProcess([], 7, 10_000)
  expect([...confirmed, ...once].map(({ violation }) => violation)).toEqual([])
  expect(bugs).toEqual([])
})

test.each([
  'mark-read-third-time-counts',
  'last-credit-rerun-refused',
  'doc-corrected-gets-last-id',
])('the search finds %s, twice, in few requests', async (id) => {
  const { confirmed } = await searchInProcess([defectOf(id)?.mutate() ?? {}], 1, 60_000)
  expect(confirmed).toHaveLength(1)
  expect(confirmed[0]?.requests).toBeLessThanOrEqual(42)
})

test.each([
  'creative-fourth-costs-two',
  'docs-fifth-folder-merged',
])('the search finds %s, which takes several times, and makes its history short', async (id) => {
  const { confirmed } = await searchInProcess([defectOf(id)?.mutate() ?? {}], 1, 60_000)
  expect(confirmed).toHaveLength(1)
  expect(confirmed[0]?.evidence.length).toBeLessThanOrEqual(12)
})
