/** The budget refuses a spend that would exceed it. */
import { expect, test } from 'vitest'
import { Budget } from './run-state.ts'

test('what was planned is never exceeded, even if more is allowed', () => {
  const budget = new Budget(20, 2)
  budget.allow(2)
  budget.spend(2)
  expect(() => budget.allow(1)).toThrow('it may spend 1 Work Credit, but 2 of the 2 planned are spent')
  expect(budget.limit).toBe(20)
})

test('what is violated may be repeated up to what is allowed', () => {
  const budget = new Budget(3, 1)
  budget.spend(1)
  budget.exceedPlan()
  budget.allow(2)
  expect(() => budget.allow(3)).toThrow('only 2 of the 3 allowed are left')
})

test('without credits it allows nothing and names the flag that would', () => {
  expect(() => new Budget(0).allow(1)).toThrow(
    expect.objectContaining({
      message: 'it may spend 1 Work Credit, but only 0 of the 0 allowed are left',
      supply: '--max-credits 1 or more',
    }),
  )
})
