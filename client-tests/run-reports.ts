/** One report on several runs of the same client in the same circumstances. */
import {
  type ClientPart,
  type ClientReport,
  combine,
  createClientReport,
  kindOf,
  type RuleResult,
} from './client-report.ts'
import { rules } from './rules/index.ts'

type Results = readonly [RuleResult, ...RuleResult[]]

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
    return spanning ?? combine(withoutRepeats([result, ...others.flatMap((report) => report.rules[i] ?? [])]))
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

/** The results of several runs of one rule; what a later run does as an earlier one is counted and not told again. */
function withoutRepeats([first, ...others]: Results): Results {
  const told = new Set(first.findings.map(kindOf))
  const rest = others.map((one) => {
    const findings = one.findings.filter((finding) => !told.has(kindOf(finding)))
    for (const finding of findings) told.add(kindOf(finding))
    return { ...one, findings, more_findings: one.more_findings + one.findings.length - findings.length }
  })
  return [first, ...rest]
}

function mergeParts([first, ...others]: readonly ClientPart[], end: string): ClientPart[] {
  if (!first) return []
  return [{ ...first, requests: others.reduce((sum, { requests }) => sum + requests, first.requests), end }]
}
