/** A mock for one test: its clock is frozen, and internal errors fail the test. */
import { expect, onTestFinished } from 'vitest'
import { createMock, type Mock } from '../app.ts'
import type { MockOptions } from '../config/options.ts'

/** The time of such a mock, ms since the epoch. */
export const noon = Date.UTC(2026, 2, 1, 12)

/** Creates a mock whose clock is frozen at `noon`. */
export function frozenMock(options: Omit<MockOptions, 'now'> = {}): Mock {
  const mock = createMock({ now: noon, ...options })
  mock.clock.freeze(noon)
  onTestFinished(() => expect(mock.bugs).toEqual([]))
  return mock
}
