/** The grammar of faults: words, directives in texts, and forced errors, of which control.test.ts has each code of each operation. */

import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'
import { directivesIn } from './directives.ts'
import { faultText, parseFault, problemOfFault } from './fault.ts'
import { parseForce } from './grammar.ts'

test('a missing credential precedes a forced error', async () => {
  const { call } = clientOf(frozenMock({ force: 'internal_error' }))
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
  expect(parseForce(word)).toMatch(reason)
})

test('a forced invalid_request is a failed validation: 422 in the second variant', async () => {
  const { call } = clientOf(frozenMock({ force: 'invalid_request', variant: 'second' }))
  expect((await call('createTask')).status).toBe(422)
  expect((await call('runTask')).status).toBe(409)
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

const none = ['', 'nope', '418', 'delay', 'delay 2s..1s', 'slow', 'ok 5', '503 date', '429 soon', 'reset now']

test.each([...none, 'lost nope', '__proto__'])('%j is not a fault', (word) => {
  expect(parseFault(word)).toBeUndefined()
})

const tooLong = ['dribble 10000h', 'lost dribble 11m', 'delay 1h', 'delay 1s..1h', 'delay lognormal 2h']

test.each(tooLong)('%s takes longer than a client waits, and is refused with what it may take', (text) => {
  expect(parseFault(text)).toBeUndefined()
  expect(problemOfFault(text)).toMatch(/at most 10m/)
})

test('directives are read in order, with surrounding spaces; of nested ones only the inner one', () => {
  const kindsIn = (text: string) => directivesIn(text, 'run').map(({ kind }) => kind)
  expect(kindsIn('[[mock: fail ]] and [[mock:slow 5s]]')).toEqual(['fail', 'slow'])
  expect(kindsIn('[[mock:[[mock:fail]]')).toEqual(['fail'])
})
