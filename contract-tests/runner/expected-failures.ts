/** Known failures do not fail a run, and known gaps do not make it incomplete; a stale or expired entry fails it. */
import { z } from 'zod'
import { type RequirementResult, wasExercised } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'

const entry = z.strictObject({
  id: z.string(),
  reason: z.string().min(1),
  /** The last day on which the entry applies: `2026-12-31`. */
  expires: z.iso.date().optional(),
})

/** The file: a list of failures, or an object that also lists what is known not to be exercised. */
export const expectedFailures = z.union([
  z.array(entry).transform((failures) => ({ failures, unexercised: [] })),
  z.strictObject({ failures: z.array(entry).default([]), unexercised: z.array(entry).default([]) }),
])
export type ExpectedFailure = z.output<typeof entry>
export type Expected = z.output<typeof expectedFailures>
export const nothingExpected: Expected = { failures: [], unexercised: [] }

/** Entries that cannot be used: for unknown ids, and for ids with an earlier entry. */
export function idleEntries(
  entries: readonly ExpectedFailure[],
  catalogue: readonly Pick<Requirement, 'id'>[],
): { unknown: string[]; repeated: string[] } {
  const known = new Set(catalogue.map(({ id }) => id))
  const ids = entries.map(({ id }) => id)
  return {
    unknown: ids.filter((id) => !known.has(id)),
    repeated: ids.filter((id, i) => ids.indexOf(id) < i),
  }
}

/** Marks expected failures; reports stale and expired entries. `today`: `2026-12-31`. */
export function applyExpected(
  results: readonly RequirementResult[],
  entries: readonly ExpectedFailure[],
  today: string,
): { results: RequirementResult[]; problems: string[] } {
  const byId = new Map(entries.map((one) => [one.id, one]))
  const problems: string[] = []
  const marked = results.map((result): RequirementResult => {
    const { requirement, outcome } = result
    const expected = byId.get(requirement.id)
    if (!expected) return result
    const { id, reason, expires } = expected
    const isExpired = expires !== undefined && expires < today
    if (outcome === 'passed')
      problems.push(`The expected failure ${id} is stale: it passes now; delete its entry.`)
    else if (isExpired) problems.push(`The expected failure ${id} expired on ${expires}.`)
    const isBroken = outcome === 'failed' || outcome === 'warned'
    return isBroken && !isExpired ? { ...result, outcome: 'expected_failure', reason } : result
  })
  return { results: marked, problems }
}

/**
 * Requirements that were not exercised and are not known to be; problems of stale and expired entries. A requirement
 * that `isSelected` rejects was left out of the run and shows nothing about its entry. `today`: `2026-12-31`.
 */
export function findGaps(
  results: readonly RequirementResult[],
  entries: readonly ExpectedFailure[],
  today: string,
  isSelected: (requirement: Requirement) => boolean,
): { gaps: RequirementResult[]; problems: string[] } {
  const byId = new Map(entries.map((one) => [one.id, one]))
  const gaps: RequirementResult[] = []
  const problems: string[] = []
  for (const result of results.filter(({ requirement }) => isSelected(requirement))) {
    const { requirement, outcome } = result
    const { id, expires } = byId.get(requirement.id) ?? {}
    const isExpired = expires !== undefined && expires < today
    if (id !== undefined && wasExercised(result))
      problems.push(`The entry of ${id} under "unexercised" is stale: it is exercised now; delete the entry.`)
    else if (isExpired) problems.push(`The entry of ${id} under "unexercised" expired on ${expires}.`)
    if (outcome === 'not_exercised' && (id === undefined || isExpired)) gaps.push(result)
  }
  return { gaps, problems }
}

/** Ids of requirements that are known not to be exercised. `today`: `2026-12-31`. */
export const knownGaps = (entries: readonly ExpectedFailure[], today: string): string[] =>
  entries.filter(({ expires }) => expires === undefined || expires >= today).map(({ id }) => id)

/** An entry for each requirement that fails the run, ready to paste; undefined if none does. */
export function entriesFor(results: readonly RequirementResult[], strict: boolean): string | undefined {
  const failing = results.filter(({ outcome }) => outcome === 'failed' || (strict && outcome === 'warned'))
  if (failing.length === 0) return undefined
  const entries = failing.map(({ requirement }) => `  { "id": "${requirement.id}", "reason": "…" }`)
  return `[\n${entries.join(',\n')}\n]`
}
