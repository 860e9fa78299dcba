/** Parsing of options, and messages for invalid ones. */
import { expect, test } from 'vitest'
import { createMock } from '../app.ts'
import { readSettings } from '../scenarios/index.ts'
import { frozenMock, noon } from '../testing/mock.ts'
import type { Options, Settings } from './options.ts'

const read = (options: object) => readSettings(options as Options)

test('without options, the defaults apply', () => {
  expect(read({})).toEqual({
    options: {},
    variant: 'first',
    extended: true,
    credits: 25,
    busyMs: 0,
    rateLimit: { limit: 600, window_ms: 60_000 },
    retryAfter: 'seconds',
    runDurationMs: 2_000,
    failureRate: 0,
    faults: [],
    chaos: undefined,
    progress: 'time',
    journal: 10_000,
    organizations: 100_000,
    rows: 1_000_000,
    reasonHeader: true,
    seed: 'work-agent',
    now: undefined,
    keysOnly: undefined,
    past: 'seeded',
    topUp: undefined,
    strictClient: undefined,
    scenario: undefined,
    cors: false,
  } satisfies Settings)
})

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
  [{ force: 'busy' }, { faults: [{ operation: undefined, faults: [{ kind: 'error', code: 'busy' }] }] }],
  [
    { force: ['no_credits@runTask'] },
    { faults: [{ operation: 'runTask', faults: [{ kind: 'error', code: 'no_credits' }] }] },
  ],
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

test.each<[object, string]>([
  [{ variant: 'third' }, 'takes first or second'],
  [{ extended: 'yes' }, 'takes true or false'],
  [{ credits: -1 }, 'takes a number of credits, 0 or more'],
  [{ credits: '' }, 'takes a number of credits, 0 or more'],
  [{ credits: 'many' }, 'takes a number of credits, 0 or more'],
  [{ credits: Number.POSITIVE_INFINITY }, 'takes a number of credits, 0 or more'],
  [{ busy: 'long' }, 'takes a number of seconds, 0 or more'],
  [{ busy: -1 }, 'takes a number of seconds, 0 or more'],
  [{ rateLimit: '600' }, 'takes N/Ws, such as 600/60s, or off; the window is a year at most'],
  [{ rateLimit: '600/60' }, 'takes N/Ws, such as 600/60s, or off; the window is a year at most'],
  [{ rateLimit: '-1/60s' }, 'takes N/Ws, such as 600/60s, or off; the window is a year at most'],
  [{ rateLimit: '1/0s' }, 'takes N/Ws, such as 600/60s, or off; the window is a year at most'],
  [
    { rateLimit: `1/${'9'.repeat(400)}s` },
    'takes N/Ws, such as 600/60s, or off; the window is a year at most',
  ],
  [{ retryAfter: 'never' }, 'takes seconds or date'],
  [{ runOutcome: 1.1 }, 'takes completed, failed, or a failure rate from 0 to 1'],
  [{ runOutcome: '' }, 'takes completed, failed, or a failure rate from 0 to 1'],
  [{ force: 'nope' }, 'does not know the fault "nope"'],
  [{ force: ['busy', 'busy@whoami'] }, 'cannot make whoami return busy'],
  [{ now: new Date(Number.NaN) }, 'takes an ISO 8601 date such as 2026-03-01T09:00:00Z'],
  [{ keysOnly: ' , ' }, 'takes one or more keys separated by commas'],
  [{ cors: 'no' }, 'takes true or false'],
  [{ past: 'some' }, 'takes seeded, none, or a number of finished tasks'],
  [{ past: 1.5 }, 'takes seeded, none, or a number of finished tasks'],
  [{ topUp: '5' }, 'takes N/Ws, such as 5/10s'],
  [{ strictClient: '' }, 'takes a seed, true or false'],
  [{ scenario: 'nope' }, 'takes out-of-credits, top-up-and-recover, '],
  [{ credits: null }, 'takes a number of credits, 0 or more'],
  [{ runDuration: true }, 'takes a duration such as 2s or 150ms'],
  [{ fault: 7 }, 'takes a text or a list of texts'],
  [{ keysOnly: 7 }, 'takes one or more keys separated by commas'],
  [{ strictClient: [] }, 'takes a seed, true or false'],
  [{ seed: {} }, 'takes a text or a number'],
  [{ port: 1 }, 'is not an option'],
])('%j is rejected', (options, problem) => {
  const problems = read(options)
  expect(problems).toEqual([{ option: Object.keys(options)[0], problem: expect.stringContaining(problem) }])
})

test('all problems are reported together', () => {
  const problems = read({ credits: -1, seed: null, nope: 1, force: ['x', 'y'] })
  expect(Array.isArray(problems) && problems.map(({ option }) => option).sort()).toEqual([
    'credits',
    'force',
    'force',
    'nope',
    'seed',
  ])
})

test('a key can begin in a scenario, and have a rate limit of its own', async () => {
  const mock = frozenMock()
  const ask = (key: string) =>
    mock.fetch('http://mock.test/api/cli/whoami', { headers: { authorization: `Bearer ${key}` } })
  const limited = 'wak_test_ada.rate-limit=2/60s'
  expect([(await ask(limited)).status, (await ask(limited)).status, (await ask(limited)).status]).toEqual([
    200, 200, 429,
  ])
  expect((await ask('wak_test_ada')).status).toBe(200)
  const poor = mock.organization('bob.scenario=out-of-credits')
  const { credits } = await (await ask('wak_test_bob.scenario=out-of-credits')).json()
  const whole = createMock({ now: noon, scenario: 'out-of-credits' })
  expect(credits).toBe(whole.organization('bob').ledgers()[0]?.balance)
  expect(poor.ledgers()[0]?.balance).toBe(credits)
  expect((await (await ask('wak_test_bob.scenario=out-of-credits.credits=7')).json()).credits).toBe(7)
  const second = 'wak_test_eve.scenario=second-variant'
  const tasks = await mock.fetch('http://mock.test/api/cli/tasks', {
    headers: { authorization: `Bearer ${second}` },
  })
  expect(await tasks.json()).toHaveProperty('usedToday')
  const wrong = await ask('wak_test_bob.scenario=slow-rum')
  expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('slow-run')])
  const quirks = await ask('wak_test_bob.strict-client=ids-numbers,created-20')
  expect([quirks.status, await quirks.text()]).toEqual([401, expect.stringContaining('created-201')])
})
