/** From the results of a run to its outcome: known failures do not fail it, and a stale or expired entry does. */

import { z } from 'zod'
import { outcomeCountsOf } from '#reporting/outcome.ts'
import { type RequirementResult, type SuiteRun, wasExercised } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'
import { outcomeOfSuspicions, type RunVerdict } from '../report/report.ts'
import { isPreventedByProviderState } from './results.ts'
import { matchesPattern } from './selection.ts'

const entry = z.strictObject({
  id: z.string(),
  reason: z.string().min(1),
  /** The last day on which the entry applies: `2026-12-31`. */
  expires: z.iso.date().optional(),
})

/**
 * Schema of a file of expected failures: a list of failures, or an object that also lists requirements that are known
 * not to be exercised.
 */
export const expectedFailuresSchema = z.union([
  z.array(entry).transform((failures) => ({ failures, unexercised: [] })),
  z.strictObject({ failures: z.array(entry).default([]), unexercised: z.array(entry).default([]) }),
])
/** An entry of a file of expected failures. */
export type ExpectedFailure = z.output<typeof entry>
type Expected = z.output<typeof expectedFailuresSchema>

/** The content of a file of expected failures that lists none. */
export const noExpectedFailures: Expected = { failures: [], unexercised: [] }

/** Entries of a file of expected failures with an unknown id, or with the id of an earlier entry. */
export function unusableExpectedFailures(
  entries: readonly ExpectedFailure[],
  catalogue: readonly Pick<Requirement, 'id'>[],
): { unknown: string[]; repeated: string[] } {
  const known: ReadonlySet<string> = new Set(catalogue.map(({ id }) => id))
  const ids = entries.map(({ id }) => id)
  return {
    unknown: ids.filter((id) => !known.has(id)),
    repeated: ids.filter((id, i) => ids.indexOf(id) < i),
  }
}

/**
 * Marks the expected failures among results; also returns as problems the entries that are stale or expired. `today`:
 * `2026-12-31`.
 */
export function applyExpectedFailures(
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
    const isBroken = outcome === 'failed' || outcome === 'suspected' || outcome === 'warned'
    return isBroken && !isExpired ? { ...result, outcome: 'expected_failure', reason } : result
  })
  return { results: marked, problems }
}

/**
 * Requirements that were not exercised, other than known gaps, and the problems of stale and expired entries. Where
 * `isSelected` is false, a requirement was left out of the run and shows nothing about its entry. `today`:
 * `2026-12-31`.
 */
function findGaps(
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
const knownGaps = (entries: readonly ExpectedFailure[], today: string): string[] =>
  entries.filter(({ expires }) => expires === undefined || expires >= today).map(({ id }) => id)

/**
 * The text of entries for a file of expected failures, one for each requirement that fails the run, ready to paste;
 * undefined if none does.
 */
export function expectedFailureEntriesText(
  results: readonly RequirementResult[],
  strict: boolean,
): string | undefined {
  const failing = results.filter(
    ({ outcome }) => outcome === 'failed' || outcome === 'suspected' || (strict && outcome === 'warned'),
  )
  if (failing.length === 0) return undefined
  const entries = failing.map(({ requirement }) => `  { "id": "${requirement.id}", "reason": "…" }`)
  return `[\n${entries.join(',\n')}\n]`
}

/** The conditions under which a run counts as passed. */
export interface PassConditions {
  /** True if SHOULD findings fail the run, too. */
  readonly strict: boolean
  /** True if a requirement that was not exercised makes the run incomplete. */
  readonly requireComplete: boolean
  readonly expected: Expected
  /** Patterns of requirements that the operator leaves out on purpose, so that they do not make the run incomplete. */
  readonly skip: readonly string[]
}

/**
 * The run and its outcome, with expected failures marked and without the requirements that `--only` or `--explore-only`
 * did not select.
 */
export function concludeSuiteRun(
  run: SuiteRun,
  { strict, requireComplete, expected, skip }: PassConditions,
): { run: SuiteRun; judgement: RunVerdict } {
  const today = run.started_at.slice(0, 10)
  const { results, problems } = applyExpectedFailures(run.results, expected.failures, today)
  const isSelected = ({ id }: { id: string }) => !skip.some((pattern) => matchesPattern(id, pattern))
  const wanted = results.filter(({ unselectedBy }) => unselectedBy !== '--only')
  const unexercised = findGaps(wanted, expected.unexercised, today, isSelected)
  problems.push(...unexercised.problems)
  const selected = results.filter(({ unselectedBy }) => unselectedBy === undefined)
  const totals = outcomeCountsOf(selected)
  const broken = totals.failed > 0 || problems.length > 0 || (strict && totals.warned > 0)
  if (strict && totals.warned > 0)
    problems.push(
      `--strict: ${totals.warned} SHOULD ${totals.warned === 1 ? 'finding counts' : 'findings count'}.`,
    )
  const gaps: string[] = []
  if (run.unreachable !== undefined) gaps.push(`The run ended early: ${run.unreachable}.`)
  gaps.push(...(run.gaps ?? []))
  if (!results.some(wasExercised)) gaps.push('No requirement was exercised.')
  if (totals.harness_error > 0)
    gaps.push(`${counted(totals.harness_error)} met an error in the suite; please report it.`)
  for (const error of run.harnessErrors ?? []) gaps.push(`Error in the suite: ${error}; please report it.`)
  if (requireComplete && unexercised.gaps.length > 0)
    gaps.push(`--require-complete: ${counted(unexercised.gaps.length)} not exercised.`)
  const fault = providerStateProblem(run, { expected })
  if (fault !== undefined) gaps.push(`A provider state did not work: ${fault}.`)
  const suspicion = outcomeOfSuspicions(selected)
  const outcome = broken ? 'failed' : (suspicion ?? (gaps.length > 0 ? 'incomplete' : 'passed'))
  const counts = Map.groupBy(results, ({ unselectedBy }) => unselectedBy)
  const notSelected = [...counts].flatMap(([flag, { length: count }]) => (flag ? [{ flag, count }] : []))
  return {
    run: { ...run, results: selected, notSelected },
    judgement: {
      outcome,
      strict,
      lead: [
        ...(run.lead ?? []),
        ...(suspicion ? [suspicionText({ ...run, results: selected }, suspicion)] : []),
      ],
      problems: [...problems, ...gaps],
      knownGaps: knownGaps(expected.unexercised, today),
    },
  }
}

/** The sentence, for the first line, that names suspected violations. */
function suspicionText({ results, isRecorded }: SuiteRun, outcome: 'suspected' | 'inconclusive'): string {
  const [first, ...more] = results.filter((one) => one.outcome === 'suspected')
  const many = more.length > 0 ? ` and ${counted(more.length)} more` : ''
  const seen = `Seen and not refuted: ${first?.requirement.id}${many}.`
  const others = isRecorded
    ? 'Another client, bought credits or a request that is not recorded'
    : 'Others who use the organization'
  return outcome === 'inconclusive' ? `${seen} ${others} may have caused it.` : seen
}

/**
 * The problem of the provider states that kept a requirement from being exercised; undefined if there is none, or if it
 * is a known gap.
 */
export function providerStateProblem(
  { results }: SuiteRun,
  { expected }: Pick<PassConditions, 'expected'>,
): string | undefined {
  const isKnown = ({ requirement: { id } }: RequirementResult) =>
    expected.unexercised.some((entry) => matchesPattern(id, entry.id))
  return results.find((one) => isPreventedByProviderState(one) && !isKnown(one))?.providerFault?.fault
}

const counted = (n: number) => `${n} ${n === 1 ? 'requirement' : 'requirements'}`
