/** Judges what clients did by every rule. Pure. */
import { Redaction } from '#traffic/redaction.ts'
import {
  type ClientReport,
  combine,
  createClientReport,
  type RequestEvidence,
  type RuleResult,
} from './client-report.ts'
import { answerText, forgetAnswers, pathOf } from './entries.ts'
import { firstCauses } from './first-causes.ts'
import type { ClientHistory } from './history.ts'
import type { Rule, Situation } from './rule.ts'
import { rules } from './rules/index.ts'

/** What becomes one part of a report. */
export interface NamedHistory {
  readonly id: string
  readonly history: ClientHistory
  /** How the client ended, in a few words. */
  readonly end?: string | undefined
}

/** The report on everything that clients did, part by part. `since`: what ended before it was judged already, ms. */
export function judge(
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
  const judged = histories.map((one) => judgeHistory(one, since))
  forgetAnswers()
  const results = rules.map((rule, i) =>
    combine([unexercised(rule), ...judged.flatMap((results) => results[i] ?? [])]),
  )
  return createClientReport(parts, results, strict)
}

function unexercised({ id, level, section, statement, fix, needs }: Rule): RuleResult {
  const nothing = { situations: 0, findings: [], more_findings: 0, evidence: [] } as const
  return { id, level, section, statement, outcome: 'not_exercised', ...nothing, mend: fix, needs }
}

/** The result of each rule for one history; undefined: it had nothing to judge. */
function judgeHistory(
  { id, history: { entries, context } }: NamedHistory,
  since: number,
): (RuleResult | undefined)[] {
  const redaction = new Redaction(context.secrets)
  const judged = rules.map((rule) => ({ rule, situations: rule.judge(entries, context) }))
  const isNew = ({ evidence }: Situation) => evidence.length === 0 || evidence.some(({ at }) => at >= since)
  return firstCauses(judged).map(({ rule, situations }) => {
    const found = situations.filter(isNew)
    return found.length > 0 ? resultOf(rule, found, id, redaction) : undefined
  })
}

function resultOf(
  rule: Rule,
  situations: readonly Situation[],
  part: string,
  redaction: Redaction,
): RuleResult {
  const findings = situations.flatMap((situation) =>
    situation.violation === undefined
      ? []
      : [{ part, what: redaction.text(situation.violation), evidence: evidenceOf(situation, redaction) }],
  )
  const kept = situations.find(({ violation }) => violation === undefined)
  const violated = rule.level === 'MUST' ? 'failed' : 'warned'
  return {
    ...unexercised(rule),
    outcome: findings.length > 0 ? violated : kept ? 'passed' : 'not_exercised',
    situations: situations.length,
    findings,
    evidence: kept ? evidenceOf(kept, redaction) : [],
  }
}

/** A report shows so many requests of one situation. */
const mostEvidence = 6

function evidenceOf({ evidence }: Situation, redaction: Redaction): RequestEvidence[] {
  return evidence.slice(0, mostEvidence).map((entry) => ({
    request_id: entry.id,
    at: new Date(entry.at).toISOString(),
    method: entry.method,
    path: redaction.text(pathOf(entry)),
    answer: answerText(entry),
  }))
}
