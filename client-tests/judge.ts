/** Judges what clients did by every rule. Pure. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { Redaction } from '#traffic/redaction.ts'
import { type Card, combine, createCard, type Evidence, type Verdict } from './card.ts'
import { pathOf } from './entries.ts'
import type { ClientHistory } from './history.ts'
import type { Rule, Situation } from './rule.ts'
import { rules } from './rules/index.ts'

/** A part of a card before it is judged. */
export interface Chapter {
  readonly id: string
  readonly history: ClientHistory
  /** How the client ended, in a few words. */
  readonly end?: string | undefined
}

/** The card of everything that clients did, part by part. */
export function judge(chapters: readonly Chapter[], strict: boolean): Card {
  const parts = chapters.map(({ id, history: { entries, context }, end }) => ({
    id,
    org_id: context.org_id,
    requests: entries.length,
    end: end ?? null,
  }))
  const verdicts = rules.map((rule) =>
    combine([unexercised(rule), ...chapters.map((chapter) => judgeChapter(rule, chapter))]),
  )
  return createCard(parts, verdicts, strict)
}

function unexercised({ id, level, section, statement, fix, needs }: Rule): Verdict {
  const nothing = { situations: 0, findings: [], more_findings: 0, evidence: [] } as const
  return { id, level, section, statement, outcome: 'not_exercised', ...nothing, mend: fix, needs }
}

function judgeChapter(rule: Rule, { id, history }: Chapter): Verdict {
  const situations = rule.judge(history.entries, history.context)
  const redaction = new Redaction(history.context.secrets)
  const findings = situations.flatMap((situation) =>
    situation.violation === undefined
      ? []
      : [{ part: id, what: redaction.text(situation.violation), evidence: evidenceOf(situation, redaction) }],
  )
  const kept = situations.find(({ violation }) => violation === undefined)
  const broken = rule.level === 'MUST' ? 'failed' : 'warned'
  return {
    ...unexercised(rule),
    outcome: findings.length > 0 ? broken : kept ? 'passed' : 'not_exercised',
    situations: situations.length,
    findings,
    evidence: kept ? evidenceOf(kept, redaction) : [],
  }
}

/** So many requests of one situation are shown. */
const mostEvidence = 6

function evidenceOf({ evidence }: Situation, redaction: Redaction): Evidence[] {
  return evidence.slice(0, mostEvidence).map((entry) => ({
    request_id: entry.id,
    at: new Date(entry.at).toISOString(),
    method: entry.method,
    path: redaction.text(pathOf(entry)),
    answer: toldBy(entry),
  }))
}

function toldBy({ wire, status, error }: JournalEntry): string {
  if (wire !== null) return wire
  return error === null ? String(status) : `${status} ${error}`
}
