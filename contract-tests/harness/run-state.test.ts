/** The budget refuses a spend that would exceed it, and an event that never came is waited for in full once. */
import { expect, test } from 'vitest'
import { createDeadlines } from './deadlines.ts'
import { createCreditBudget } from './run-state.ts'

test('what was planned is never exceeded, even if more is allowed', () => {
  const budget = createCreditBudget(20, 2)
  budget.allow(2)
  budget.spend(2)
  expect(() => budget.allow(1)).toThrow(
    expect.objectContaining({
      message:
        'it may spend 1 Work Credit, but 2 of the 2 planned are spent, and the 18 beyond are kept for repetitions',
      supply: 'another run with --only and its id',
    }),
  )
  expect(budget.limit).toBe(20)
})

test('what is violated may be repeated up to what is allowed', () => {
  const budget = createCreditBudget(3, 1)
  budget.spend(1)
  budget.exceedPlan()
  budget.allow(2)
  expect(() => budget.allow(3)).toThrow('only 2 of the 3 allowed are left')
})

test('without credits it allows nothing and names the flag that would', () => {
  expect(() => createCreditBudget(0).allow(1)).toThrow(
    expect.objectContaining({
      message: 'it may spend 1 Work Credit, but only 0 of the 0 allowed are left',
      supply: '--max-credits 1 or more',
    }),
  )
})

test('after an event was missed, later waits last three times as long as the slowest that came', () => {
  const deadlines = createDeadlines(60_000)
  deadlines.record('a run to end', true, 2_000)
  deadlines.record('a waiting run to end', false, 60_000)
  expect(deadlines.for('a waiting run to end')).toBe(6_000)
})

test('what depends on a missed event is not waited for in full either', () => {
  const deadlines = createDeadlines(60_000)
  deadlines.record('a refund', false, 60_000)
  expect(deadlines.for('another refund')).toBe(300)
  expect(deadlines.for('the refund of a generation')).toBe(60_000)
})

test('no wait is longer than the full time', () => {
  const deadlines = createDeadlines(500)
  deadlines.record('a run to end', true, 400)
  deadlines.record('a run to end', false, 500)
  expect(deadlines.for('a second run to end')).toBe(500)
})
