/** The rate limit per credential (§8.1): waiting exactly the returned time is sufficient. */
import { expect, test } from 'vitest'
import { RateLimiter } from './rate-limit.ts'

const rule = { limit: 2, window_ms: 1_000 }

test('requests up to the limit pass; the next one returns the time to wait', () => {
  const limiter = new RateLimiter()
  expect([0, 10, 20, 30].map((now) => limiter.admit('k', rule, now))).toEqual([0, 0, 980, 970])
})

test('requests pass again after the wait', () => {
  const limiter = new RateLimiter()
  for (const now of [0, 1]) limiter.admit('k', rule, now)
  const wait = limiter.admit('k', rule, 400)
  expect(limiter.admit('k', rule, 400 + wait - 1)).toBe(1)
  expect(limiter.admit('k', rule, 400 + wait)).toBe(0)
})

test('rejected requests do not count', () => {
  const limiter = new RateLimiter()
  for (let now = 0; now < 500; now++) limiter.admit('k', rule, now)
  expect([1_000, 1_001, 1_002].map((now) => limiter.admit('k', rule, now))).toEqual([0, 0, 998])
})

test('credentials are counted separately', () => {
  const limiter = new RateLimiter()
  for (const now of [0, 1, 2]) limiter.admit('k', rule, now)
  expect(limiter.admit('other', rule, 3)).toBe(0)
})

test('clearing opens new windows', () => {
  const limiter = new RateLimiter()
  for (const now of [0, 1]) limiter.admit('k', rule, now)
  limiter.clear()
  expect(limiter.admit('k', rule, 2)).toBe(0)
})

test('a limit of zero rejects every request', () => {
  const limiter = new RateLimiter()
  expect(limiter.admit('k', { limit: 0, window_ms: 700 }, 0)).toBe(700)
})

test('setting the clock back opens a new window', () => {
  const limiter = new RateLimiter()
  for (const now of [5_000, 5_001]) limiter.admit('k', rule, now)
  expect(limiter.admit('k', rule, 100)).toBe(0)
})
