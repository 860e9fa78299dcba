/** Judges what clients did by every rule. Pure. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { Redaction } from '#traffic/redaction.ts'
import {
  type ClientReport,
  combine,
  createClientReport,
  type RequestEvidence,
  type RuleResult,
} from './client-report.ts'
import { pathOf } from './entries.ts'
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

/** The report on everything that clients did, part by part. */
export function judge(histories: readonly NamedHistory[], strict: boolean): ClientReport {
  const parts = histories.map(({ id, history: { entries, context }, end }) => ({
    id,
    org_id: context.org_id,
    requests: entries.length,
    end: end ?? null,
  }))
  const results = rules.map((rule) =>
    combine([unexercised(rule), ...histories.map((history) => judgeHistory(rule, history))]),
  )
  return createClientReport(parts, results, strict)
}

function unexercised({ id, level, section, statement, fix, needs }: Rule): RuleResult {
  const nothing = { situations: 0, findings: [], more_findings: 0, evidence: [] } as const
  return { id, level, section, statement, outcome: 'not_exercised', ...nothing, mend: fix, needs }
}

function judgeHistory(rule: Rule, { id, history }: NamedHistory): RuleResult {
  const situations = rule.judge(history.entries, history.context)
  const redaction = new Redaction(history.context.secrets)
  const findings = situations.flatMap((situation) =>
    situation.violation === undefined
      ? []
      : [{ part: id, what: redaction.text(situation.violation), evidence: evidenceOf(situation, redaction) }],
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

function answerText({ wire, status, error }: JournalEntry): string {
  if (wire !== null) return wire
  return error === null ? String(status) : `${status} ${error}`
}
