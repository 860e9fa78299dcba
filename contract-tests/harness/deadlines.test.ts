/** An event that never came is waited for in full once; later waits for the same are short. */
import { expect, test } from 'vitest'
import { Deadlines } from './deadlines.ts'

test('after an event was missed, later waits last three times as long as the slowest that came', () => {
  const deadlines = new Deadlines(60_000)
  deadlines.record('a run to end', true, 2_000)
  deadlines.record('a waiting run to end', false, 60_000)
  expect(deadlines.for('a waiting run to end')).toBe(6_000)
})

test('what depends on a missed event is not waited for in full either', () => {
  const deadlines = new Deadlines(60_000)
  deadlines.record('a refund', false, 60_000)
  expect(deadlines.for('another refund')).toBe(300)
  expect(deadlines.for('the refund of a generation')).toBe(60_000)
})

test('no wait is longer than the full time', () => {
  const deadlines = new Deadlines(500)
  deadlines.record('a run to end', true, 400)
  deadlines.record('a run to end', false, 500)
  expect(deadlines.for('a second run to end')).toBe(500)
})
