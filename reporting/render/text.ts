/** Renders a report for a terminal. */
import { countWithNoun, printableLine } from '../markup.ts'
import { renderMatrixTextBlocks } from '../matrix.ts'
import { outcomeWordsOf } from '../outcome.ts'
import {
  type Evidence,
  passWarningTextOf,
  type Report,
  type ReportOutcomeParts,
  type ReportResult,
  reasonTextOf,
  resultsWithOutcomes,
  shortOutcomeTextOf,
  totalsText,
} from '../report.ts'

/**
 * Renders the whole report as text; its last line is the outcome. `verbose`: lists every result, including passed ones.
 */
export function renderText(report: Report, { verbose = true }: { readonly verbose?: boolean } = {}): string {
  const broken = (['failed', 'suspected', 'harness_error', 'warned'] as const).flatMap((outcome) =>
    resultsWithOutcomes(report, outcome),
  )
  const blocks = [
    ...(report.lead.length > 0 ? [report.lead.map(printableLine).join('\n')] : []),
    ...broken.map((result) => `${outcomeWordsOf(result.outcome)}  ${resultText(result)}`),
    ...listed(
      'Not exercised (does not count as passed)',
      resultsWithOutcomes(report, 'not_exercised'),
      verbose,
    ),
    ...listed('Not applicable', resultsWithOutcomes(report, 'not_applicable'), verbose),
    ...listed('Expected failures', resultsWithOutcomes(report, 'expected_failure'), true),
    ...(verbose ? passed(report) : listed('Passed, with a note', noted(report), false)),
    ...(report.matrix ? renderMatrixTextBlocks(report.matrix) : []),
    ...report.notes.map(printableLine),
    [...partLines(report), ...factLine(report), outcomeLine(report)].join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** The last line of a text report: `PASSED: 262 passed, 0 failed, of 264`, or `PASSED with 2 warnings: …`. */
export function outcomeLine(report: ReportOutcomeParts): string {
  return `${shortOutcomeTextOf(report).toUpperCase()}${passWarningTextOf(report)}: ${totalsText(report)}`
}

/** Renders one result with its explanation: what was required, what came, which requests show it, how to fix it. */
export function resultText(result: ReportResult): string {
  const rows: readonly (readonly [name: string, text: string | undefined])[] = [
    ['Requirement', result.statement],
    ['Expected', result.expected],
    ['Actual', result.actual],
    ['Reason', result.reason],
    ...(result.outcome === 'suspected' ? [['Supply', result.supply] as const] : []),
    ...result.findings.flatMap(({ text, evidence }) => [['Found', text] as const, ...evidenceRows(evidence)]),
    ...evidenceRows(result.evidence),
    ['Fix', result.fix],
  ]
  const lines = rows.flatMap(([name, text]) =>
    text === undefined ? [] : [`  ${name.padEnd(12)} ${printableLine(text)}`],
  )
  return [`${result.level} ${result.id} (${result.section})`, ...lines].join('\n')
}

/** Longest body and longest `curl` line, in characters, that a terminal shows; the other formats show all. */
const longest = { body: 300, curl: 2_000 }

function evidenceRows(evidence: readonly Evidence[]): (readonly [string, string])[] {
  return evidence.flatMap((one) => {
    const { summary, place, arranged = [], headers = [], wait, together, atOnce, exchange } = one
    if (!exchange) return [['Request', summary]]
    const { request, response, curl } = exchange
    const body =
      response.body.length > longest.body ? `${response.body.slice(0, longest.body - 1)}…` : response.body
    const long = `a curl line of ${curl.length} characters; --report json=FILE or html=FILE has it`
    return [
      ...arranged.map((state) => ['State', state] as const),
      ...(together?.at === 0 ? ([['At once', `${together.of} requests`]] as const) : []),
      ...(wait === undefined ? [] : ([['Waited', wait]] as const)),
      [place ?? 'Exchange', `${request.method} ${request.url} -> ${response.status} ${body}`],
      ...(headers.length > 0 ? ([['Headers', headers.join(', ')]] as const) : []),
      ['Reproduce', curl.length > longest.curl ? long : curl],
      ...(atOnce === undefined || atOnce.length > longest.curl ? [] : ([['All at once', atOnce]] as const)),
    ]
  })
}

/**
 * If there are more than `listed` reasons, only the `frequent` ones with the most results are listed, unless all are
 * wanted.
 */
const manyReasons = { listed: 12, frequent: 5 }

/** A heading and the results below it, by reason; of many that share one only the first, unless `all` is set. */
function listed(heading: string, results: readonly ReportResult[], all: boolean): string[] {
  const groups = [...Map.groupBy(results, reasonTextOf)]
  const isLong = !all && groups.length > manyReasons.listed
  const frequent = groups.toSorted(([, a], [, b]) => b.length - a.length).slice(0, manyReasons.frequent)
  const shown = isLong ? frequent : groups
  const left = results.length - shown.reduce((sum, [, those]) => sum + those.length, 0)
  const lines = shown.map(([reason, those]) => {
    const ids = those.map(({ id }) => id)
    if (ids.length === 1) return `  ${ids[0]}: ${printableLine(reason)}`
    const few = !all && ids.length > 6 ? [...ids.slice(0, 5), `and ${ids.length - 5} more`] : ids
    return `  ${printableLine(reason)}\n    ${few.join(', ')}`
  })
  if (isLong)
    lines.push(
      `  and ${left} others for ${groups.length - shown.length} more reasons, which the JSON report lists`,
    )
  return lines.length > 0 ? [[`${heading}:`, ...lines].join('\n')] : []
}

const noted = (report: Report) =>
  resultsWithOutcomes(report, 'passed').filter(({ reason }) => reason !== undefined)

function passed(report: Report): string[] {
  const lines = resultsWithOutcomes(report, 'passed').map(({ id, statement, reason }) =>
    printableLine(`  ${id}: ${statement}${reason === undefined ? '' : ` (${reason})`}`),
  )
  return lines.length > 0 ? [['Passed:', ...lines].join('\n')] : []
}

function partLines({ parts }: Report): string[] {
  return parts.map(({ id, requests, end }) =>
    printableLine(`${id}: ${countWithNoun(requests, 'request')}${end === null ? '' : `, ${end}`}`),
  )
}

function factLine({ subject, facts }: Report): string[] {
  const texts = Object.entries(facts).map(([name, value]) => `${name} ${value}`)
  if (texts.length === 0) return []
  return [printableLine(`${subject === undefined ? '' : `${subject}: `}${texts.join('; ')}`)]
}
