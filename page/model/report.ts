/** Reports of any kind in one shape, failures first. */
import type { ClientReport, FaultMatrix, RuleResult } from '#client-tests/client-report.ts'
import type { ReportedExchange } from '#contract-tests/report/exchange.ts'
import type { ConformanceReport, ReportedRequirement } from '#contract-tests/report/report.ts'
import { byUrgency } from '#reporting/outcome.ts'
import type { Moment } from './lanes.ts'

/** A piece of evidence: one line, and what belongs to it. */
export interface Evidence {
  readonly line: string
  /** The journal id of the request; undefined: it is not in the journal of this mock. */
  readonly request_id?: string
  /** Whose credentials were sent; exchanges of the other organization are in a lane of their own. */
  readonly caller?: string
  /** Sends the same request. */
  readonly curl?: string
  /** Everything about it, as JSON. */
  readonly more?: string
}

/** One rule or requirement. */
export interface Result {
  readonly id: string
  readonly level: string
  readonly section: string
  readonly outcome: string
  readonly statement: string
  readonly texts: readonly (readonly [what: string, text: string])[]
  readonly findings: readonly { readonly text: string; readonly evidence: readonly Evidence[] }[]
}

/** A report. */
export interface Report {
  readonly title: string
  readonly outcome: string
  readonly totals: Readonly<Record<string, number>>
  readonly facts: readonly string[]
  readonly results: readonly Result[]
  /** A client under every fault at every request. */
  readonly matrix?: FaultMatrix | undefined
  /** A history. */
  readonly moments?: readonly Moment[]
}

/** Reads a client report. */
export function readClientReport(report: ClientReport): Report {
  const { outcome, totals, parts, rules, matrix } = report
  return {
    title: 'Client report',
    outcome,
    totals,
    // Of a matrix, the cells say more.
    facts: matrix ? [] : parts.map(({ id, requests }) => `${id}: ${requests} requests`),
    results: rules.map(readRule).toSorted(byUrgency),
    matrix,
  }
}

function readRule({ findings, mend, needs, more_findings, ...rule }: RuleResult): Result {
  const { id, level, section, outcome, statement } = rule
  const broken = outcome === 'failed' || outcome === 'warned'
  const texts: [string, string][] = []
  if (broken) texts.push(['to fix it', mend])
  if (outcome === 'not_exercised') texts.push(['needs', needs])
  if (more_findings > 0) texts.push(['more', `${more_findings} more findings`])
  const shown = findings.map(({ part, also = [], what, evidence }) => ({
    text: `${[part, ...also].join()}: ${what}`,
    evidence: evidence.map(({ request_id, method, path, answer }) => ({
      line: `${method} ${path} → ${answer}`,
      request_id,
    })),
  }))
  return { id, level, section, outcome, statement, texts, findings: shown }
}

/** Reads a report of `verify`. */
export function readConformanceReport(report: ConformanceReport): Report {
  const { outcome, totals, target, started_at, requests, problems, requirements } = report
  return {
    title: `Conformance of ${target.base_url}`,
    outcome,
    totals,
    facts: [
      `${target.variant} variant`,
      `extended: ${target.extended}`,
      started_at,
      `${requests} requests`,
      ...problems,
    ],
    results: requirements.map(readRequirement).toSorted(byUrgency),
  }
}

function readRequirement({
  evidence = [],
  reason,
  supply,
  expected,
  actual,
  ...rule
}: ReportedRequirement): Result {
  const { id, level, section, outcome, statement } = rule
  const texts = Object.entries({ expected, received: actual, reason, supply })
  const shown = evidence.length === 0 ? [] : [{ text: '', evidence: evidence.map(evidenceOf) }]
  return {
    id,
    level,
    section,
    outcome,
    statement,
    texts: texts.flatMap(([what, text]) => (text === undefined ? [] : [[what, text] as const])),
    findings: shown,
  }
}

function evidenceOf({ curl, caller, ...exchange }: ReportedExchange): Evidence {
  const { request, response } = exchange
  const line = `${request.method} ${request.url} → ${response.status}`
  return { line, caller, curl, more: JSON.stringify(exchange, null, 2) }
}
