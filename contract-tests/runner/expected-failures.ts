/** Known failures do not fail a run; a stale, expired or unknown entry does. */
import { z } from 'zod'
import type { RequirementResult } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'

const entry = z.strictObject({
  id: z.string(),
  reason: z.string().min(1),
  /** The last day on which the entry applies: `2026-12-31`. */
  expires: z.iso.date().optional(),
})

export const expectedFailures = z.array(entry)
export type ExpectedFailure = z.output<typeof entry>

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

/** An entry for each requirement that fails the run, ready to paste; undefined if none does. */
export function entriesFor(results: readonly RequirementResult[], strict: boolean): string | undefined {
  const failing = results.filter(({ outcome }) => outcome === 'failed' || (strict && outcome === 'warned'))
  if (failing.length === 0) return undefined
  const entries = failing.map(({ requirement }) => `  { "id": "${requirement.id}", "reason": "…" }`)
  return `[\n${entries.join(',\n')}\n]`
}
