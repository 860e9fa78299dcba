/** The table of mechanical mutants, and a sample of them; `npm run proof mutants` tries all. */
import { expect, test } from 'vitest'
import { mutants, tryMutant } from './index.ts'

test('each mutant has an id of its own, and each operation is mutated', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  expect(new Set(mutants.map(({ id }) => id.split(' ')[0])).size).toBe(21)
})

test.each([
  'createTask task.text swapped',
  'getTask request dropped',
  'listTasks request cached',
  'listTasks items.*.description constant',
  'getWallet request doubled',
])('%s is judged as it was classified', async (id) => {
  const mutant = mutants.find((one) => one.id === id)
  expect(mutant && (await tryMutant(mutant)).objection).toBeUndefined()
  expect(mutant?.is).not.toBe('arguable')
})
