/** Fault rules: every way to write one means the same to the mock. */
import { expect, test } from 'vitest'
import { parseRule } from '#mocks/faults/grammar.ts'
import { createMock } from '#mocks/index.ts'
import { type FaultChoice, faultsOf, linesOf, ruleOf } from './fault-rule.ts'

const none: FaultChoice = {
  operation: '',
  fault: 'unavailable',
  argument: '',
  lost: false,
  next: '',
  times: '',
  after: '',
  rate: '',
  seed: '',
}

const choices: readonly (readonly [string, Partial<FaultChoice>])[] = [
  ['unavailable', {}],
  ['runTask=no_credits;times=2', { operation: 'runTask', fault: 'no_credits', times: '2' }],
  ['delay 500ms', { fault: 'delay' }],
  ['delay 1s..2s', { fault: 'delay', argument: '1s..2s' }],
  ['getTask=lost reset;after=1', { operation: 'getTask', fault: 'reset', lost: true, after: '1' }],
  ['dribble 2s', { fault: 'dribble' }],
  [
    'runTask=rate_limited,unavailable,ok',
    { operation: 'runTask', fault: 'rate_limited', next: 'unavailable, ok' },
  ],
  ['listTasks=503;rate=0.5;seed=7', { operation: 'listTasks', fault: '503', rate: '0.5', seed: '7' }],
  ['listTasks=503', { operation: 'listTasks', fault: '503', seed: '7' }],
]

test.each(choices)('%s', (rule, choice) => {
  const all = { ...none, ...choice }
  expect(ruleOf(all)).toBe(rule)
  expect(typeof parseRule(rule)).toBe('object')
  const lines = new Map(linesOf(rule, faultsOf(all), undefined, 'http://127.0.0.1:4402', 'npm start --'))
  const key = lines.get('key')?.slice('wak_test_'.length) ?? ''
  const [own] = createMock().organization(key).faults.list()
  const [given] = createMock({ fault: rule as 'unavailable' }).faults.list()
  expect({ ...own, id: '', org_id: null }).toEqual({ ...given, id: '', org_id: null })
  expect(lines.get('flag')).toBe(`npm start -- --fault '${rule}'`)
})

test('a quote in a rule does not end the shell word', () => {
  const lines = new Map(linesOf("a'b", ['ok'], 'wak_test_ada', 'http://x', 'npm start --'))
  expect(lines.get('flag')).toBe(`npm start -- --fault 'a'\\''b'`)
  expect(lines.get('curl')).toContain('Bearer wak_test_ada')
})
