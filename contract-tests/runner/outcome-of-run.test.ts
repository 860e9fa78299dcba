/** The outcome of a run: known failures are marked, and entries that no longer apply are reported. */

import { expect, test } from 'vitest'
import type { Outcome } from '#reporting/outcome.ts'
import type { RequirementResult, SuiteRun } from '../harness/outcome.ts'
import { declareRequirement } from '../harness/requirement.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import { sampleRun } from '../report/testing/sample.ts'
import { lenientConditions } from '../testing/run.ts'
import {
  applyExpectedFailures,
  concludeSuiteRun,
  type ExpectedFailure,
  expectedFailureEntriesText,
  expectedFailuresSchema,
  noExpectedFailures,
  type PassConditions,
} from './outcome-of-run.ts'

function result(id: string, outcome: Outcome): RequirementResult {
  const level = outcome === 'warned' ? 'SHOULD' : 'MUST'
  const requirement = declareRequirement(level)(id as RequirementId, '§4', null)
    .tests('success-status')
    .states('It is so.')
    .seen(() => undefined)
  return { requirement, outcome, how: 'observed', evidence: [] }
}

const runOf = (outcomes: readonly Outcome[], change: Partial<SuiteRun> = {}): SuiteRun =>
  sampleRun({ results: outcomes.map((outcome, i) => result(`R${i}`, outcome)), ...change })

test('what others may have caused is inconclusive, and the first line names it', () => {
  const suspected = { ...result('R1', 'suspected'), others: true }
  const byOthers = concludeSuiteRun(sampleRun({ results: [suspected] }), lenientConditions).judgement
  expect(byOthers).toMatchObject({ outcome: 'inconclusive', lead: [expect.stringContaining('R1')] })
  const mixed = { results: [suspected, result('R2', 'suspected')] }
  expect(concludeSuiteRun(sampleRun(mixed), lenientConditions).judgement.outcome).toBe('suspected')
})

const failures = (...list: ExpectedFailure[]) => ({ expected: { ...noExpectedFailures, failures: list } })
const unexercised = (...list: ExpectedFailure[]) => ({
  requireComplete: true,
  expected: { ...noExpectedFailures, unexercised: list },
})

test.each<[Outcome[], Partial<PassConditions>, string]>([
  [['passed'], {}, 'passed'],
  [['passed', 'not_exercised', 'not_applicable', 'warned'], {}, 'passed'],
  [['passed', 'failed'], {}, 'failed'],
  [['passed', 'warned'], { strict: true }, 'failed'],
  [['passed', 'suspected'], {}, 'suspected'],
  [['passed', 'suspected', 'not_exercised'], { requireComplete: true }, 'suspected'],
  [['suspected', 'failed'], {}, 'failed'],
  [['suspected'], failures({ id: 'R0', reason: 'known' }), 'passed'],
  [['passed', 'not_exercised'], { requireComplete: true }, 'incomplete'],
  [['passed', 'not_applicable'], { requireComplete: true }, 'passed'],
  [['failed', 'not_exercised'], { requireComplete: true }, 'failed'],
  [['not_exercised', 'not_applicable'], {}, 'incomplete'],
  [[], {}, 'incomplete'],
  [['passed', 'harness_error'], {}, 'incomplete'],
  [['passed', 'not_exercised'], { requireComplete: true, skip: ['r1'] }, 'passed'],
  [['passed', 'not_exercised', 'not_exercised'], { requireComplete: true, skip: ['R1'] }, 'incomplete'],
  [['passed', 'not_exercised'], unexercised({ id: 'R1', reason: 'known' }), 'passed'],
  [['passed', 'not_exercised', 'not_exercised'], unexercised({ id: 'R1', reason: 'known' }), 'incomplete'],
  [['passed', 'passed'], unexercised({ id: 'R1', reason: 'known' }), 'failed'],
  [['passed', 'passed'], { ...unexercised({ id: 'R1', reason: 'known' }), skip: ['R1'] }, 'passed'],
  [['passed', 'not_applicable'], unexercised({ id: 'R1', reason: 'known' }), 'passed'],
  [['passed', 'not_exercised'], unexercised({ id: 'R1', reason: 'known', expires: '2026-02-28' }), 'failed'],
  [['passed', 'not_exercised'], unexercised({ id: 'R1', reason: 'known', expires: '2026-03-01' }), 'passed'],
  [['failed'], failures({ id: 'R0', reason: 'known' }), 'passed'],
  [['passed'], failures({ id: 'R0', reason: 'known' }), 'failed'],
])('%j with %j: %s', (outcomes, conditions, expected) => {
  const { judgement } = concludeSuiteRun(runOf(outcomes), { ...lenientConditions, ...conditions })
  expect(judgement.outcome).toBe(expected)
})

test('each reason beside the results is one line', () => {
  const conditions = { ...lenientConditions, strict: true, requireComplete: true }
  const { judgement } = concludeSuiteRun(runOf(['warned', 'not_exercised']), conditions)
  expect(judgement.problems).toEqual([
    '--strict: 1 SHOULD finding counts.',
    '--require-complete: 1 requirement not exercised.',
  ])
})

test('a run that ended early is incomplete', () => {
  const { judgement } = concludeSuiteRun(
    runOf(['passed', 'not_exercised'], { unreachable: 'it is gone' }),
    lenientConditions,
  )
  expect(judgement).toMatchObject({ outcome: 'incomplete', problems: ['The run ended early: it is gone.'] })
})

test.each([
  ['--only', 'passed'],
  ['--explore-only', 'incomplete'],
] as const)('a result that %s did not select is left out and counted', (flag, outcome) => {
  const given = runOf(['passed', 'not_exercised'])
  const results = given.results.map((one) =>
    one.outcome === 'passed' ? one : { ...one, unselectedBy: flag },
  )
  const { run, judgement } = concludeSuiteRun(
    { ...given, results },
    { ...lenientConditions, requireComplete: true },
  )
  expect(run.results.map(({ requirement }) => requirement.id)).toEqual(['R0'])
  expect(run.notSelected).toEqual([{ flag, count: 1 }])
  expect(judgement.outcome).toBe(outcome)
})

const today = '2026-03-01'
const stale = 'The expected failure A is stale: it passes now; delete its entry.'
const expired = 'The expected failure A expired on 2026-02-28.'

test.each<[Outcome, string | undefined, Outcome, string[]]>([
  ['failed', today, 'expected_failure', []],
  ['warned', today, 'expected_failure', []],
  ['passed', undefined, 'passed', [stale]],
  ['failed', '2026-02-28', 'failed', [expired]],
  ['not_exercised', '2026-02-28', 'not_exercised', [expired]],
  ['not_exercised', today, 'not_exercised', []],
  ['harness_error', undefined, 'harness_error', []],
])('an expected failure that %s, with an entry until %s, is %s: %j', (outcome, expires, becomes, said) => {
  const entry = { id: 'A', reason: 'known', ...(expires !== undefined && { expires }) }
  const { results, problems } = applyExpectedFailures([result('A', outcome)], [entry], today)
  expect(results).toMatchObject([
    { outcome: becomes, ...(becomes === 'expected_failure' && { reason: 'known' }) },
  ])
  expect(problems).toEqual(said)
})

test('other results stay unchanged', () => {
  const results = [result('B', 'failed'), result('C', 'passed')]
  expect(applyExpectedFailures(results, [{ id: 'A', reason: 'known' }], today)).toEqual({
    results,
    problems: [],
  })
})

test('the printed entries can be parsed and expect the same failures', () => {
  const results = [result('A', 'failed'), result('B', 'passed'), result('C', 'warned')]
  const { failures: entries } = expectedFailuresSchema.parse(
    JSON.parse(expectedFailureEntriesText(results, false) ?? ''),
  )
  expect(entries.map(({ id }) => id)).toEqual(['A'])
  expect(applyExpectedFailures(results, entries, today).results[0]).toMatchObject({
    outcome: 'expected_failure',
  })
  expect(JSON.parse(expectedFailureEntriesText(results, true) ?? '')).toHaveLength(2)
  expect(expectedFailureEntriesText([result('B', 'passed')], true)).toBeUndefined()
})

test.each([
  [{ id: 'A' }],
  [{ id: 'A', reason: '' }],
  [{ id: 'A', reason: 'b', expires: 'soon' }],
  [{ id: 'A', reason: 'b', until: 1 }],
])('%j is no entry', (entry) => {
  expect(expectedFailuresSchema.safeParse([entry]).success).toBe(false)
})

test('a file lists failures, or both failures and what is not exercised', () => {
  const [entry] = [{ id: 'A', reason: 'known' }]
  expect(expectedFailuresSchema.parse([entry])).toEqual({ failures: [entry], unexercised: [] })
  expect(expectedFailuresSchema.parse({ unexercised: [entry] })).toEqual({
    failures: [],
    unexercised: [entry],
  })
  expect(expectedFailuresSchema.safeParse({ known: [entry] }).success).toBe(false)
})
