/** Known failures are marked; entries that no longer apply are reported. */
import { expect, test } from 'vitest'
import type { Outcome } from '#reporting/outcome.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import { declare } from '../harness/requirement.ts'
import { applyExpected, entriesFor, expectedFailures } from './outcome-of-run.ts'

function result(id: string, outcome: Outcome): RequirementResult {
  const level = outcome === 'warned' ? 'SHOULD' : 'MUST'
  const requirement = declare(level)(id, '§4', null)
    .states('It is so.')
    .observe(() => undefined)
  return { requirement, outcome, how: 'observed', evidence: [] }
}

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
  const { results, problems } = applyExpected([result('A', outcome)], [entry], today)
  expect(results).toMatchObject([
    { outcome: becomes, ...(becomes === 'expected_failure' && { reason: 'known' }) },
  ])
  expect(problems).toEqual(said)
})

test('other results stay unchanged', () => {
  const results = [result('B', 'failed'), result('C', 'passed')]
  expect(applyExpected(results, [{ id: 'A', reason: 'known' }], today)).toEqual({ results, problems: [] })
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
  expect(expectedFailures.safeParse({ known: [entry] }).success).toBe(false)
})
