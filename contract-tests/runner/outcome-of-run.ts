/** From the results of a run to its outcome. */

import { totalsOf } from '#reporting/outcome.ts'
import { type RequirementResult, type SuiteRun, wasExercised } from '../harness/outcome.ts'
import { setUpAtFault } from '../harness/provider-states.ts'
import type { Judgement } from '../report/report.ts'
import { applyExpected, type Expected, findGaps, knownGaps } from './expected-failures.ts'
import { fits, isInShard, unselectedBy } from './selection.ts'

export interface Conditions {
  /** SHOULD findings fail the run too. */
  readonly strict: boolean
  /** Requirements that were not exercised make the run incomplete. */
  readonly requireComplete: boolean
  readonly expected: Expected
  /** Patterns of requirements that are left out, which is no gap. */
  readonly skip: readonly string[]
}

/**
 * The run with its expected failures marked and without the requirements that `--only` or `--explore-only` did not
 * select, and its outcome. What `--only` did not select is no gap; what `--explore-only` did not meet is one.
 */
export function conclude(
  run: SuiteRun,
  { strict, requireComplete, expected, skip }: Conditions,
): { run: SuiteRun; judgement: Judgement } {
  const today = run.started_at.slice(0, 10)
  const { results, problems } = applyExpected(run.results, expected.failures, today)
  const isSelected = ({ id }: { id: string }) =>
    !skip.some((pattern) => fits(id, pattern)) && (run.shard === undefined || isInShard(id, run.shard))
  const wanted = results.filter((one) => unselectedBy(one) !== '--only')
  const unexercised = findGaps(wanted, expected.unexercised, today, isSelected)
  problems.push(...unexercised.problems)
  const selected = results.filter((one) => unselectedBy(one) === undefined)
  const totals = totalsOf(selected)
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
  const outcome = broken ? 'failed' : gaps.length > 0 ? 'incomplete' : 'passed'
  const counts = Map.groupBy(results, unselectedBy)
  const notSelected = [...counts].flatMap(([flag, { length: count }]) => (flag ? [{ flag, count }] : []))
  return {
    run: { ...run, results: selected, notSelected },
    judgement: {
      outcome,
      strict,
      problems: [...problems, ...gaps],
      knownGaps: knownGaps(expected.unexercised, today),
    },
  }
}

/** What is wrong with the provider states, if a requirement could not be exercised because of that and none of the known gaps is about it. */
export function setUpFaultIn({ results }: SuiteRun, { expected }: Conditions): string | undefined {
  const isKnown = ({ requirement: { id } }: RequirementResult) =>
    expected.unexercised.some((entry) => fits(id, entry.id))
  const begin = `${setUpAtFault}: `
  return results
    .filter((one) => one.outcome === 'not_exercised' && !isKnown(one))
    .find(({ reason }) => reason?.startsWith(begin))
    ?.reason?.slice(begin.length)
}

const counted = (n: number) => `${n} ${n === 1 ? 'requirement' : 'requirements'}`
