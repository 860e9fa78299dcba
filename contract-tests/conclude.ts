/** From the verdicts of a run to the one that counts. */
import { applyExpected, type ExpectedFailure } from './expected-failures.ts'
import { type Run, totalsOf } from './outcome.ts'
import type { Judgement } from './report/report.ts'

export interface Conditions {
  /** SHOULD findings count too. */
  readonly strict: boolean
  /** What was not exercised counts too. */
  readonly requireComplete: boolean
  readonly expected: readonly ExpectedFailure[]
}

/** The run with its expected failures marked, and what it comes to. */
export function conclude(
  run: Run,
  { strict, requireComplete, expected }: Conditions,
): { run: Run; judgement: Judgement } {
  const { verdicts, problems } = applyExpected(run.verdicts, expected, run.started_at.slice(0, 10))
  const totals = totalsOf(verdicts)
  const broken = totals.failed > 0 || problems.length > 0 || (strict && totals.warned > 0)
  if (strict && totals.warned > 0)
    problems.push(
      `--strict: ${totals.warned} SHOULD ${totals.warned === 1 ? 'finding counts' : 'findings count'}.`,
    )
  const judged = totals.passed + totals.failed + totals.warned + totals.expected_failure
  const gaps: string[] = []
  if (judged === 0) gaps.push('Nothing at all was exercised.')
  if (totals.harness_error > 0)
    gaps.push(`${totals.harness_error} requirements met a fault of the suite; please report it.`)
  if (requireComplete && totals.not_exercised > 0)
    gaps.push(`--require-complete: ${totals.not_exercised} requirements were not exercised.`)
  const outcome = broken ? 'failed' : gaps.length > 0 ? 'incomplete' : 'passed'
  return { run: { ...run, verdicts }, judgement: { outcome, problems: [...problems, ...gaps] } }
}
