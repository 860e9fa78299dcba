/** `Retry-After` as RFC 9110 §10.2.3 has it, and nothing else. */
import { expect, test, vi } from 'vitest'
import { waitOf } from './rate-limits.ts'

const date = 'Sun, 01 Mar 2026 09:00:00 GMT'

test.each([
  ['0', 0],
  ['1', 1_000],
  ['0120', 120_000],
  ['Sun, 01 Mar 2026 09:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 09:00:30 GMT', 30_000],
  ['Sun Mar  1 09:00:30 2026', 30_000],
  ['Sun, 01 Mar 2026 08:59:30 GMT', 0],
])('%s is %i ms', (value, ms) => {
  expect(waitOf(value, date)).toBe(ms)
})

test('no form depends on where the suite runs', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  expect(new Date(0).getHours(), 'the time zone is in effect').toBe(9)
  expect(waitOf('Sun Mar  1 09:00:30 2026', date)).toBe(30_000)
  vi.unstubAllEnvs()
})

test.each([
  undefined,
  '',
  ' ',
  '1.5',
  '-1',
  '1s',
  '1e3',
  '٣',
  'soon',
  '2026-03-01T09:00:30Z',
  'Sun, 32 Mar 2026 09:00:30 GMT',
])('%j is neither form', (value) => {
  expect(waitOf(value, date)).toBeUndefined()
})

test('without a Date that can be read, a date is read against our own clock', () => {
  const soon = new Date(Date.now() + 3_600_000).toUTCString()
  for (const unusable of [undefined, 'yesterday']) {
    const wait = waitOf(soon, unusable)
    expect(wait).toBeGreaterThan(3_500_000)
    expect(wait).toBeLessThanOrEqual(3_600_000)
  }
})
