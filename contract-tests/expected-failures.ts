/** Known failures: they do not fail a run, and one that is stale, expired or unknown does. */
import { z } from 'zod'
import type { Verdict } from './outcome.ts'
import type { Requirement } from './requirement.ts'

const entry = z.strictObject({
  id: z.string(),
  reason: z.string().min(1),
  /** The last day on which the entry counts: `2026-12-31`. */
  expires: z.iso.date().optional(),
})

export const expectedFailures = z.array(entry)
export type ExpectedFailure = z.output<typeof entry>

/** Entries whose id is in no catalogue. */
export function unknownEntries(
  entries: readonly ExpectedFailure[],
  catalogue: readonly Requirement[],
): string[] {
  const known = new Set(catalogue.map(({ id }) => id))
  return entries.map(({ id }) => id).filter((id) => !known.has(id))
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
    const { id } = verdict.requirement
    const expected = byId.get(id)
    if (!expected) return verdict
    const broken = verdict.outcome === 'failed' || verdict.outcome === 'warned'
    if (verdict.outcome === 'passed')
      problems.push(`The expected failure ${id} is stale: it passes now; delete its entry.`)
    if (broken && expected.expires !== undefined && expected.expires < today) {
      problems.push(`The expected failure ${id} expired on ${expected.expires}.`)
      return verdict
    }
    return broken ? { ...verdict, outcome: 'expected_failure', reason: expected.reason } : verdict
  })
  return { verdicts: marked, problems }
}

/** An entry for each failure, ready to paste. */
export function entriesFor(verdicts: readonly Verdict[]): string {
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
  return `[\n${failed.map(({ requirement }) => `  { "id": "${requirement.id}", "reason": "…" }`).join(',\n')}\n]`
}
