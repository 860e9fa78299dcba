/** Known failures are marked; entries that no longer apply are reported. */
import { expect, test } from 'vitest'
import type { Outcome } from '#reporting/outcome.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import { declare } from '../harness/requirement.ts'
import { applyExpected, entriesFor, expectedFailures, idleEntries } from './outcome-of-run.ts'

function result(id: string, outcome: Outcome): RequirementResult {
  const level = outcome === 'warned' ? 'SHOULD' : 'MUST'
  const requirement = declare(level)(id, '§4', null)
    .states('It is so.')
    .observe(() => undefined)
  return { requirement, outcome, how: 'observed', evidence: [] }
}

const today = '2026-03-01'
const apply = (outcome: Outcome, expires?: string) =>
  applyExpected(
    [result('A', outcome)],
    [{ id: 'A', reason: 'known', ...(expires ? { expires } : {}) }],
    today,
  )

test.each([
  'failed',
  'warned',
] as const)('an expected requirement that %s is an expected failure', (outcome) => {
  const { results, problems } = apply(outcome, today)
  expect(results).toMatchObject([{ outcome: 'expected_failure', reason: 'known' }])
  expect(problems).toEqual([])
})

test('other results stay unchanged', () => {
  const results = [result('B', 'failed'), result('C', 'passed')]
  expect(applyExpected(results, [{ id: 'A', reason: 'known' }], today)).toEqual({ results, problems: [] })
})

test('an entry whose requirement passes is stale', () => {
  expect(apply('passed').problems).toEqual([
    'The expected failure A is stale: it passes now; delete its entry.',
  ])
})

test('an expired entry no longer applies and is reported', () => {
  const { results, problems } = apply('failed', '2026-02-28')
  expect(results).toMatchObject([{ outcome: 'failed' }])
  expect(problems).toEqual(['The expected failure A expired on 2026-02-28.'])
})

test('an entry expires whether or not its requirement was exercised', () => {
  expect(apply('not_exercised', '2026-02-28').problems).toHaveLength(1)
  expect(apply('not_exercised', today).problems).toEqual([])
  expect(apply('harness_error')).toMatchObject({ results: [{ outcome: 'harness_error' }], problems: [] })
})

test('entries with unknown or repeated ids are found', () => {
  const entries = ['A', 'B', 'A', 'X'].map((id) => ({ id, reason: 'known' }))
  expect(idleEntries(entries, [{ id: 'A' }, { id: 'B' }])).toEqual({ unknown: ['X'], repeated: ['A'] })
})

test('the printed entries can be parsed and expect the same failures', () => {
  const results = [result('A', 'failed'), result('B', 'passed'), result('C', 'warned')]
  const { failures: entries } = expectedFailures.parse(JSON.parse(entriesFor(results, false) ?? ''))
  expect(entries.map(({ id }) => id)).toEqual(['A'])
  expect(applyExpected(results, entries, today).results[0]).toMatchObject({ outcome: 'expected_failure' })
  expect(JSON.parse(entriesFor(results, true) ?? '')).toHaveLength(2)
  expect(entriesFor([result('B', 'passed')], true)).toBeUndefined()
})

test.each([
  [{ id: 'A' }],
  [{ id: 'A', reason: '' }],
  [{ id: 'A', reason: 'b', expires: 'soon' }],
  [{ id: 'A', reason: 'b', until: 1 }],
])('%j is no entry', (entry) => {
  expect(expectedFailures.safeParse([entry]).success).toBe(false)
})

test('a file lists failures, or both failures and what is not exercised', () => {
  const [entry] = [{ id: 'A', reason: 'known' }]
  expect(expectedFailures.parse([entry])).toEqual({ failures: [entry], unexercised: [] })
  expect(expectedFailures.parse({ unexercised: [entry] })).toEqual({ failures: [], unexercised: [entry] })
  expect(expectedFailures.safeParse({ unexercised: [{ id: 'A' }] }).success).toBe(false)
  expect(expectedFailures.safeParse({ known: [entry] }).success).toBe(false)
})
