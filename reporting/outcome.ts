/** The judgement of one requirement or rule. */

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
 * The outcome of one requirement or rule. `suspected`: a violation was seen and not refuted, so that it neither passed
 * nor provably failed. `warned`: a SHOULD was violated. `not_exercised`: nothing happened that shows it, which does
 * not count as passed. `expected_failure`: a failure that the operator has listed. `harness_error`: a fault of the
 * judge itself.
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

/** Compares results for a sort: what needs attention comes first. */
export const compareByUrgency = (a: { readonly outcome: string }, b: { readonly outcome: string }) =>
  urgency.indexOf(a.outcome) - urgency.indexOf(b.outcome)

/** The outcome in words: `not exercised`. */
export const outcomeWordsOf = (outcome: string) => outcome.replaceAll('_', ' ')
