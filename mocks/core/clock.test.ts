/** What calls cannot show of a clock; all else is in time-travel.test and time-inputs.test. */
import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

test('mock time is real time by default', () => {
  const before = Date.now()
  const now = createClock().now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])('a clock rejects %d', (at) => {
  const clock = createClock(0)
  for (const change of [clock.set, clock.freeze, clock.advance]) expect(() => change(at)).toThrow(RangeError)
  expect(() => clock.advance(-1)).toThrow(RangeError)
})
