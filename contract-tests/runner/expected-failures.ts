/** Known failures: they do not fail a run, and one that is stale, expired or unknown does. */
import { z } from 'zod'
import type { Verdict } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'

const entry = z.strictObject({
  id: z.string(),
  reason: z.string().min(1),
  /** The last day on which the entry counts: `2026-12-31`. */
  expires: z.iso.date().optional(),
})

export const expectedFailures = z.array(entry)
export type ExpectedFailure = z.output<typeof entry>

/** Entries that cannot be used: of ids that no requirement has, and of ids that have an entry already. */
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

/** Marks the expected ones among failures; says which entries are stale or expired. `today`: `2026-12-31`. */
export function applyExpected(
  verdicts: readonly Verdict[],
  entries: readonly ExpectedFailure[],
  today: string,
): { verdicts: Verdict[]; problems: string[] } {
  const byId = new Map(entries.map((one) => [one.id, one]))
  const problems: string[] = []
  const marked = verdicts.map((verdict): Verdict => {
    const { requirement, outcome } = verdict
    const expected = byId.get(requirement.id)
    if (!expected) return verdict
    const { id, reason, expires } = expected
    const isExpired = expires !== undefined && expires < today
    if (outcome === 'passed')
      problems.push(`The expected failure ${id} is stale: it passes now; delete its entry.`)
    else if (isExpired) problems.push(`The expected failure ${id} expired on ${expires}.`)
    const isBroken = outcome === 'failed' || outcome === 'warned'
    return isBroken && !isExpired ? { ...verdict, outcome: 'expected_failure', reason } : verdict
  })
  return { verdicts: marked, problems }
}

/** An entry for each requirement that fails the run, ready to paste; undefined where there is none. */
export function entriesFor(verdicts: readonly Verdict[], strict: boolean): string | undefined {
  const failing = verdicts.filter(({ outcome }) => outcome === 'failed' || (strict && outcome === 'warned'))
  if (failing.length === 0) return undefined
  const entries = failing.map(({ requirement }) => `  { "id": "${requirement.id}", "reason": "…" }`)
  return `[\n${entries.join(',\n')}\n]`
}
