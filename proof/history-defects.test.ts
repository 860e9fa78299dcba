import { expect, test } from 'vitest'
import { historyDefects } from './history-defects/index.ts'
import { searchInProcess } from './search-trial.ts'
import { tryMutations } from './trial.ts'

const all = Object.values(historyDefects).flat()
const defectOf = (id: string) => all.find((one) => one.id === id)

test('there are at least 80 history defects, with unique ids', () => {
  const ids = all.map(({ id }) => id)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  expect(ids.length).toBeGreaterThanOrEqual(80)
})

// Samples; `npm run proof:search` tries all of them.
test.each(['refund-fifth-lost', 'crowd-third-free'])('the catalogue does not find %s', async (id) => {
  const trial = await tryMutations([defectOf(id)?.mutate() ?? {}], 'first', { extended: 'on' })
  expect(trial.red).toEqual([])
})

test('the search does not accuse a mock without a defect', async () => {
  const { confirmed, once, bugs } = await searchInProcess([], 7, 10_000)
  expect([...confirmed, ...once].map(({ violation }) => violation)).toEqual([])
  expect(bugs).toEqual([])
})

test.each([
  'creative-fourth-costs-two',
  'mark-read-third-time-counts',
  'docs-fifth-folder-merged',
])('the search finds %s, twice, in few requests', async (id) => {
  const { confirmed } = await searchInProcess([defectOf(id)?.mutate() ?? {}], 1, 60_000)
  expect(confirmed).toHaveLength(1)
  expect(confirmed[0]?.requests).toBeLessThanOrEqual(42)
})
