/** A mock for one test: its clock is frozen, and internal errors fail the test. */

import { expect, onTestFinished } from 'vitest'
import { createMock, type Mock } from '../app.ts'
import type { MockOptions } from '../scenarios/index.ts'
import { checkedClientOf } from './client.ts'
import { createControlClient } from './control.ts'

/** The time at which the clock of a mock from `createFrozenMock` stands: 2026-03-01T12:00Z, ms since the epoch. */
export const noonMs = Date.UTC(2026, 2, 1, 12)

/** Options of a mock for a test; those with a grammar may be any text, to test the messages too. */
type TestOptions = Omit<MockOptions, 'now' | 'fault' | 'force'> & { fault?: Texts; force?: Texts }
type Texts = string | readonly string[]

/** Creates a mock for one test: its clock stands at `noonMs`, and an internal error fails the test. */
export function createFrozenMock(options: TestOptions = {}): Mock {
  const mock = createMock({ now: noonMs, ...options } as MockOptions)
  mock.clock.freeze(noonMs)
  onTestFinished(() => expect(mock.bugs).toEqual([]))
  return mock
}

/** Creates a frozen mock for one test, with a client of one of its organizations and the control calls for it. */
export function createFrozenMockWithClient(options: TestOptions = {}, name?: string) {
  const mock = createFrozenMock(options)
  return {
    mock,
    ...checkedClientOf(mock, name),
    control: createControlClient(mock, mock.credentials(name).apiKey),
  }
}
