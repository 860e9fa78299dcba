/** An event that never came is waited for in full once; later waits for the same are short. */
import { expect, test } from 'vitest'
import { Patience } from './patience.ts'

test('after an event was missed, later waits last three times as long as the slowest that came', () => {
  const patience = new Patience(60_000)
  patience.record('a run to end', true, 2_000)
  patience.record('a waiting run to end', false, 60_000)
  expect(patience.for('a waiting run to end')).toBe(6_000)
})

test('what depends on a missed event is not waited for in full either', () => {
  const patience = new Patience(60_000)
  patience.record('a refund', false, 60_000)
  expect(patience.for('another refund')).toBe(300)
  expect(patience.for('the refund of a generation')).toBe(60_000)
})

test('no wait is longer than the full time', () => {
  const patience = new Patience(500)
  patience.record('a run to end', true, 400)
  patience.record('a run to end', false, 500)
  expect(patience.for('a second run to end')).toBe(500)
})
