/** One report on several runs of the same client in the same circumstances. */
import { type ClientPart, type ClientReport, combine, createClientReport } from './client-report.ts'
import { rules } from './rules/index.ts'

/**
 * Merges the reports on single runs. `whole`: the report on all their requests, for rules that need more than one run.
 * `end`: how the runs ended, in a few words.
 */
export function mergeRuns(
  runs: readonly [ClientReport, ...ClientReport[]],
  whole: ClientReport,
  end: string,
): ClientReport {
  const [first, ...others] = runs
  const merged = first.rules.map((result, i) => {
    const spanning = rules[i]?.spansRuns ? whole.rules[i] : undefined
    return spanning ?? combine([result, ...others.flatMap((report) => report.rules[i] ?? [])])
  })
  const parts = [
    ...Map.groupBy(
      runs.flatMap((report) => report.parts),
      ({ id }) => id,
    ).values(),
  ]
  return createClientReport(
    parts.flatMap((same) => mergeParts(same, end)),
    merged,
    first.strict,
  )
}

function mergeParts([first, ...others]: readonly ClientPart[], end: string): ClientPart[] {
  if (!first) return []
  return [{ ...first, requests: others.reduce((sum, { requests }) => sum + requests, first.requests), end }]
}
