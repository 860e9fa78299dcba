/** The grammar of fault instructions. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faultText, longestDelay, parseFault, problemOfFault, vocabulary } from './fault.ts'

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
  ['429 date', 'rate_limited date'],
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

test.each([
  '',
  'nope',
  '418',
  'delay',
  'delay 2s..1s',
  'slow',
  'ok 5',
  '503 date',
  '429 soon',
  'reset now',
  'lost nope',
  '__proto__',
])('%j is not a fault', (word) => {
  expect(parseFault(word)).toBeUndefined()
})

test('the text of an instruction parses to the same instruction', () => {
  const ms = fc.integer({ min: 0, max: 8 * longestDelay }).map((n) => n / 8)
  const words = fc.oneof(
    fc.constantFrom(...vocabulary, 'rate_limited date'),
    ms.map((n) => `delay ${n}ms`),
    fc.tuple(ms, ms).map(([a, b]) => `delay ${Math.min(a, b)}ms..${Math.max(a, b)}ms`),
    fc
      .tuple(ms, fc.double({ min: 0.01, max: 9, noNaN: true }))
      .map(([a, s]) => `delay lognormal ${a}ms ${s}`),
    fc.tuple(fc.constantFrom('lost ', ''), ms).map(([lost, n]) => `${lost}dribble ${n}ms`),
  )
  fc.assert(
    fc.property(words, (word) => {
      const instruction = parseFault(word)
      expect(instruction).toBeDefined()
      if (instruction) expect(parseFault(faultText(instruction))).toEqual(instruction)
    }),
  )
})

test.each([
  'dribble 10000h',
  'lost dribble 11m',
  'delay 1h',
  'delay 1s..1h',
  'delay lognormal 2h',
])('%s takes longer than a client waits, and is refused with what it may take', (text) => {
  expect(parseFault(text)).toBeUndefined()
  expect(problemOfFault(text)).toMatch(/at most 10m/)
})
