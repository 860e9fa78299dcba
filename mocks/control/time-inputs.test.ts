/** Durations and moments have the same forms, and the same error text, wherever they are written. */
import { expect, test } from 'vitest'
import { createMock } from '../app.ts'
import type { Duration, MomentInput } from '../core/duration.ts'
import type { MockOptions } from '../scenarios/settings.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock, noon } from '../testing/mock.ts'

const day = 86_400_000

test.each<[Duration, number]>([
  ['1.5s', 1_500],
  ['150ms', 150],
  ['2m', 120_000],
  ['1h', 3_600_000],
  [250, 250],
])('the duration %j', async (duration, ms) => {
  const mock = frozenMock({
    runDuration: duration,
    rateLimit: typeof duration === 'string' ? `9/${duration}` : 'off',
  })
  expect(mock.settings.runDurationMs).toBe(ms)
  if (mock.settings.rateLimit !== 'off') expect(mock.settings.rateLimit.window_ms).toBe(ms)
  mock.clock.advance(duration)
  expect(mock.clock.now()).toBe(noon + ms)
  await controlOf(mock).done('PUT /clock', { body: { action: 'advance', by: duration } })
  expect(mock.clock.now()).toBe(noon + 2 * ms)
})

test.each<[MomentInput]>([
  ['2026-03-02T12:00:00Z'],
  ['2026-03-02T12:00'],
  ['2026-03-02T13:00+01:00'],
  [noon + day],
  [new Date(noon + day)],
])('the moment %j', async (moment) => {
  expect(createMock({ now: moment }).settings.now).toBe(noon + day)
  const mock = frozenMock()
  mock.clock.set(moment)
  expect(mock.clock.now()).toBe(noon + day)
  mock.clock.set(noon)
  mock.clock.freeze(moment)
  expect(mock.clock.now()).toBe(noon + day)
  mock.clock.set(noon)
  await controlOf(mock).done('PUT /clock', { body: { action: 'set', to: moment } })
  expect(mock.clock.now()).toBe(noon + day)
  if (typeof moment !== 'number') expect(mock.journal.entries({ since: moment })).toEqual([])
})

const thrownBy = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    return String(error)
  }
  return 'nothing'
}

test.each(['2', '-2s', '2 s', 'soon', -1])('%j is no duration anywhere', async (wrong) => {
  const advice = 'takes a duration such as 2s or 150ms'
  const mock = frozenMock()
  const by = wrong as Duration
  expect(thrownBy(() => createMock({ runDuration: by }))).toContain(advice)
  expect(thrownBy(() => mock.clock.advance(by))).toContain(`RangeError: clock.advance ${advice}, not `)
  await expect(mock.journal.wait({ timeout: by })).rejects.toThrow(advice)
  const { status, body } = await controlOf(mock).call('PUT /clock', { body: { action: 'advance', by } })
  expect([status, body.title]).toEqual([400, expect.stringContaining(advice)])
  expect(mock.clock.now()).toBe(noon)
})

test.each(['tomorrow', '2026-13-01', '2026-03-01 noon', ''])('%j is no moment anywhere', async (wrong) => {
  const advice = 'takes an ISO 8601 date such as 2026-03-01T09:00:00Z'
  const mock = frozenMock()
  expect(thrownBy(() => createMock({ now: wrong } satisfies MockOptions))).toContain(advice)
  expect(thrownBy(() => mock.clock.set(wrong))).toContain(`RangeError: clock.set ${advice}, not `)
  expect(thrownBy(() => mock.clock.freeze(wrong))).toContain(`RangeError: clock.freeze ${advice}, not `)
  expect(thrownBy(() => mock.journal.entries({ since: wrong }))).toContain(advice)
  const { status, body } = await controlOf(mock).call('PUT /clock', { body: { action: 'set', to: wrong } })
  expect([status, body.title]).toEqual([400, expect.stringContaining(advice)])
  expect(mock.clock.now()).toBe(noon)
})

test('the clock refuses what is no number either', () => {
  const { clock } = frozenMock()
  expect(() => clock.advance(Number.NaN)).toThrow(RangeError)
  expect(() => clock.advance(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  expect(() => clock.set(new Date(Number.NaN))).toThrow(RangeError)
  expect(clock.now()).toBe(noon)
})
