/**
 * Parsing of options, and messages for invalid ones; a text with one wrong letter is rejected with a suggestion, or
 * means what it says, and is never ignored.
 */
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { directiveProblemIn, faultsInDirectives, parsePreferHeader } from '../faults/directives.ts'
import { faultText } from '../faults/fault.ts'
import { parseFaultRule, parseForcedErrorRule } from '../faults/grammar.ts'
import { parseFault } from '../faults/words.ts'
import { parseOptionsWithScenario } from '../scenarios/index.ts'
import { checkedClientOf } from '../testing/client.ts'
import { createControlClient } from '../testing/control.ts'
import { createFrozenMock } from '../testing/mock.ts'
import { sampleUnlessExhaustive } from '../testing/sample.ts'
import type { MockOptionsInput, MockSettings } from './options.ts'

const read = (options: object) => parseOptionsWithScenario(options as MockOptionsInput)

const busy = { kind: 'error', code: 'busy' } as const

test.each<[object, Partial<MockSettings>]>([
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
const takesPast = 'takes seeded, none, or a number of finished tasks, 0 to 100,000'

test.each<[option: string, problem: string, ...wrong: unknown[]]>([
  ['variant', 'takes first or second', 'third'],
  ['extended', 'takes true or false', 'yes'],
  ['credits', takesCredits, -1, '', ' ', 'many', Number.POSITIVE_INFINITY, null],
  ['busy', 'takes a number of seconds, 0 or more', 'long', -1, ' '],
  ['rateLimit', takesLimit, '600', '600/60', '-1/60s', '1/0s', `1/${'9'.repeat(400)}s`],
  ['retryAfter', 'takes seconds or date', 'never'],
  ['runOutcome', 'takes completed, failed, or a failure rate from 0 to 1', 1.1, '', ' '],
  ['chaos', 'takes the share of requests', ' '],
  ['runDuration', 'takes a duration such as 2s or 150ms', true, '2', '-2s', '2 s', 'soon', -1],
  ['force', 'does not know the fault "nope"', 'nope'],
  ['force', 'cannot make whoami return busy', ['busy', 'busy@whoami']],
  ['fault', 'takes a text or a list of texts', 7],
  ['now', takesMoment, new Date(Number.NaN), 'tomorrow', '2026-13-01', '2026-02-30', '2026-03-01 noon', ''],
  ['keysOnly', 'takes one or more keys separated by commas, each once', ' , ', 7, 'a,a'],
  ['cors', 'takes true or false', 'no'],
  ['past', takesPast, 'some', 1.5, ' '],
  ['topUp', 'takes N/Ws, such as 5/10s', '5'],
  ['strictClient', 'takes a seed, ids of quirks, true or false', '', []],
  [
    'strictClient',
    'takes one of ids-uuids and ids-numbers, which exclude each other',
    'ids-numbers,ids-uuids',
  ],
  ['scenario', 'takes the id of a scenario', ['slow-run']],
  ['scenario', 'takes out-of-credits, top-up-and-recover, ', 'nope'],
  ['seed', 'takes a text or a number', {}],
  ['port', 'is not an option of a mock; listen() and the command take it', 1],
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
  const response = await createFrozenMock().fetch('http://mock.test/api/cli/tasks', { headers })
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(part)])
})

const letters = sampleUnlessExhaustive([...'abcdefghijklmnopqrstuvwxyz0123456789_-=:;,. '], 2)

/** Every text that differs from another by one letter: left out, added, replaced, or swapped with the next. */
function typos(text: string): string[] {
  const found = new Set<string>()
  for (let i = 0; i <= text.length; i++) {
    const [before, at, after] = [text.slice(0, i), text[i] ?? '', text.slice(i + 1)]
    found.add(before + after)
    if (after) found.add(before + (after[0] ?? '') + at + after.slice(1))
    for (const letter of letters) {
      found.add(before + letter + after)
      found.add(before + letter + at + after)
    }
  }
  found.delete(text)
  return [...found]
}

/** True if a rule is neither rejected with a reason nor has any faults. */
const isIgnored = (rule: ReturnType<typeof parseFaultRule>) =>
  typeof rule === 'string' ? rule.length < 20 : rule.faults.map(faultText).join() === ''

test.each<[where: string, texts: string[], isIgnored: (typo: string) => boolean]>([
  [
    'a Prefer header',
    ['code=402', 'error=rate_limited', 'variant=second', 'fault=lost', 'delay=2', 'fault="delay 50ms"'],
    (header) => parsePreferHeader(header) === undefined && header.trim() !== '',
  ],
  [
    'a text directive',
    ['[[mock:fail]]', '[[mock:slow 5s]]', '[[mock:create:503]]', '[[mock:402]]'],
    (text) =>
      directiveProblemIn('createTask', text) === undefined &&
      faultsInDirectives(text, 'run').length + faultsInDirectives(text, 'creation').length === 0,
  ],
  [
    'a fault rule',
    ['runTask=busy,ok;times=2', 'whoami=delay 50ms;rate=0.5;seed=x', 'lost;after=3'],
    (rule) => isIgnored(parseFaultRule(rule)),
  ],
  [
    'a forced error',
    ['402@runTask', 'busy', 'unavailable@whoami'],
    (force) => isIgnored(parseForcedErrorRule(force)),
  ],
  [
    'the name of an option',
    ['credits', 'runDuration', 'fault', 'chaos', 'scenario'],
    (name) => !Array.isArray(read({ [name]: 1 })),
  ],
  [
    'an instruction',
    ['rate_limited', 'truncate', 'malformed', 'slow 5s', 'delay 100ms..900ms'],
    (word) => {
      const fault = parseFault(word)
      return fault !== undefined && !isDeepStrictEqual(parseFault(faultText(fault)), fault)
    },
  ],
])('no typo in %s is ignored', (_, texts, isIgnored) => {
  expect(texts.flatMap(typos).filter(isIgnored)).toEqual([])
})

test('an ordinary text with brackets stays a text', () => {
  const texts = ['see [1] and [2]', 'array[[0]]', '[[wiki link]]', 'a [link](mock:x)', '[mob] rules']
  texts.push('m[i] = [[1, 2], [3, 4]]')
  expect(texts.filter((text) => directiveProblemIn('createTask', text) !== undefined)).toEqual([])
})

/** Text of JSON without its escaped quotes. */
const plain = (json: string) => json.replaceAll('\\"', '"')

test.each([
  ['error=ratelimited', 'did you mean "rate_limited"'],
  ['fault=lots', 'did you mean "lost"'],
  ['cod=402', 'did you mean "code"'],
  ['variant=secnd', 'did you mean "second"'],
  ['variant=2', 'write first or second'],
  ['code=999', 'write 400, 401, 402'],
  ['error=zzz', 'write unauthorized, '],
  ['code=402, respond-async', 'that is an answer of runTask and generateCreative'],
  ['fault=slow 5s', 'fault="slow 5s"'],
  ['fault=delay 20ms', 'in quotes'],
])('Prefer: %s is a 400 that says %s, and is not applied', async (prefer, hint) => {
  const { status, text, headers } = await checkedClientOf(createFrozenMock()).call('whoami', {
    headers: { prefer },
  })
  expect([status, headers.get('x-mock-reason')]).toEqual([400, 'prefer; not understood'])
  expect(headers.get('preference-applied')).toBeNull()
  const message = plain(text)
  expect([message, message.includes('did you mean')]).toEqual([
    expect.stringContaining(hint),
    hint.startsWith('did you mean'),
  ])
  expect(message).not.toContain('?.')
})

test.each([
  ['please [[mock:fial]]', 'did you mean "fail"?'],
  ['[[mok:fail]]', '[[mock:fail]]'],
  ['[[mock :fail]]', 'did you mean [[mock:fail]]?'],
  ['[[mock:create:402]]', 'cannot'],
  ['[[mock:creat:503]] Hello', 'did you mean [[mock:create:503]]?'],
])('the text %s is a 400 that says %s', async (text, hint) => {
  const reply = await checkedClientOf(createFrozenMock()).call('createTask', { body: { text } })
  expect([reply.status, reply.headers.get('x-mock-reason')]).toEqual([400, 'magic; not understood'])
  expect(plain(reply.text)).toContain(hint)
})

test('under quirks the rejection is still readable', async () => {
  for (let seed = 0; seed < 10; seed++) {
    const { call } = checkedClientOf(createFrozenMock({ strictClient: seed }))
    const { status, text } = await call('whoami', { headers: { prefer: 'error=ratelimited' } })
    expect([status, text.includes('rate_limited')]).toEqual([400, true])
  }
})

test.each([
  ['a.credts=0', 'credits'],
  ['a.run-duration=5', 'run-duration takes'],
  ['a.toString=1', 'toString is not an option of a key; write credits'],
  ['a.credits0', 'credits='],
  ['a.Credits=0', 'credits'],
  ['a.run_outcome=failed', 'run-outcome'],
  ['a.runOutcome=failed', 'run-outcome'],
  ['a.credits=1.credits=2', 'credits is given twice'],
  ['a.fault=runTsk=busy', 'runTask'],
  ['a.fault=whoami=busy', 'cannot make whoami'],
  ['a.scenario=slow-rum', 'slow-run'],
  ['a.strict-client=ids-numbers,created-20', 'created-201'],
  ['a.past=100000', 'at most 5000 tasks'],
  ['.credits=1', 'the name is missing before them'],
])('the key of %s is a 401 that names %s', async (name, nearest) => {
  const mock = createFrozenMock()
  const headers = { authorization: `Bearer wak_test_${name}` }
  const response = await mock.fetch('http://mock.test/api/cli/whoami', { headers })
  const text = await response.text()
  expect([response.status, text]).toEqual([401, expect.stringContaining(nearest)])
  expect(text).not.toContain('?.')
  expect(() => mock.credentials(name)).toThrow(nearest)
  expect(mock.ledgers()).toEqual([])
})

test.each([
  ['POST /organizations', { body: { nam: 'x' } }, 'name'],
  ['GET /report', { query: '?formt=html' }, 'format'],
  ['GET /requests', { query: '?oprtion=whoami' }, 'operation'],
  ['GET /ledger', { query: '?orgid=x' }, 'org_id'],
  ['GET /events', { query: '?since=-1' }, 'since: takes the number of a request'],
])('%s with %j is a 400 that names %s', async (route, input, nearest) => {
  const { status, body } = await createControlClient(createFrozenMock()).call(route, input)
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(nearest)])
  expect(JSON.stringify(body)).not.toContain('?.')
})
