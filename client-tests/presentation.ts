/** The client report in the model from which every format is rendered. */
import type { ReportFormat } from '#reporting/formats.ts'
import { countWithNoun } from '#reporting/markup.ts'
import type { MatrixCell, OutcomeMatrix } from '#reporting/matrix.ts'
import { renderReport } from '#reporting/render/index.ts'
import type { Evidence, Report, ReportResult } from '#reporting/report.ts'
import {
  type ClientReport,
  type FaultMatrix,
  type FaultMatrixCell,
  findingText,
  type ReportedRequest,
  type RuleResult,
} from './client-report.ts'

/** Renders the report on a client as text, in one of its formats. */
export const renderClientReport = (report: ClientReport, format: ReportFormat): string =>
  renderReport(format, report, presentClientReport(report))

/** Converts the report on a client to the model that every format is rendered from. */
export function presentClientReport(report: ClientReport): Report {
  const { outcome, strict, parts, rules, matrix, about, notes = [] } = report
  // Rules without any relevant request are not listed.
  const told = rules.filter(({ id, outcome }) => outcome !== 'not_exercised' || (about?.includes(id) ?? true))
  return {
    producer: 'work-agent client report',
    title: 'Client report',
    party: 'the client',
    outcome,
    strict,
    facts: matrix ? factsOf(matrix) : {},
    properties: { outcome },
    lead: [],
    notes: [...notes, ...silence(report), ...(matrix && !matrix.usual.ok ? [nothingToCompare] : [])],
    parts: matrix ? [] : parts,
    results: told.map(presentRule),
    matrix: matrix && presentMatrix(matrix),
  }
}

/** States that a client sent no request, and how it ended: nothing else in the report shows that. */
function silence({ parts, matrix }: ClientReport): string[] {
  const runs = matrix ? [matrix.usual] : parts
  if (runs.length === 0 || runs.some(({ requests }) => requests > 0)) return []
  const ends = [...new Set(runs.flatMap(({ end }) => end ?? []))]
  return [`The client sent no request${ends.length > 0 ? `; it ended: ${ends.join(', ')}` : ''}.`]
}

const nothingToCompare = 'The client ended with an error where nothing went wrong, so no fault was tried.'

/** The runs in numbers, by name. */
function factsOf({ usual, cells, others }: FaultMatrix): Report['facts'] {
  const runs = [...cells, ...others]
  const count = (wanted: FaultMatrixCell['outcome']) =>
    runs.filter(({ outcome }) => outcome === wanted).length
  const outcomes = `${count('failed')} failed, ${count('warned')} warned, ${count('not_exercised')} not exercised`
  return {
    'without a fault': `${countWithNoun(usual.requests, 'request')}, ${usual.end}`,
    ...(runs.length > 0 && { 'with faults': `${countWithNoun(runs.length, 'run')}, ${outcomes}` }),
  }
}

function presentRule(rule: RuleResult): ReportResult {
  const { id, level, section, statement, outcome, findings, more_findings, evidence } = rule
  const shown = findings.map((finding) => ({
    text: findingText(finding),
    evidence: finding.evidence.map(presentRequest),
  }))
  const more = more_findings > 0 ? [{ text: `and ${more_findings} more`, evidence: [] }] : []
  return {
    id,
    group: 'client',
    level,
    section,
    statement,
    outcome,
    reason: outcome === 'not_exercised' ? `needs ${rule.needs}` : undefined,
    findings: [...shown, ...more],
    evidence: [],
    kept: evidence.map(presentRequest),
    fix: outcome === 'failed' || outcome === 'warned' ? rule.mend : undefined,
  }
}

function presentMatrix({ faults, requests, cells, others }: FaultMatrix): OutcomeMatrix {
  return {
    names: ['Request', 'fault'],
    columns: faults,
    rows: requests,
    cells: [...others, ...cells].map(presentCell),
  }
}

function presentCell({
  request,
  fault,
  violations,
  end,
  requests,
  trace,
  ...same
}: FaultMatrixCell): MatrixCell {
  return {
    ...same,
    row: request,
    column: fault,
    findings: violations.map(({ id, what }) => `${id}: ${what}`),
    note: `${countWithNoun(requests, 'request')}, ${end}`,
    trace: trace.map((one) => presentRequest(one).summary),
  }
}

const presentRequest = ({ request_id, at, method, path, answer }: ReportedRequest): Evidence => ({
  summary: `${request_id} ${method} ${shortened(path)} -> ${answer}`,
  note: at,
  request_id,
})

/** Longest path that is shown whole, characters: the ids of some services have thousands. */
const longestPath = 160

/** A path, its middle left out if it is long. */
function shortened(path: string): string {
  if (path.length <= longestPath) return path
  const half = longestPath / 2
  return `${path.slice(0, half)}…(${path.length} characters)…${path.slice(-half)}`
}
