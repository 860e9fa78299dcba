/** The outcome of a run. */
import { expect, test } from 'vitest'
import type { Outcome } from '#reporting/outcome.ts'
import type { RequirementResult, SuiteRun } from '../harness/outcome.ts'
import { must } from '../harness/requirement.ts'
import { sampleRun } from '../report/testing/sample.ts'
import { plain } from '../testing/run.ts'
import { type Conditions, conclude, type ExpectedFailure, nothingExpected } from './outcome-of-run.ts'

function runOf(outcomes: readonly Outcome[], change: Partial<SuiteRun> = {}): SuiteRun {
  const results = outcomes.map(
    (outcome, i): RequirementResult => ({
      requirement: must(`R${i}`, '§1', null)
        .states('It is so.')
        .observe(() => undefined),
      outcome,
      how: 'observed',
      evidence: [],
    }),
  )
  return sampleRun({ results, ...change })
}

const failures = (...list: ExpectedFailure[]) => ({ expected: { ...nothingExpected, failures: list } })
const unexercised = (...list: ExpectedFailure[]) => ({
  requireComplete: true,
  expected: { ...nothingExpected, unexercised: list },
})

test.each<[Outcome[], Partial<Conditions>, string]>([
  [['passed'], {}, 'passed'],
  [['passed', 'not_exercised', 'not_applicable', 'warned'], {}, 'passed'],
  [['passed', 'failed'], {}, 'failed'],
  [['passed', 'warned'], { strict: true }, 'failed'],
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
  const { judgement } = conclude(runOf(outcomes), { ...plain, ...conditions })
  expect(judgement.outcome).toBe(expected)
})

test('each reason beside the results is one line', () => {
  const conditions = { ...plain, strict: true, requireComplete: true }
  const { judgement } = conclude(runOf(['warned', 'not_exercised']), conditions)
  expect(judgement.problems).toEqual([
    '--strict: 1 SHOULD finding counts.',
    '--require-complete: 1 requirement not exercised.',
  ])
})

test('a run that ended early is incomplete', () => {
  const { judgement } = conclude(runOf(['passed', 'not_exercised'], { unreachable: 'it is gone' }), plain)
  expect(judgement).toMatchObject({ outcome: 'incomplete', problems: ['The run ended early: it is gone.'] })
})

test.each([
  ['not selected by --only', '--only', 'passed'],
  ['only the search was run (--explore-only)', '--explore-only', 'incomplete'],
] as const)('a result that is "%s" is left out and counted', (reason, flag, outcome) => {
  const given = runOf(['passed', 'not_exercised'])
  const results = given.results.map((one) => (one.outcome === 'passed' ? one : { ...one, reason }))
  const { run, judgement } = conclude({ ...given, results }, { ...plain, requireComplete: true })
  expect(run.results.map(({ requirement }) => requirement.id)).toEqual(['R0'])
  expect(run.notSelected).toEqual([{ flag, count: 1 }])
  expect(judgement.outcome).toBe(outcome)
})
