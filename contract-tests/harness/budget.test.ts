/** The budget stops before it would be exceeded. */
import { expect, test } from 'vitest'
import { NotExercised } from '../client/finding.ts'
import { Budget } from './budget.ts'

test('it allows what is left, and not one credit more', () => {
  const budget = new Budget(3)
  budget.allow(3)
  budget.spend(2)
  budget.allow(1)
  expect(() => budget.allow(2)).toThrow(NotExercised)
  expect(budget).toMatchObject({ limit: 3, spent: 2 })
})

test('to be asked is not to spend', () => {
  const budget = new Budget(1)
  for (let i = 0; i < 5; i++) budget.allow(1)
  expect(budget.spent).toBe(0)
})

test('without credits nothing is allowed, and it says what would do', () => {
  expect(() => new Budget(0).allow(1)).toThrow(
    expect.objectContaining({
      message: 'it may spend 1 Work Credit, and 0 of the 0 allowed are left',
      supply: '--max-credits 1 or more',
    }),
  )
})
