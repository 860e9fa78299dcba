/** The clock: real time by default, changed explicitly by tests. */
import { expect, test, vi } from 'vitest'
import { createClock } from './clock.ts'

const moment = Date.UTC(2026, 2, 1)

test('mock time is real time by default', () => {
  const before = Date.now()
  const now = createClock().now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

test('a clock runs from its start', () => {
  vi.useFakeTimers()
  const clock = createClock(moment)
  vi.advanceTimersByTime(1_500)
  expect(clock.now()).toBe(moment + 1_500)
  vi.useRealTimers()
})

test('a frozen clock changes only explicitly', () => {
  vi.useFakeTimers()
  const clock = createClock()
  clock.freeze(moment)
  vi.advanceTimersByTime(1_000)
  expect(clock.now()).toBe(moment)
  clock.advance(5)
  clock.advance(0)
  expect(clock.now()).toBe(moment + 5)
  expect(clock.frozen).toBe(true)
  vi.useRealTimers()
})

test('a clock that runs again continues from where it was frozen', () => {
  vi.useFakeTimers()
  const clock = createClock()
  clock.freeze(moment)
  clock.run()
  vi.advanceTimersByTime(20)
  expect([clock.now(), clock.frozen]).toEqual([moment + 20, false])
  vi.useRealTimers()
})

test('a reset clock has its initial state', () => {
  vi.useFakeTimers()
  const clock = createClock(moment)
  clock.advance(5_000)
  clock.freeze()
  clock.reset()
  expect([clock.now(), clock.frozen]).toEqual([moment, false])
  vi.useRealTimers()
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])('a clock rejects %d', (at) => {
  const clock = createClock(moment)
  expect(() => clock.set(at)).toThrow(RangeError)
  expect(() => clock.freeze(at)).toThrow(RangeError)
  expect(() => clock.advance(at)).toThrow(RangeError)
})

test('a clock cannot advance by a negative duration', () => {
  expect(() => createClock().advance(-1)).toThrow(RangeError)
})
