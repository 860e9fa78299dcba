/** The outcome of a run. */
import { expect, test } from 'vitest'
import type { Outcome } from '#reporting/outcome.ts'
import type { RequirementResult, SuiteRun } from '../harness/outcome.ts'
import { must } from '../harness/requirement.ts'
import { sampleRun } from '../report/testing/sample.ts'
import { type Conditions, conclude } from './outcome-of-run.ts'

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

const plain: Conditions = { strict: false, requireComplete: false, expected: [] }

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
  [['failed'], { expected: [{ id: 'R0', reason: 'known' }] }, 'passed'],
  [['passed'], { expected: [{ id: 'R0', reason: 'known' }] }, 'failed'],
  [['failed'], { expected: [{ id: 'R0', reason: 'known', expires: '2026-02-28' }] }, 'failed'],
  [['failed'], { expected: [{ id: 'R0', reason: 'known', expires: '2026-03-01' }] }, 'passed'],
])('%j with %j: %s', (outcomes, conditions, expected) => {
  const { judgement } = conclude(runOf(outcomes), { ...plain, ...conditions })
  expect(judgement.outcome).toBe(expected)
})

test('each reason beside the results is one line', () => {
  const { judgement } = conclude(runOf(['warned', 'not_exercised']), {
    strict: true,
    requireComplete: true,
    expected: [],
  })
  expect(judgement.problems).toEqual([
    '--strict: 1 SHOULD finding counts.',
    '--require-complete: 1 requirement not exercised.',
  ])
})

test('a run that ended early is incomplete', () => {
  const { judgement } = conclude(runOf(['passed', 'not_exercised'], { unreachable: 'it is gone' }), plain)
  expect(judgement).toMatchObject({ outcome: 'incomplete', problems: ['The run ended early: it is gone.'] })
})
