/** The differential comparison repeats exactly, and notices a change of the mock. */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { type RandomSession, runSession, sessionArbitrary } from './differential.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const drawn = fc.sample(sessionArbitrary(40), { numRuns: 2, seed: 11 })

test('a mock gives the same bytes to the same session twice', async () => {
  for (const session of drawn)
    expect(await runSession(createMock, session)).toEqual(await runSession(createMock, session))
})

test('a mock that differs in one option gives other bytes', async () => {
  const differs = async (session: RandomSession) => {
    const changed = runSession((options) => createMock({ ...options, runDuration: '3s' }), session)
    return (await changed).join() !== (await runSession(createMock, session)).join()
  }
  expect(await Promise.all(drawn.map(differs))).toContain(true)
})
