/** Which faults a client is tried with, and how a trial is judged. */
import { expect, test } from 'vitest'
import { operationIds } from '#contract/operation.ts'
import { faultOperationProblem } from '#mocks/faults/grammar.ts'
import { faultKeywords, parseFault } from '#mocks/faults/words.ts'
import { createClientReport, type RuleResult } from '../client-report.ts'
import { ruleResultWithoutFindings } from '../testing/rule-result.ts'
import { judgeTrial } from './matrix.ts'
import {
  type FaultCase,
  faultFreeCase,
  faultPairCases,
  plannedFaults,
  requestPositions,
  singleFaultCases,
} from './plan.ts'
import type { AgentWorkCounts, ClientExchange, ClientTrial } from './trial.ts'

const sent = (...operations: (ClientExchange['operation'] | 'unknown')[]) =>
  operations.map(
    (operation): ClientExchange => ({
      id: 'req_1',
      at: '',
      operation: operation === 'unknown' ? null : operation,
      org_id: 'org_1',
      status: 200,
      error: null,
      reason: null,
      wire: null,
      request: { method: 'GET', url: 'http://any/', body: null },
    }),
  )

const places = requestPositions(sent('whoami', 'unknown', 'runTask', 'getTask', 'getTask', 'getTask'))
const caseOf = (id: string, cases: readonly FaultCase[]) => cases.find((one) => one.id === id)

test('a place is an operation and a number; requests that no fault can meet have none', () => {
  expect(places.map(({ operation, nth }) => `${operation}#${nth}`)).toEqual([
    'whoami#1',
    'runTask#1',
    'getTask#1',
    'getTask#2',
    'getTask#3',
  ])
  expect(requestPositions(sent('whoami').map((one) => ({ ...one, org_id: null })))).toEqual([])
})

test.each(plannedFaults)('the column $id is a fault that --fault takes, for whatever it can happen to', ({
  id,
  happensTo,
}) => {
  const instruction = parseFault(id)
  expect(instruction).toBeDefined()
  expect(faultKeywords).toContain(id.split(':')[0])
  for (const operation of operationIds.filter(happensTo))
    expect(instruction && faultOperationProblem(operation, instruction)).toBeUndefined()
})

test('each fault is tried where it can happen, by a rule for that request alone', () => {
  const cases = singleFaultCases(places)
  expect(caseOf('runTask#1=lost', cases)).toMatchObject({ rules: ['runTask=lost;times=1'], endsRuns: true })
  expect(caseOf('getTask#3=429:date', cases)).toMatchObject({
    rules: ['getTask=429:date;times=1;after=2'],
    endsRuns: false,
  })
  const onlyRuns = ['fail', '402', 'busy', 'invalid_request', 'other_variant']
  expect(cases.filter(({ fault }) => onlyRuns.includes(String(fault))).map(({ request }) => request)).toEqual(
    onlyRuns.map(() => 'runTask#1'),
  )
  for (const { operation, nth } of places.filter((place) => place.operation !== 'runTask'))
    expect(cases.filter(({ request }) => request === `${operation}#${nth}`)).toHaveLength(
      plannedFaults.length - onlyRuns.length,
    )
})

/** Draws these numbers, then the first of a list. */
const drawing =
  (...numbers: number[]) =>
  () =>
    numbers.shift() ?? 0

test('a pair is two rules, or one list for two requests of one operation', () => {
  const all = singleFaultCases(places)
  const at = (id: string) => all.findIndex((one) => one.id === id)
  const pair = (first: string, second: string) => faultPairCases(places, 1, drawing(at(first), at(second)))[0]
  expect(pair('getTask#1=reset', 'whoami#1=503')).toMatchObject({
    id: 'whoami#1=503 getTask#1=reset',
    rules: ['whoami=503;times=1', 'getTask=reset;times=1'],
    recoverability: 'refusal',
  })
  expect(pair('getTask#2=hang', 'getTask#3=500')?.rules).toEqual(['getTask=hang,500;after=1'])
  expect(pair('getTask#1=502', 'getTask#3=401')?.rules).toEqual(['getTask=502,ok,401'])
})

const nothing: AgentWorkCounts = {
  created: { tasks: 0, documents: 0, landing_pages: 0, keys: 0 },
  deleted: 0,
  read: 0,
  paid: [],
  accepted: [],
  open: [],
}
const oneRun: AgentWorkCounts = { ...nothing, paid: ['req_1'], accepted: ['req_1'] }

/** A violated rule that may explain an effect. */
const violated = (level: RuleResult['level']) =>
  ruleResultWithoutFindings('finishes-work', level, level === 'MUST' ? 'failed' : 'warned')

const trial = (work: AgentWorkCounts, ...rules: RuleResult[]): ClientTrial => ({
  requests: [],
  isMet: true,
  report: createClientReport([], rules, false),
  end: { ok: true },
  note: '',
  work,
  settled: work,
})

const claims = (tried: ClientTrial) =>
  judgeTrial(tried, trial(oneRun), faultFreeCase).rules.find(({ id }) => id === 'claims-done-work-only')
    ?.outcome

test('a violated duty explains an effect that is a duty, and advice does not', () => {
  expect(claims(trial(nothing))).toBe('failed')
  expect(claims(trial(nothing, violated('MUST')))).toBe('not_exercised')
  expect(claims(trial(nothing, violated('SHOULD')))).toBe('failed')
})

test('work is not done while a notification is unread that the client marks as read', () => {
  const outcomeOf = (work: AgentWorkCounts) =>
    judgeTrial({ ...trial(work), end: { ok: false } }, trial({ ...oneRun, read: 1 }), {
      ...faultFreeCase,
      recoverability: 'doubt',
    }).rules.find(({ id }) => id === 'reports-done-work')?.outcome
  expect([outcomeOf({ ...oneRun, read: 1 }), outcomeOf(oneRun)]).toEqual(['warned', 'not_exercised'])
})

test('an answer that nothing shows again may be reported as lost', () => {
  const requests = sent('generateCreative').map((one) => ({ ...one, wire: 'reset' }) as const)
  const given = { ...trial(oneRun), requests, end: { ok: false } }
  const { rules } = judgeTrial(given, trial(oneRun), { ...faultFreeCase, recoverability: 'doubt' })
  expect(rules.find(({ id }) => id === 'reports-done-work')?.outcome).toBe('not_exercised')
})

test('a run that was accepted and refunded is no undone work', () => {
  expect(claims(trial({ ...nothing, accepted: ['req_1'] }))).toBe('passed')
})
