/** The report on a client as the JSON format holds it; every other format is rendered from it. */

import { type Outcome, outcomeCountsOf } from '#reporting/outcome.ts'
import type { ReportPart } from '#reporting/report.ts'
import type { ClientRuleId } from '#traffic/client-rule-id.ts'
import type { ClientRuleLevel, RunFacts } from './rule.ts'

/** The outcome of a rule: kept, violated, or not exercised by the client. */
export type RuleOutcome = Extract<Outcome, 'passed' | 'failed' | 'warned' | 'not_exercised'>

/** One request, shown as evidence in a client report. It contains no key, no query and no body. */
export interface ReportedRequest {
  /** The id in the journal. */
  readonly request_id: string
  /** ISO 8601, mock time. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** The answer in words, such as `402 no_credits`; without one, what happened to the connection. */
  readonly answer: string
}

/** One violation of a rule: where it occurred, what happened, and the requests that show it. */
interface RuleFinding {
  /** The part of the report that it comes from. */
  readonly part: string
  /** The other parts in which the same was found; unset: none. */
  readonly also?: readonly string[]
  readonly what: string
  readonly evidence: readonly ReportedRequest[]
}

/** The result of one rule for a client, with its findings. */
export interface RuleResult {
  readonly id: ClientRuleId
  readonly level: ClientRuleLevel
  readonly section: string
  readonly statement: string
  readonly outcome: RuleOutcome
  /** The number of situations in which the rule was judged. */
  readonly situations: number
  /** The first violations that were found; `more_findings` further ones are left out. */
  readonly findings: readonly RuleFinding[]
  readonly more_findings: number
  /** The requests of one situation in which the client kept the rule. */
  readonly evidence: readonly ReportedRequest[]
  /** The remedy for a client that violates the rule, in one sentence. */
  readonly mend: string
  /** The event without which the rule is not judged, in a few words. */
  readonly needs: string
}

/** The part of a client report that is about one organization, or one run of a client. */
export interface ClientReportPart extends ReportPart {
  readonly org_id: string | null
}

/** One run of a client under one or more faults, which is a cell of the matrix. */
export interface FaultMatrixCell {
  /** The request and its fault, such as `runTask#1=lost`. */
  readonly id: string
  /** The request that gets the fault, such as `runTask#1`; null: several requests. */
  readonly request: string | null
  /** The id of the fault, which is a column of the matrix; null: several faults. */
  readonly fault: string | null
  /** `not_exercised`: the client did not send the request that the fault is for, or was cut off. */
  readonly outcome: 'passed' | 'warned' | 'failed' | 'not_exercised'
  /** Violated rules and effects, except those that the run without a fault violates too. */
  readonly violations: readonly { readonly id: string; readonly what: string }[]
  /** How the client ended, in a few words. */
  readonly end: string
  readonly requests: number
  /** The command that repeats exactly this run. */
  readonly repeat: string
  /** The first requests of the run. */
  readonly trace: readonly ReportedRequest[]
}

/**
 * The outcomes of a client's runs under every fault, as a table: requests (rows) by faults (columns), and further runs
 * with several faults.
 */
export interface FaultMatrix {
  /** The run without a fault, with which the other runs are compared unless it ended with an error. */
  readonly usual: { readonly ok: boolean; readonly end: string; readonly requests: number }
  /** The columns. */
  readonly faults: readonly { readonly id: string; readonly title: string }[]
  /** The rows, worst first. */
  readonly requests: readonly string[]
  /** A cell for each fault that can happen to a request, worst first. */
  readonly cells: readonly FaultMatrixCell[]
  /** Runs with several faults, or with faults that the user named, worst first. */
  readonly others: readonly FaultMatrixCell[]
}

/** The JSON report on a client. */
export interface ClientReport {
  readonly schema_version: 1
  /** `failed`: a MUST is violated, or with `strict` a SHOULD. `not_exercised`: no rule could be judged. */
  readonly outcome: 'passed' | 'failed' | 'not_exercised'
  readonly strict: boolean
  readonly totals: Readonly<Record<RuleOutcome, number>>
  readonly parts: readonly ClientReportPart[]
  /** Notes for the reader before the rest, each in a sentence. */
  readonly notes?: readonly string[]
  /** The rules that the chosen scenarios exercise; unset: the client was run in every scenario. */
  readonly about?: readonly string[]
  /** The results of the rules and, with `matrix`, of the demands on what a client leaves behind. */
  readonly rules: readonly RuleResult[]
  /** Outcome of each run under a fault; unset: the client was not run under every fault. */
  readonly matrix?: FaultMatrix
}

/** Creates the report on a client from the results of its rules. */
export function createClientReport(
  parts: readonly ClientReportPart[],
  rules: readonly RuleResult[],
  strict: boolean,
): ClientReport {
  const { passed, failed, warned, not_exercised } = outcomeCountsOf(rules)
  const totals = { passed, failed, warned, not_exercised }
  const violated = totals.failed + (strict ? totals.warned : 0) > 0
  const outcome = violated ? 'failed' : totals.not_exercised === rules.length ? 'not_exercised' : 'passed'
  return { schema_version: 1, outcome, strict, totals, parts, rules }
}

/** True if a client violated a rule. */
export const isViolated = ({ outcome }: RuleResult): boolean => outcome === 'failed' || outcome === 'warned'

/**
 * Reads a client's habits from the report on its run without faults: whether it keeps polling finished tasks, and
 * whether it stops polling runs that have not ended.
 */
export function baselineRunFactsOf({ rules }: ClientReport): Pick<RunFacts, 'pollsOn' | 'leavesRuns'> {
  const breaks = (id: ClientRuleId) => rules.some((rule) => rule.id === id && isViolated(rule))
  return { pollsOn: breaks('stops-polling'), leavesRuns: breaks('follows-runs') }
}

/** Maximum number of violations of one rule that a report shows. */
const mostFindings = 5

const partsOf = ({ part, also = [] }: RuleFinding): readonly string[] => [part, ...also]

/** A text that is equal for the same mistake in different runs: that of a finding, without ids and durations. */
export const findingSignature = ({ what }: RuleFinding): string =>
  what.replaceAll(/\btask\S+|\b[\d.]+ s\b|"[^"]*"/g, '#')

/** The findings, equal ones of several parts merged; the first of each part come before the second ones, and so on. */
function gathered(findings: readonly RuleFinding[]): RuleFinding[] {
  const kept: RuleFinding[] = []
  const seen = new Map<string, number>()
  const ranked = findings
    .map((finding) => {
      const rank = seen.get(finding.part) ?? 0
      seen.set(finding.part, rank + 1)
      return { finding, rank }
    })
    .toSorted((a, b) => a.rank - b.rank)
  for (const { finding } of ranked) {
    const parts = partsOf(finding)
    const at = kept.findIndex(
      (one) =>
        findingSignature(one) === findingSignature(finding) &&
        !partsOf(one).some((part) => parts.includes(part)),
    )
    const same = kept[at]
    if (same) kept[at] = { ...same, also: [...(same.also ?? []), ...parts] }
    else kept.push(finding)
  }
  return kept
}

/** Maximum number of parts that one line names. */
const mostNames = 24

/** Writes a finding as one sentence, with the parts of the report in which it occurred. */
export function findingText({ part, also = [], what }: RuleFinding): string {
  const rest = also.length - mostNames
  const names = also.slice(0, mostNames).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  return `${part}: ${what}${names && ` (also in ${names})`}`
}

/**
 * Combines the results of one rule in several parts of a report: violated if any part violates it, else passed if any
 * part keeps it.
 */
export function combineRuleResults(results: readonly [RuleResult, ...RuleResult[]]): RuleResult {
  const [first] = results
  const worst = (['failed', 'warned', 'passed'] as const).find((name) =>
    results.some(({ outcome }) => outcome === name),
  )
  const findings = gathered(results.flatMap((one) => one.findings))
  const hidden = results.reduce((sum, { more_findings }) => sum + more_findings, 0)
  return {
    ...first,
    outcome: worst ?? 'not_exercised',
    situations: results.reduce((sum, { situations }) => sum + situations, 0),
    findings: findings.slice(0, mostFindings),
    more_findings: hidden + Math.max(0, findings.length - mostFindings),
    evidence: results.find(({ evidence }) => evidence.length > 0)?.evidence ?? [],
  }
}

/** Merges several reports on the same client in different circumstances into one. */
export function mergeClientReports(
  reports: readonly [ClientReport, ...ClientReport[]],
  strict: boolean,
): ClientReport {
  const [first, ...others] = reports
  const rules = first.rules.map((result, i) =>
    combineRuleResults([result, ...others.flatMap((report) => report.rules[i] ?? [])]),
  )
  return createClientReport(
    reports.flatMap(({ parts }) => parts),
    rules,
    strict,
  )
}
