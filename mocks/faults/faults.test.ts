/** Fault rules: their effects in order, their limits and counts; and the same wherever they are written: flag, rule, key, header, text and control call. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorCodes } from '#contract/errors.ts'
import { operationIds } from '#contract/operation.ts'
import { parseOptionsWithScenario } from '../scenarios/index.ts'
import { parseOrganizationSettings } from '../scenarios/key-options.ts'
import { checkedClientOf, collectWhoamiStatuses } from '../testing/client.ts'
import { createControlClient } from '../testing/control.ts'
import { createFrozenMock } from '../testing/mock.ts'
import { faultsInDirectives, parsePreferHeader } from './directives.ts'
import { faultCanAffect, faultText } from './fault.ts'
import { type FaultRuleText, faultRuleProblem, parseFaultRule, parseForcedErrorRule } from './grammar.ts'
import { type FaultRuleDraft, faultRuleTextOf } from './rule.ts'
import { faultExamples, faultTextProblem, parseDelay, parseFault } from './words.ts'

test.each<[string, number[]]>([
  ['whoami=429,503,ok', [429, 503, 200, 200, 200]],
  ['whoami=429,503,ok;times=5', [429, 503, 200, 429, 503, 200]],
  ['whoami=503', [503, 503, 503, 503]],
  ['whoami=503;times=2', [503, 503, 200, 200]],
  ['whoami=503;times=2;after=1', [200, 503, 503, 200]],
  ['whoami=ok,ok,500', [200, 200, 500, 200]],
  ['whoami=503;rate=0;id=mine', [200, 200, 200]],
  ['whoami=503;rate=1;times=1', [503, 200]],
  ['whoami=503;in-a-row=2', [503, 503, 200, 503, 503, 200]],
])('%s', async (fault, expected) => {
  expect(await collectWhoamiStatuses(createFrozenMock({ fault }), expected.length)).toEqual(expected)
})

test('the first matching rule applies, and the next one continues when it is used up', async () => {
  const mock = createFrozenMock({ fault: ['whoami=503;times=1', 'whoami=429,500'] })
  expect(await collectWhoamiStatuses(mock, 4)).toEqual([503, 429, 500, 200])
})

test('rules of an organization precede those for all', async () => {
  const mock = createFrozenMock({ fault: 'whoami=503' })
  const { id: org_id, faults } = mock.organization('ada')
  expect(faults.add('whoami=429;times=1').id).toBe(`f_${org_id.slice(4, 12)}_1`)
  expect(await collectWhoamiStatuses(mock, 2, 'ada')).toEqual([429, 503])
})

test('a rule without an operation affects only operations that declare the error', async () => {
  const { call } = checkedClientOf(createFrozenMock({ fault: 'no_credits' }))
  expect((await call('whoami')).status).toBe(200)
  expect((await call('generateCreative', { body: { prompt: 'a' } })).status).toBe(402)
})

test('rules report their counts for one organization and for all', async () => {
  const mock = createFrozenMock({ fault: 'whoami=ok,503,429;after=1' })
  await collectWhoamiStatuses(mock, 3, 'ada')
  await collectWhoamiStatuses(mock, 5, 'bob')
  const counted = {
    id: 'f1',
    text: 'whoami=ok,unavailable,rate_limited;after=1',
    operation: 'whoami',
    org_id: null,
    faults: ['ok', 'unavailable', 'rate_limited'],
  }
  const rule = { ...counted, times: 3, rate: 1, after: 1 }
  expect(mock.faults.list()).toEqual([{ ...rule, matched: 8, fired: 3, remaining: 0 }])
  const ada = createControlClient(mock, mock.credentials('ada').apiKey)
  expect((await ada.done('GET /faults')).faults).toEqual([{ ...rule, matched: 3, fired: 1, remaining: 1 }])
  expect(mock.organization('ada').faults.list()).toEqual([{ ...rule, matched: 3, fired: 1, remaining: 1 }])
})

test.each([
  ['', /the fault ""/],
  ['nope=503', /the operation "nope"/],
  ['whoami=busy', /cannot make whoami return busy/],
  [
    'whoami=other_variant',
    /cannot apply "other_variant" to whoami; .+ to listTasks, createTask, and runTask/,
  ],
  ['503;times=x', /takes times=N/],
  ['503;rate=2', /takes times=N/],
  ['503;times=0', /never applies: takes times/],
  ['whoami=503;rate=0', /never applies/],
  ['503;often', /takes times=N/],
  ['503;times=2;times=3', /takes times once/],
])('the rule %j is rejected everywhere', async (rule, advice) => {
  expect(parseFaultRule(rule)).toMatch(advice)
  expect(() => createFrozenMock({ fault: rule })).toThrow(advice)
  const mock = createFrozenMock()
  expect(() => mock.faults.add(rule as FaultRuleText)).toThrow(advice)
  const { status, body } = await createControlClient(mock).call('POST /faults', { body: { rule } })
  expect([status, body.title]).toEqual([400, expect.stringMatching(advice)])
})

test('a rule can be removed, once', async () => {
  const mock = createFrozenMock({ fault: 'whoami=503' })
  const control = createControlClient(mock)
  await control.done('DELETE /faults/f1')
  expect(await collectWhoamiStatuses(mock, 1)).toEqual([200])
  expect((await control.call('DELETE /faults/f1')).status).toBe(404)
})

test('a reset of faults restores the rules of a key with zero counts', async () => {
  const mock = createFrozenMock()
  const name = 'ada.fault=whoami=503,429'
  expect(await collectWhoamiStatuses(mock, 3, name)).toEqual([503, 429, 200])
  mock.organization(name).reset('faults')
  expect(await collectWhoamiStatuses(mock, 3, name)).toEqual([503, 429, 200])
  mock.reset('faults')
  expect(await collectWhoamiStatuses(mock, 3, name)).toEqual([503, 429, 200])
  mock.reset()
  expect(await collectWhoamiStatuses(mock, 3, name)).toEqual([503, 429, 200])
})

const words = [
  ...faultExamples,
  ...['429 date', '503', 'delay 1s..2s', 'delay lognormal 2ms 0.1', 'lost truncate', 'dribble 50ms'],
  ...[
    'delay 0.0000001ms',
    'lost hang',
    'dribble 3s',
    '503 5s',
    'unavailable date',
    '429 date 5s',
    '408',
    '504',
  ],
  ...['lost truncate chunked', 'lost 502', 'lost gateway_error', 'lost gateway_error json'],
]
const usual = parseOptionsWithScenario({})
if (Array.isArray(usual)) throw new Error('The usual options are valid.')

const ruleOf = (settings: ReturnType<typeof parseOptionsWithScenario>) =>
  Array.isArray(settings) ? settings : settings.faults

const appliesToRuns = (word: string) => {
  const fault = parseFault(word)
  return fault !== undefined && faultCanAffect('runTask', fault)
}

test.each(words.filter(appliesToRuns))('%s', async (word) => {
  const instruction = parseFault(word)
  const rule = { operation: 'runTask', faults: [instruction] }
  const text = `runTask=${word}` as FaultRuleText
  expect(ruleOf(parseOptionsWithScenario({ fault: [text] }))).toEqual([rule])
  expect(ruleOf(parseOrganizationSettings(`ada.fault=${text.replaceAll(' ', ':')}`, usual))).toEqual([rule])
  expect(parsePreferHeader(`fault="${word}"`)?.faults.map((one) => one.fault)).toEqual([instruction])
  expect(faultsInDirectives(`Say hello [[mock:${word}]]`, 'run')).toEqual([instruction])
  const mock = createFrozenMock()
  const added = mock.faults.add(text)
  expect(added.faults).toEqual(instruction && [faultText(instruction)])
  const given = mock.faults.add({ operation: 'runTask', faults: [word as 'ok'] })
  expect(given).toEqual({ ...added, id: expect.any(String) })
  for (const body of [{ operation: 'runTask', faults: [word] }, { rule: text }])
    expect(await createControlClient(mock).done('POST /faults', { body })).toEqual({
      ...added,
      id: expect.any(String),
    })
  if (!errorCodes.has(word)) return
  expect(parseForcedErrorRule(`${word}@runTask`)).toEqual(rule)
  for (const name of ['code', 'error'])
    expect(parsePreferHeader(`${name}=${word}`)?.faults[0]?.fault).toEqual(instruction)
})

test.each([
  ['wait=2', 'delay 2s'],
  ['wait=0.5', 'delay 500ms'],
  ['wait=500ms', 'delay 500ms'],
  ['delay=0.5', 'delay 500ms'],
])('Prefer: %s is %s', (header, word) => {
  expect(parsePreferHeader(header)?.faults[0]?.fault).toEqual(parseFault(word))
})

test.each([
  ['variant=second', 'second'],
  ['Variant="second"', 'second'],
  ['return=minimal, variant=second; foo=bar, wait=5', 'second'],
  ['wait=5;variant = FIRST', 'first'],
  ['variant=second, variant=first', 'second'],
  ['variant=third', undefined],
  ['invariant=second', undefined],
  ['', undefined],
])('Prefer: %s selects %s', (header, variant) => {
  expect(parsePreferHeader(header)?.variant).toBe(variant)
})

test('a missing credential precedes a forced error', async () => {
  const { call } = checkedClientOf(createFrozenMock({ force: 'internal_error' }))
  expect((await call('whoami', { as: 'nobody' })).status).toBe(401)
})

test.each([
  ['nope', /does not know the fault "nope"; write unauthorized, /],
  ['', /does not know the fault ""/],
  ['busy@nope', /does not know the operation "nope"/],
  ['busy@runTask@runTask', /takes CODE or CODE@OPERATION/],
  ['lost@runTask', /takes an error/],
  ['busy@runTsk', /did you mean "runTask"/],
  ['busy@whoami', /cannot make whoami return busy; that is an answer of runTask$/],
  ['__proto__', /does not know the fault/],
])('%j is rejected with a reason', (word, reason) => {
  expect(parseForcedErrorRule(word)).toMatch(reason)
})

test.each([
  ['connection_reset_by_peer', 'reset'],
  ['reset_peer', 'reset'],
  ['return-reset-connection', 'reset'],
  ['EMPTY_RESPONSE', 'empty'],
  ['MALFORMED_RESPONSE_CHUNK', 'malformed'],
  ['timeout', 'hang'],
  ['slicer', 'dribble 2000ms'],
  ['latency 5ms', 'delay 5ms'],
  ['wait:1s', 'delay 1000ms'],
  ['return-503', 'unavailable'],
  ['return-502', 'bad_gateway'],
  ['return-504', 'gateway_timeout'],
  ['408', 'request_timeout'],
  ['307', 'redirect'],
  ['lost:504', 'lost gateway_timeout'],
  ['lost gateway-error json', 'lost gateway_error json'],
  ['429 date', 'rate_limited date'],
  ['503 2s', 'unavailable 2000ms'],
  ['503 seconds', 'unavailable seconds'],
  ['503 date 1m', 'unavailable date 60000ms'],
  ['429', 'rate_limited'],
  ['409', 'busy'],
  ['422', 'invalid_request'],
  ['lost_answer', 'lost reset'],
  ['lost hang', 'lost hang'],
  ['dribble:50ms', 'dribble 50ms'],
  ['delay 1s..2s', 'delay 1000ms..2000ms'],
  ['delay lognormal 1s', 'delay lognormal 1000ms 0.5'],
])('%s means %s', (word, text) => {
  const instruction = parseFault(word)
  expect(instruction && faultText(instruction)).toBe(text)
})

const none = [
  '',
  'nope',
  '418',
  'delay',
  'delay 2s..1s',
  'slow',
  'ok 5',
  '503 soon',
  '429 soon',
  '402 date',
  'redirect now',
  'reset now',
]

test.each([
  ...none,
  'lost nope',
  'lost dribble 50ms',
  'lost stale',
  'lost idle',
  '__proto__',
])('%j is not a fault', (word) => {
  expect(parseFault(word)).toBeUndefined()
})

const tooLong = ['dribble 10000h', 'dribble 11m', 'delay 1h', 'delay 1s..1h', 'delay lognormal 2h']

test.each(tooLong)('%s takes longer than a client waits, and is refused with what it may take', (text) => {
  expect(parseFault(text)).toBeUndefined()
  expect(faultTextProblem(text)).toMatch(/at most 10m/)
})

test('directives are read in order, with surrounding spaces; of nested ones only the inner one', () => {
  const kindsIn = (text: string) => faultsInDirectives(text, 'run').map(({ kind }) => kind)
  expect(kindsIn('[[mock: fail ]] and [[mock:slow 5s]]')).toEqual(['fail', 'slow'])
  expect(kindsIn('[[mock:[[mock:fail]]')).toEqual(['fail'])
})

const faults = fc.array(fc.constantFrom(...words.flatMap((word) => parseFault(word) ?? [])), {
  minLength: 1,
  maxLength: 4,
})
const name = fc.stringMatching(/^[^;\s\p{Cc}]([^;\p{Cc}]{0,8}[^;\s\p{Cc}])?$/u)
const count = fc.nat(1_000)
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

const drafts: fc.Arbitrary<FaultRuleDraft> = fc
  .record({
    operation: optional(fc.constantFrom(...operationIds)),
    faults,
    times: optional(fc.oneof(count, fc.constant(Number.POSITIVE_INFINITY))),
    rate: optional(fc.double({ min: 0, max: 1, noNaN: true })),
    after: optional(count),
    seed: optional(name),
    mostInARow: optional(count),
    delay: optional(fc.constantFrom(...['2s', '100ms..900ms', 'lognormal 90ms 0.4'].map(parseDelay))),
    id: optional(name.map((text) => `id-${text}`)),
  })
  .filter((draft) => faultRuleProblem(draft) === undefined)

/** A rule with what it does if a setting is left out. */
const meaning = ({ operation, faults, times, rate, after, seed, mostInARow, delay, id }: FaultRuleDraft) => ({
  operation,
  faults,
  times: times ?? (faults.length > 1 ? faults.length : Number.POSITIVE_INFINITY),
  rate: rate === 1 ? undefined : rate,
  after: after ?? 0,
  seed: seed ?? 'mock',
  mostInARow,
  delay,
  id,
})

test('the text of a rule parses back to the same rule', () => {
  fc.assert(
    fc.property(drafts, (draft) => {
      const read = parseFaultRule(faultRuleTextOf(draft, 'mock'))
      if (typeof read === 'string') throw new Error(`${faultRuleTextOf(draft, 'mock')}: ${read}`)
      expect(meaning(read)).toEqual(meaning(draft))
    }),
    { numRuns: 500 },
  )
})

test('the text of a rule is the same after a restore in a mock of another seed', async () => {
  const mock = createFrozenMock({ seed: 'here' })
  mock.faults.add('whoami=503;rate=0.5')
  mock.faults.add('whoami=429;rate=0.5;seed=other')
  const other = createFrozenMock({ seed: 'there' })
  other.restore(mock.snapshot())
  expect(other.faults.list()).toEqual(mock.faults.list())
  expect(other.faults.add('getTask=503;rate=0.5')).toEqual(mock.faults.add('getTask=503;rate=0.5'))
})
