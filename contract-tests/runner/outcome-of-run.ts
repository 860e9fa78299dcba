/** From the verdicts of a run to the one that counts. */

import { totalsOf } from '#reporting/outcome.ts'
import { type Run, wasJudged } from '../harness/outcome.ts'
import type { Judgement } from '../report/report.ts'
import { applyExpected, type ExpectedFailure } from './expected-failures.ts'

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
  const gaps: string[] = []
  if (run.unreachable !== undefined) gaps.push(`The run ended early: ${run.unreachable}.`)
  if (!verdicts.some(wasJudged)) gaps.push('Nothing at all was exercised.')
  if (totals.harness_error > 0)
    gaps.push(`${counted(totals.harness_error)} met a fault of the suite; please report it.`)
  if (requireComplete && totals.not_exercised > 0)
    gaps.push(`--require-complete: ${counted(totals.not_exercised)} not exercised.`)
  const outcome = broken ? 'failed' : gaps.length > 0 ? 'incomplete' : 'passed'
  return { run: { ...run, verdicts }, judgement: { outcome, strict, problems: [...problems, ...gaps] } }
}

const counted = (n: number) => `${n} ${n === 1 ? 'requirement' : 'requirements'}`
