/** Rules: what they do in turn, how often, to whom, and what they count. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operationIds } from '#contract/operation.ts'
import type { Mock } from '../app.ts'
import { clientOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock } from '../testing/mock.ts'
import { Faults } from './faults.ts'
import { parseRule } from './grammar.ts'
import { instructionText, parseInstruction, vocabulary } from './instruction.ts'

/** Statuses of so many calls of an operation. */
async function statuses(mock: Mock, count: number, name?: string): Promise<number[]> {
  const { ask } = clientOf(mock, name)
  const heard: number[] = []
  for (let i = 0; i < count; i++) heard.push((await ask('whoami')).status)
  return heard
}

test.each<[string, number[]]>([
  ['whoami=429,503,ok', [429, 503, 200, 200, 200]],
  ['whoami=429,503,ok;times=5', [429, 503, 200, 429, 503, 200]],
  ['whoami=503', [503, 503, 503, 503]],
  ['whoami=503;times=2', [503, 503, 200, 200]],
  ['whoami=503;times=2;after=1', [200, 503, 503, 200]],
  ['whoami=ok,ok,500', [200, 200, 500, 200]],
  ['503;times=0', [200, 200]],
  ['whoami=503;rate=0', [200, 200, 200]],
  ['whoami=503;rate=1;times=1', [503, 200]],
])('%s', async (fault, expected) => {
  expect(await statuses(frozenMock({ fault }), expected.length)).toEqual(expected)
})

test('the first rule that has something to say counts, and the next goes on where it ends', async () => {
  const mock = frozenMock({ fault: ['whoami=503;times=1', 'whoami=429,500'] })
  expect(await statuses(mock, 4)).toEqual([503, 429, 500, 200])
})

test('a rule of an organization comes before those for all', async () => {
  const mock = frozenMock({ fault: 'whoami=503' })
  mock.organization('ada').faults.add('whoami=429;times=1')
  expect(await statuses(mock, 2, 'ada')).toEqual([429, 503])
})

test('a rule without an operation leaves those alone that cannot answer so', async () => {
  const { ask } = clientOf(frozenMock({ fault: 'no_credits' }))
  expect((await ask('whoami')).status).toBe(200)
  expect((await ask('generateCreative', { body: { prompt: 'a' } })).status).toBe(402)
})

test('every organization meets a rule for all on its own count', async () => {
  const mock = frozenMock({ fault: 'whoami=503,429' })
  expect(await statuses(mock, 1, 'ada')).toEqual([503])
  expect(await statuses(mock, 3, 'bob')).toEqual([503, 429, 200])
  expect(await statuses(mock, 2, 'ada')).toEqual([429, 200])
})

test('counters prove what each rule did: to one organization, and to all', async () => {
  const mock = frozenMock({ fault: 'whoami=ok,503,429;after=1' })
  await statuses(mock, 3, 'ada')
  await statuses(mock, 5, 'bob')
  const counted = {
    id: 'f1',
    operation: 'whoami',
    org_id: null,
    faults: ['ok', 'unavailable', 'rate_limited'],
  }
  const rule = { ...counted, times: 3, rate: 1, after: 1 }
  expect(mock.faults.list()).toEqual([{ ...rule, matched: 8, fired: 3, remaining: 0 }])
  const ada = controlOf(mock, mock.credentials('ada').apiKey)
  expect((await ada.done('GET /faults')).faults).toEqual([{ ...rule, matched: 3, fired: 1, remaining: 1 }])
  expect(mock.organization('ada').faults.list()).toEqual([{ ...rule, matched: 3, fired: 1, remaining: 1 }])
})

test('the reason names the rule, and what is left of it', async () => {
  const { ask } = clientOf(frozenMock({ fault: 'whoami=503,429' }))
  const reasons = []
  for (let i = 0; i < 3; i++) reasons.push((await ask('whoami')).headers.get('x-mock-reason'))
  expect(reasons).toEqual([
    'rule=f1; fault=unavailable; remaining=1',
    'rule=f1; fault=rate_limited; remaining=0',
    null,
  ])
})

test('without reasonHeader nobody is told, but the journal', async () => {
  const mock = frozenMock({ fault: 'whoami=503', reasonHeader: false })
  expect((await clientOf(mock).ask('whoami')).headers.has('x-mock-reason')).toBe(false)
  expect(mock.journal.entries()[0]?.reason).toBe('rule=f1; fault=unavailable')
})

test('a wish in a header comes before rules, and uses none of them up', async () => {
  const mock = frozenMock({ fault: 'whoami=503,429' })
  const { ask } = clientOf(mock)
  const reply = await ask('whoami', { headers: { prefer: 'code=500, variant=second' } })
  expect([reply.status, reply.headers.get('preference-applied')]).toEqual([500, 'variant=second, code=500'])
  expect(await statuses(mock, 2)).toEqual([503, 429])
})

test('a wish that the operation cannot fulfil is not said to be applied', async () => {
  const { ask } = clientOf(frozenMock())
  const { status, headers } = await ask('whoami', { headers: { prefer: 'code=402, respond-async' } })
  expect([status, headers.get('preference-applied'), headers.get('x-mock-reason')]).toEqual([200, null, null])
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
  ['429', 'rate_limited'],
  ['409', 'busy'],
  ['422', 'invalid_request'],
  ['lost_answer', 'lost reset'],
  ['lost hang', 'lost hang'],
  ['dribble:50ms', 'dribble 50ms'],
  ['delay 1s..2s', 'delay 1000ms..2000ms'],
  ['delay lognormal 1s', 'delay lognormal 1000ms 0.5'],
])('%s is %s', (word, said) => {
  const instruction = parseInstruction(word)
  expect(instruction && instructionText(instruction)).toBe(said)
})

test.each([
  '',
  'nope',
  '418',
  'delay',
  'delay 2s..1s',
  'slow',
  'ok 5',
  'reset now',
  'lost nope',
  '__proto__',
])('%j is no fault', (word) => {
  expect(parseInstruction(word)).toBeUndefined()
})

test('what is said of an instruction reads back as the same', () => {
  const ms = fc.integer({ min: 0, max: 1e9 }).map((n) => n / 8)
  const words = fc.oneof(
    fc.constantFrom(...vocabulary),
    ms.map((n) => `delay ${n}ms`),
    fc.tuple(ms, ms).map(([a, b]) => `delay ${Math.min(a, b)}ms..${Math.max(a, b)}ms`),
    fc
      .tuple(ms, fc.double({ min: 0.01, max: 9, noNaN: true }))
      .map(([a, s]) => `delay lognormal ${a}ms ${s}`),
    fc.tuple(fc.constantFrom('lost ', ''), ms).map(([lost, n]) => `${lost}dribble ${n}ms`),
  )
  fc.assert(
    fc.property(words, (word) => {
      const instruction = parseInstruction(word)
      expect(instruction).toBeDefined()
      if (instruction) expect(parseInstruction(instructionText(instruction))).toEqual(instruction)
    }),
  )
})

test.each([
  ['', /no fault ""/],
  ['nope=503', /no operation "nope"/],
  ['whoami=busy', /cannot make whoami answer busy/],
  ['503;times=x', /takes times=N/],
  ['503;rate=2', /takes times=N/],
  ['503;often', /takes times=N/],
])('the rule %j is refused in every way', async (rule, advice) => {
  expect(parseRule(rule)).toMatch(advice)
  expect(() => frozenMock({ fault: rule })).toThrow(advice)
  const mock = frozenMock()
  expect(() => mock.faults.add(rule)).toThrow(advice)
  const { status, body } = await controlOf(mock).ask('POST /faults', { body: { rule } })
  expect([status, body.title]).toEqual([400, expect.stringMatching(advice)])
})

test.each([
  { faults: [] },
  { faults: ['nope'] },
  { faults: ['503'], time: 3 },
  { faults: ['503'], times: -1 },
  { faults: ['503'], operation: 'nope' },
  { rule: '503', times: 3 },
  {},
])('a control call for %j is refused', async (body) => {
  const mock = frozenMock()
  expect((await controlOf(mock).ask('POST /faults', { body })).status).toBe(400)
  expect(mock.faults.list()).toEqual([])
})

test('a rule can be removed, once', async () => {
  const mock = frozenMock({ fault: 'whoami=503' })
  const control = controlOf(mock)
  await control.done('DELETE /faults/f1')
  expect(await statuses(mock, 1)).toEqual([200])
  expect((await control.ask('DELETE /faults/f1')).status).toBe(404)
})

test('a key whose rule cannot be is refused, and the answer says why', async () => {
  const mock = frozenMock()
  const { status, body } = await clientOf(mock, 'ada.fault=whoami=busy').ask('whoami')
  expect([status, Reflect.get(body, 'message')]).toEqual([401, expect.stringContaining('cannot make whoami')])
})

test('rules of a key survive a reset of faults, with fresh counts', async () => {
  const mock = frozenMock()
  const name = 'ada.fault=whoami=503,429'
  expect(await statuses(mock, 3, name)).toEqual([503, 429, 200])
  mock.organization(name).reset('faults')
  expect(await statuses(mock, 3, name)).toEqual([503, 429, 200])
  mock.reset('faults')
  expect(await statuses(mock, 3, name)).toEqual([503, 429, 200])
  mock.reset()
  expect(await statuses(mock, 3, name)).toEqual([503, 429, 200])
})

test('no operation is asked about a rule that is for another', () => {
  const faults = new Faults('s', [])
  faults.add({ operation: 'whoami', faults: [{ kind: 'error', code: 'unavailable' }] })
  for (const operation of operationIds.filter((one) => one !== 'whoami')) faults.match(operation, 'org_1')
  expect(faults.list()[0]?.matched).toBe(0)
})
