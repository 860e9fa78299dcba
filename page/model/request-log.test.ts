/** The computations of the page: the log of requests, the axis of time, and rules from the form of faults. */
import { expect, test } from 'vitest'
import { parseFaultRule } from '#mocks/faults/grammar.ts'
import { createMock } from '#mocks/index.ts'
import type { LogRow } from './fault-rule.ts'
import {
  createTimeScale,
  equivalentCommandsOf,
  type FaultFormValues,
  faultRuleTextOfForm,
  faultTextsOfForm,
} from './fault-rule.ts'
import { countRequestRows, createRequestLog, maxLogRows, type RequestLog } from './request-log.ts'

const row = (number: number, more: Partial<LogRow> = {}): LogRow => ({
  number,
  id: `req_${number}`,
  at: '2026-03-01T12:00:00.000Z',
  duration_ms: 0,
  org_id: 'org_1',
  operation: 'whoami',
  method: 'GET',
  path: '/api/cli/whoami',
  status: 200,
  error: null,
  reason: null,
  wire: null,
  credits: 0,
  decided_by: 'state',
  ...more,
})
const all = { org: '', operation: '', status: '', text: '' }
const numbers = (log: RequestLog) => log.found.map(({ number }) => number)

test('a row that was loaded before it arrives stays once', () => {
  const log = createRequestLog()
  log.merge([row(1), row(2)])
  for (const number of [1, 2, 2, 3]) log.add(row(number))
  expect(numbers(log)).toEqual([1, 2, 3])
})

test('rows that arrive are filtered like those that were there', () => {
  const log = createRequestLog()
  log.add(row(1, { status: 404, error: 'not_found' }))
  log.add(row(2))
  log.filter({ ...all, status: '4xx' })
  log.add(row(3, { status: 429 }))
  log.add(row(4))
  expect(numbers(log)).toEqual([1, 3])
  log.filter({ ...all, text: 'NOT_found req_1' })
  expect(numbers(log)).toEqual([1])
  log.filter({ ...all, text: 'only in a body' }, new Set([2]))
  expect(numbers(log)).toEqual([2])
  log.filter({ ...all, status: '0' })
  expect(numbers(log)).toEqual([])
  log.filter({ ...all, org: 'org_2' })
  log.add(row(5, { org_id: 'org_2', reason: 'rule f1' }))
  log.filter({ ...all, status: 'fault', operation: 'whoami' })
  expect(numbers(log)).toEqual([5])
})

test('older rows are merged in order, without duplicates', () => {
  const log = createRequestLog()
  for (const number of [5, 6, 9]) log.add(row(number))
  log.merge([row(7), row(6), row(1)])
  expect(numbers(log)).toEqual([1, 5, 6, 7, 9])
  expect([log.oldest, log.newest, log.placeOf(7), log.placeOf(8), log.countUntil(6)]).toEqual([
    1, 9, 3, -1, 3,
  ])
})

test('it keeps the newest rows; as many of them with a filter take well under a second', () => {
  const log = createRequestLog()
  log.filter({ ...all, text: 'tasks' })
  const start = process.cpuUsage()
  for (let number = 1; number <= maxLogRows + 1; number++)
    log.add(row(number, { path: number % 2 ? '/api/cli/whoami' : '/api/cli/tasks' }))
  // Time of the processor, ms: a busy machine does not change it.
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1_000).toBeLessThan(2_000)
  expect([log.rows.length, log.newest]).toEqual([expect.any(Number), maxLogRows + 1])
  expect(log.rows.length).toBeLessThanOrEqual(maxLogRows)
  expect(log.found.length).toBeGreaterThan(maxLogRows / 3)
  expect(log.found[0]?.number).toBeGreaterThanOrEqual(log.oldest)
})

test('what operators did stands between the requests, and passes no filter but that of the organization', () => {
  const log = createRequestLog()
  log.merge([row(1.000001, { method: 'PUT', path: '/clock', org_id: null })])
  for (const number of [1, 2]) log.add(row(number))
  expect(numbers(log)).toEqual([1, 1.000001, 2])
  log.merge([row(1), row(3.000001, { org_id: 'org_1' })])
  expect(log.newestRequest).toBe(2)
  for (const number of [2, 3, 3, 4]) log.add(row(number))
  expect(numbers(log)).toEqual([1, 1.000001, 2, 3, 3.000001, 4])
  expect([log.oldest, countRequestRows(log.rows), log.missing]).toEqual([1, 4, 0])
  log.filter({ ...all, org: 'org_1' })
  expect(numbers(log)).toEqual([1, 2, 3, 3.000001, 4])
  log.filter({ ...all, text: 'clock' })
  expect(numbers(log)).toEqual([])
  log.add(row(9))
  expect(log.missing).toBe(4)
})

test('equal gaps are equal', () => {
  expect([0, 10, 20, 15, -5, 99].map(createTimeScale([20, 0, 10]))).toEqual([0, 0.5, 1, 0.75, 0, 1])
})

test('a gap of months leaves room for the seconds around it', () => {
  const axis = createTimeScale([0, 1_000, 2_000, 1e7 + 2_000, 1e7 + 3_000])
  expect(axis(2_000)).toBeCloseTo(2 / 8)
  expect(axis(1e7 + 2_000)).toBeCloseTo(7 / 8)
})

test('one moment, or none, is no division by zero', () => {
  expect([createTimeScale([5])(5), createTimeScale([])(5)]).toEqual([0, 1])
})

const choices: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['unavailable', {}],
  ['runTask=no_credits;times=2', { op: 'runTask', fault: 'no_credits', times: '2' }],
  ['delay 500ms', { fault: 'delay' }],
  ['delay 1s..2s', { fault: 'delay', with: '1s..2s' }],
  ['getTask=lost reset;after=1', { op: 'getTask', fault: 'reset', lost: '1', after: '1' }],
  ['dribble 2s', { fault: 'dribble' }],
  ['runTask=rate_limited,unavailable,ok', { op: 'runTask', fault: 'rate_limited', next: 'unavailable, ok' }],
  ['listTasks=503;rate=0.5;seed=7', { op: 'listTasks', fault: '503', rate: '0.5', seed: '7' }],
  ['listTasks=503', { op: 'listTasks', fault: '503', seed: '7' }],
]

test.each(choices)('%s', (rule, choice) => {
  const all: FaultFormValues = { fault: 'unavailable', ...choice }
  expect(faultRuleTextOfForm(all)).toBe(rule)
  expect(typeof parseFaultRule(rule)).toBe('object')
  const lines = new Map(
    equivalentCommandsOf(rule, faultTextsOfForm(all), 'npm start --', 'http://x', undefined),
  )
  const key = lines.get('key')?.slice('wak_test_'.length) ?? ''
  const [own] = createMock().organization(key).faults.list()
  const [given] = createMock({ fault: rule as 'unavailable' }).faults.list()
  expect({ ...own, id: '', org_id: null }).toEqual({ ...given, id: '', org_id: null })
  expect(lines.get('flag')).toBe(`npm start -- --fault '${rule}'`)
})

test('a quote in a rule does not end the shell word', () => {
  const lines = new Map(equivalentCommandsOf("a'b", ['ok'], 'npm start --', 'http://x', 'org_1'))
  expect(lines.get('flag')).toBe(`npm start -- --fault 'a'\\''b'`)
})
