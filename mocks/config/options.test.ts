/** Parsing of options, and messages for invalid ones. */
import { expect, test } from 'vitest'
import { readSettings } from '../scenarios/index.ts'
import { frozenMock } from '../testing/mock.ts'
import type { Options, Settings } from './options.ts'

const read = (options: object) => readSettings(options as Options)

const busy = { kind: 'error', code: 'busy' } as const

test.each<[object, Partial<Settings>]>([
  [{ variant: 'second' }, { variant: 'second' }],
  [{ extended: false }, { extended: false }],
  [{ credits: '0' }, { credits: 0 }],
  [{ credits: 2.5 }, { credits: 2.5 }],
  [{ busy: true }, { busyMs: 30_000 }],
  [{ busy: false }, { busyMs: 0 }],
  [{ busy: '1.5' }, { busyMs: 1_500 }],
  [{ busy: '2m' }, { busyMs: 120_000 }],
  [{ rateLimit: '5/1m' }, { rateLimit: { limit: 5, window_ms: 60_000 } }],
  [{ rateLimit: '0/250ms' }, { rateLimit: { limit: 0, window_ms: 250 } }],
  [{ rateLimit: 'off' }, { rateLimit: 'off' }],
  [{ retryAfter: 'date' }, { retryAfter: 'date' }],
  [{ runOutcome: 'failed' }, { failureRate: 1 }],
  [{ runOutcome: 'completed' }, { failureRate: 0 }],
  [{ runOutcome: '0.25' }, { failureRate: 0.25 }],
  [{ force: 'busy' }, { faults: [{ operation: undefined, faults: [busy] }] }],
  [{ force: ['busy@runTask'] }, { faults: [{ operation: 'runTask', faults: [busy] }] }],
  [{ seed: 7 }, { seed: '7' }],
  [{ keysOnly: ' a, b ,' }, { keysOnly: ['a', 'b'] }],
  [{ cors: true }, { cors: true }],
  [{ past: 'none' }, { past: 'none' }],
  [{ past: '500' }, { past: 500 }],
  [{ topUp: '2.5/3s' }, { topUp: { credits: 2.5, after_ms: 3_000 } }],
  [{ strictClient: 7 }, { strictClient: '7' }],
  [{ strictClient: true, seed: 's' }, { strictClient: 's' }],
  [{ strictClient: false }, { strictClient: undefined }],
  [{ scenario: 'out-of-credits' }, { credits: 2, seed: 'out-of-credits' }],
  [
    { scenario: 'out-of-credits', credits: 3 },
    { credits: 3, seed: 'out-of-credits' },
  ],
  [{ scenario: 'strict-client', strictClient: false }, { strictClient: undefined }],
  [{ now: '2026-03-01' }, { now: Date.UTC(2026, 2, 1) }],
  [{ now: '2026-03-01T09:00:00.5Z' }, { now: Date.UTC(2026, 2, 1, 9, 0, 0, 500) }],
  [{ now: 0 }, { now: 0 }],
])('%j is accepted', (options, settings) => {
  expect(read(options)).toMatchObject(settings)
})

const takesCredits = 'takes a number of credits, 0 to 1,000,000,000,000'
const takesLimit = 'takes N/Ws, such as 600/60s, or off; the window is a year at most'
const takesMoment = 'takes an ISO 8601 date such as 2026-03-01T09:00:00Z'
const takesPast = 'takes seeded, none, or a number of finished tasks'

test.each<[option: string, problem: string, ...wrong: unknown[]]>([
  ['variant', 'takes first or second', 'third'],
  ['extended', 'takes true or false', 'yes'],
  ['credits', takesCredits, -1, '', 'many', Number.POSITIVE_INFINITY, null],
  ['busy', 'takes a number of seconds, 0 or more', 'long', -1],
  ['rateLimit', takesLimit, '600', '600/60', '-1/60s', '1/0s', `1/${'9'.repeat(400)}s`],
  ['retryAfter', 'takes seconds or date', 'never'],
  ['runOutcome', 'takes completed, failed, or a failure rate from 0 to 1', 1.1, ''],
  ['runDuration', 'takes a duration such as 2s or 150ms', true, '2', '-2s', '2 s', 'soon', -1],
  ['force', 'does not know the fault "nope"', 'nope'],
  ['force', 'cannot make whoami return busy', ['busy', 'busy@whoami']],
  ['fault', 'takes a text or a list of texts', 7],
  ['now', takesMoment, new Date(Number.NaN), 'tomorrow', '2026-13-01', '2026-02-30', '2026-03-01 noon', ''],
  ['keysOnly', 'takes one or more keys separated by commas', ' , ', 7],
  ['cors', 'takes true or false', 'no'],
  ['past', takesPast, 'some', 1.5],
  ['topUp', 'takes N/Ws, such as 5/10s', '5'],
  ['strictClient', 'takes a seed, ids of quirks, true or false', '', []],
  ['scenario', 'takes out-of-credits, top-up-and-recover, ', 'nope'],
  ['seed', 'takes a text or a number', {}],
  ['port', 'is not an option', 1],
])('%s %s: it is told so', (option, problem, ...wrong) => {
  for (const value of wrong)
    expect(read({ [option]: value })).toEqual([{ option, problem: expect.stringContaining(problem) }])
})

test.each([
  ['scenario=out-of-credits', '"credits":2'],
  ['scenario=out-of-credits.credits=7', '"credits":7'],
  ['scenario=second-variant', '"usedToday"'],
])('a key with %s is answered with %s', async (option, part) => {
  const headers = { authorization: `Bearer wak_test_ada.${option}` }
  const response = await frozenMock().fetch('http://mock.test/api/cli/tasks', { headers })
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(part)])
})
