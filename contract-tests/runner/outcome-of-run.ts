/** From the results of a run to its outcome. */

import { totalsOf } from '#reporting/outcome.ts'
import { type SuiteRun, wasExercised } from '../harness/outcome.ts'
import type { Judgement } from '../report/report.ts'
import { applyExpected, type ExpectedFailure } from './expected-failures.ts'

export interface Conditions {
  /** SHOULD findings fail the run too. */
  readonly strict: boolean
  /** Requirements that were not exercised make the run incomplete. */
  readonly requireComplete: boolean
  readonly expected: readonly ExpectedFailure[]
}

/** The run with its expected failures marked, and its outcome. */
export function conclude(
  run: SuiteRun,
  { strict, requireComplete, expected }: Conditions,
): { run: SuiteRun; judgement: Judgement } {
  const { results, problems } = applyExpected(run.results, expected, run.started_at.slice(0, 10))
  const totals = totalsOf(results)
  const broken = totals.failed > 0 || problems.length > 0 || (strict && totals.warned > 0)
  if (strict && totals.warned > 0)
    problems.push(
      `--strict: ${totals.warned} SHOULD ${totals.warned === 1 ? 'finding counts' : 'findings count'}.`,
    )
  const gaps: string[] = []
  if (run.unreachable !== undefined) gaps.push(`The run ended early: ${run.unreachable}.`)
  if (!results.some(wasExercised)) gaps.push('No requirement was exercised.')
  if (totals.harness_error > 0)
    gaps.push(`${counted(totals.harness_error)} met an error in the suite; please report it.`)
  if (requireComplete && totals.not_exercised > 0)
    gaps.push(`--require-complete: ${counted(totals.not_exercised)} not exercised.`)
  const outcome = broken ? 'failed' : gaps.length > 0 ? 'incomplete' : 'passed'
  return { run: { ...run, results }, judgement: { outcome, strict, problems: [...problems, ...gaps] } }
}

const counted = (n: number) => `${n} ${n === 1 ? 'requirement' : 'requirements'}`
