/** The judgement of one requirement or rule. */

/** All outcomes that judging one requirement or rule can have. */
export const outcomes = [
  'passed',
  'failed',
  'suspected',
  'warned',
  'not_applicable',
  'not_exercised',
  'expected_failure',
  'harness_error',
] as const

/**
 * The outcome of judging one requirement or rule. `suspected`: a violation was seen that was neither confirmed nor
 * refuted. `warned`: a SHOULD was violated. `not_exercised`: nothing happened by which it could be judged, so it did
 * not pass. `expected_failure`: the operator listed this failure. `harness_error`: the judge itself failed.
 */
export type Outcome = (typeof outcomes)[number]

/** The number of results with each outcome. */
export function outcomeCountsOf(
  results: readonly { readonly outcome: Outcome }[],
): Readonly<Record<Outcome, number>> {
  const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>
  for (const { outcome } of results) totals[outcome]++
  return totals
}

const urgency: readonly string[] = [
  'failed',
  'suspected',
  'harness_error',
  'warned',
  'expected_failure',
  'not_exercised',
  'not_applicable',
  'passed',
] satisfies Outcome[]

/** Compares two results for sorting: those that need attention come first. */
export const compareByUrgency = (a: { readonly outcome: string }, b: { readonly outcome: string }) =>
  urgency.indexOf(a.outcome) - urgency.indexOf(b.outcome)

/** The outcome in words: `not exercised`. */
export const outcomeWordsOf = (outcome: string) => outcome.replaceAll('_', ' ')
