/** Judges what clients did by every rule. Pure. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { SecretRedactor } from '#traffic/redaction.ts'
import {
  type ClientReport,
  type ClientReportPart,
  combineRuleResults,
  createClientReport,
  findingSignature,
  type ReportedRequest,
  type RuleResult,
} from './client-report.ts'
import { answerSummary, clearAnswerCache, requestPathOf } from './entries.ts'
import { mayBeGatewayRepeat } from './gateway.ts'
import type { ClientHistory } from './history.ts'
import type { ClientDemand, ClientRule, ClientRuleLevel, RuleSituation } from './rule.ts'
import { clientRules } from './rules/index.ts'

/** The history that becomes one part of a client report, with the name of the part. */
export interface NamedHistory {
  readonly id: string
  readonly history: ClientHistory
  /** The ending of the client, in a few words. */
  readonly end?: string | undefined
}

/**
 * Judges clients by every rule, and reports on them part by part. `since`, ms since the epoch: situations of earlier
 * requests were judged already.
 */
export function judgeHistories(
  histories: readonly NamedHistory[],
  strict: boolean,
  since = Number.NEGATIVE_INFINITY,
): ClientReport {
  const parts = histories.map(({ id, history: { entries, context }, end }) => ({
    id,
    org_id: context.org_id,
    requests: entries.length,
    end: end ?? null,
  }))
  const exercised = new Set<ClientRule>()
  const judged = histories.map((one) => judgeHistory(one, since, exercised))
  clearAnswerCache()
  const results = clientRules.map((rule, i) =>
    combineRuleResults([demandResultOf(rule, [], ''), ...judged.flatMap((results) => results[i] ?? [])]),
  )
  return createClientReport(parts, results, strict)
}

/**
 * The result of each rule for one history; undefined: the rule had nothing to judge. `exercised` collects the rules
 * with a kept situation to show: a report shows one for each rule.
 */
function judgeHistory(
  { id, history: { entries, context } }: NamedHistory,
  since: number,
  exercised: Set<ClientRule>,
): (RuleResult | undefined)[] {
  const redaction = new SecretRedactor(context.secrets)
  const judged = clientRules.map((rule) => ({
    rule,
    situations: rule.judge(entries, context).filter((one) => !mayBeGatewayRepeat(one)),
  }))
  const isNew = ({ evidence }: RuleSituation) =>
    evidence.length === 0 || evidence.some(({ at }) => at >= since)
  return withoutConsequentialViolations(judged).map(({ rule, situations }) => {
    const found = situations.filter(isNew)
    const shown = ({ violation, evidence }: RuleSituation): Shown => ({
      violation: violation === undefined ? undefined : redaction.text(violation),
      evidence: evidence.slice(0, mostEvidence).map((entry) => evidenceOf(entry, redaction)),
    })
    if (found.length === 0) return undefined
    const kept = exercised.has(rule) ? undefined : found.find((one) => !isViolation(one))
    if (kept && kept.evidence.length > 0) exercised.add(rule)
    const told = found.map((one) => (one === kept || isViolation(one) ? shown(one) : notShown))
    return demandResultOf(rule, told, id)
  })
}

/** A situation as a report shows it. */
interface Shown {
  readonly violation?: string | undefined
  readonly evidence: readonly ReportedRequest[]
}

/** Stands for a situation that a report counts and does not show. */
const notShown: Shown = { evidence: [] }

/** The result of one demand (a rule or an effect) in the given situations; without any, it was not exercised. */
export function demandResultOf(
  { id, level, section, statement, fix, needs }: ClientDemand,
  situations: readonly Shown[],
  part: string,
): RuleResult {
  const findings = situations.flatMap(({ violation: what, evidence }) =>
    what === undefined ? [] : [{ part, what, evidence }],
  )
  const kept = situations.find(({ violation }) => violation === undefined)
  const violated = level === 'MUST' ? 'failed' : 'warned'
  return {
    ...{ id, level, section, statement },
    outcome: findings.length > 0 ? violated : kept ? 'passed' : 'not_exercised',
    situations: situations.length,
    findings,
    more_findings: 0,
    evidence: kept?.evidence ?? [],
    mend: fix,
    needs,
  }
}

/** Maximum number of requests of one situation that a report shows. */
const mostEvidence = 6

const evidenceOf = (entry: JournalEntry, redaction: SecretRedactor): ReportedRequest => ({
  request_id: entry.id,
  at: new Date(entry.at).toISOString(),
  method: entry.method,
  path: redaction.text(requestPathOf(entry)),
  answer: answerSummary(entry),
})

/** A rule and the situations that it found in one history. */
interface JudgedRule {
  readonly rule: ClientRule
  readonly situations: readonly RuleSituation[]
}

/**
 * True if a violation of level `cause` may be named as the reason for one of level `violated`: a violated SHOULD never
 * explains a violated MUST.
 */
export const mayExplainViolationOfLevel = (
  cause: ClientRuleLevel | undefined,
  violated: ClientRuleLevel,
): boolean => cause === 'MUST' || cause === violated

/**
 * Removes the violations that are only consequences: they follow from violations of other rules of the same level or a
 * higher one.
 */
export function withoutConsequentialViolations(judged: readonly JudgedRule[]): JudgedRule[] {
  if (!judged.some(({ situations }) => situations.some(isViolation))) return [...judged]
  const causes = judged.filter(
    ({ rule, situations }) => !rule.isHarmless && !rule.followsFromOthers && situations.some(isViolation),
  )
  return judged.map((one) => {
    const { rule, situations } = one
    if (rule.isHarmless || rule.isRoot) return one
    const able = causes.filter((cause) => mayExplainViolationOfLevel(cause.rule.level, rule.level))
    const roots = able.flatMap((cause) => (cause.rule.isRoot ? cause.situations.filter(isViolation) : []))
    const broken = Math.min(...roots.map(numberOf))
    const follows = (situation: RuleSituation) =>
      lastOf(situation) >= broken || (rule.followsFromOthers === true && able.length > 0)
    return { rule, situations: situations.filter((one) => !isViolation(one) || !follows(one)) }
  })
}

const isViolation = ({ violation }: RuleSituation) => violation !== undefined
const numberOf = ({ evidence }: RuleSituation) => evidence[0]?.number ?? 0
const lastOf = ({ evidence }: RuleSituation) => evidence.at(-1)?.number ?? 0

type Results = readonly [RuleResult, ...RuleResult[]]

/**
 * Merges the reports on single runs of a client. `whole`: the report on all their requests, for rules that judge
 * several runs together; `end`: how the runs ended, in a few words.
 */
export function mergeRunReports(
  runs: readonly [ClientReport, ...ClientReport[]],
  whole: ClientReport,
  end: string,
): ClientReport {
  const [first, ...others] = runs
  const merged = first.rules.map((result, i) => {
    const spanning = clientRules[i]?.spansRuns ? whole.rules[i] : undefined
    return (
      spanning ??
      combineRuleResults(withoutRepeats([result, ...others.flatMap((report) => report.rules[i] ?? [])]))
    )
  })
  const parts = new Map<string, ClientReportPart>()
  for (const part of runs.flatMap((report) => report.parts)) {
    const same = parts.get(part.id) ?? { ...part, requests: 0 }
    parts.set(part.id, { ...same, requests: same.requests + part.requests, end })
  }
  return createClientReport([...parts.values()], merged, first.strict)
}

/** The results of several runs of one rule; findings that repeat those of an earlier run are only counted. */
function withoutRepeats([first, ...others]: Results): Results {
  const told = new Set(first.findings.map(findingSignature))
  const rest = others.map((one) => {
    const findings = one.findings.filter((finding) => !told.has(findingSignature(finding)))
    for (const finding of findings) told.add(findingSignature(finding))
    return { ...one, findings, more_findings: one.more_findings + one.findings.length - findings.length }
  })
  return [first, ...rest]
}
