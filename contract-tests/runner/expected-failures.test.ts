/** Known failures: marked while they last, reported when they are over. */
import { expect, test } from 'vitest'
import type { Outcome } from '#reporting/outcome.ts'
import type { Verdict } from '../harness/outcome.ts'
import { observation } from '../harness/requirement.ts'
import { applyExpected, entriesFor, expectedFailures, idleEntries } from './expected-failures.ts'

function verdict(id: string, outcome: Outcome): Verdict {
  const level = outcome === 'warned' ? 'SHOULD' : 'MUST'
  const requirement = observation(id, level, '§4', null, 'It is so.', () => undefined)
  return { requirement, outcome, how: 'observed', evidence: [] }
}

const today = '2026-03-01'
const apply = (outcome: Outcome, expires?: string) =>
  applyExpected(
    [verdict('A', outcome)],
    [{ id: 'A', reason: 'known', ...(expires ? { expires } : {}) }],
    today,
  )

test.each(['failed', 'warned'] as const)('an expected one that %s is an expected failure', (outcome) => {
  const { verdicts, problems } = apply(outcome, today)
  expect(verdicts).toMatchObject([{ outcome: 'expected_failure', reason: 'known' }])
  expect(problems).toEqual([])
})

test('others stay as they are', () => {
  const verdicts = [verdict('B', 'failed'), verdict('C', 'passed')]
  expect(applyExpected(verdicts, [{ id: 'A', reason: 'known' }], today)).toEqual({ verdicts, problems: [] })
})

test('one that passes now is stale', () => {
  expect(apply('passed').problems).toEqual([
    'The expected failure A is stale: it passes now; delete its entry.',
  ])
})

test('one that has expired is a failure again, and says so', () => {
  const { verdicts, problems } = apply('failed', '2026-02-28')
  expect(verdicts).toMatchObject([{ outcome: 'failed' }])
  expect(problems).toEqual(['The expected failure A expired on 2026-02-28.'])
})

test('an entry expires whether or not its requirement was exercised', () => {
  expect(apply('not_exercised', '2026-02-28').problems).toHaveLength(1)
  expect(apply('not_exercised', today).problems).toEqual([])
  expect(apply('harness_error')).toMatchObject({ verdicts: [{ outcome: 'harness_error' }], problems: [] })
})

test('entries of unknown ids, and second entries, are found', () => {
  const entries = ['A', 'B', 'A', 'X'].map((id) => ({ id, reason: 'known' }))
  expect(idleEntries(entries, [{ id: 'A' }, { id: 'B' }])).toEqual({ unknown: ['X'], repeated: ['A'] })
})

test('what it prints to paste can be read back and expects the same failures', () => {
  const verdicts = [verdict('A', 'failed'), verdict('B', 'passed'), verdict('C', 'warned')]
  const entries = expectedFailures.parse(JSON.parse(entriesFor(verdicts, false) ?? ''))
  expect(entries.map(({ id }) => id)).toEqual(['A'])
  expect(applyExpected(verdicts, entries, today).verdicts[0]).toMatchObject({ outcome: 'expected_failure' })
  expect(JSON.parse(entriesFor(verdicts, true) ?? '')).toHaveLength(2)
  expect(entriesFor([verdict('B', 'passed')], true)).toBeUndefined()
})

test.each([
  [{ id: 'A' }],
  [{ id: 'A', reason: '' }],
  [{ id: 'A', reason: 'b', expires: 'soon' }],
  [{ id: 'A', reason: 'b', until: 1 }],
])('%j is no entry', (entry) => {
  expect(expectedFailures.safeParse([entry]).success).toBe(false)
})
