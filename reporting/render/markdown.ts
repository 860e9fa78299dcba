/** Renders a report as Markdown, for a pull request or the summary page of a job. */
import { escapeMarkdown, fencedCode, renderCollapsibleBlock, renderMarkdownTable } from '../markup.ts'
import {
  assembleMatrixBlocks,
  explainMatrixCells,
  matrixLegend,
  matrixSignRowsOf,
  type OutcomeMatrix,
} from '../matrix.ts'
import {
  outcomeText,
  passWarningTextOf,
  type Report,
  type ReportResult,
  reasonTextOf,
  resultsWithOutcomes,
  totalsText,
} from '../report.ts'
import { resultText } from './text.ts'

const outcomeSigns = {
  passed: '✅',
  failed: '❌',
  suspected: '❌',
  inconclusive: '⚠️',
  incomplete: '⚠️',
  not_exercised: '⚠️',
} as const satisfies Record<Report['outcome'], string>

const open = [
  ['Failed', ['failed', 'harness_error']],
  ['Suspected', ['suspected']],
  ['Warned', ['warned']],
] as const

const foldedAway = [
  ['Not exercised', 'not_exercised'],
  ['Not applicable', 'not_applicable'],
  ['Expected failures', 'expected_failure'],
  ['Passed', 'passed'],
] as const

/** Renders a report as Markdown. */
export function renderMarkdown(report: Report): string {
  const { title, outcome, subject, facts, parts, lead, notes, matrix } = report
  const about = Object.entries({ ...(subject === undefined ? {} : { target: subject }), ...facts })
  const sign = passWarningTextOf(report) === '' ? outcomeSigns[outcome] : outcomeSigns.incomplete
  const blocks = [
    `# ${sign} ${title}: ${outcomeText(report)}`,
    ...lead.map((one) => `**${escapeMarkdown(one)}**`),
    totalsText(report),
  ]
  if (about.length > 0) blocks.push(tableOf(['fact', 'value'], about))
  if (parts.length > 0)
    blocks.push(
      tableOf(
        ['run', 'requests', 'end'],
        parts.map(({ id, requests, end }) => [id, String(requests), end ?? '']),
      ),
    )
  if (matrix) blocks.push(...matrixBlocks(matrix))
  blocks.push(...notes.map((note) => `> ${escapeMarkdown(note)}`))
  for (const [heading, outcomes] of open) {
    const results = resultsWithOutcomes(report, ...outcomes)
    if (results.length > 0) blocks.push(`## ${heading} (${results.length})`, ...results.map(section))
  }
  for (const [heading, one] of foldedAway) {
    const results = resultsWithOutcomes(report, one)
    if (results.length > 0)
      blocks.push(renderCollapsibleBlock(`${heading} (${results.length})`, listed(results)))
  }
  return `${blocks.join('\n\n')}\n`
}

function matrixBlocks(matrix: OutcomeMatrix): string[] {
  const [head = [], ...lines] = matrixSignRowsOf(matrix)
  return assembleMatrixBlocks(
    matrix,
    [tableOf(head, lines), matrixLegend],
    explainMatrixCells(matrix).map(fencedCode),
  )
}

function section(result: ReportResult): string {
  return `### ${escapeMarkdown(result.id)}\n\n${escapeMarkdown(result.statement)}\n\n${fencedCode(resultText(result))}`
}

function listed(results: readonly ReportResult[]): string {
  return tableOf(
    ['id', 'level', 'requirement', 'note'],
    results.map((result) => [result.id, result.level, result.statement, reasonTextOf(result)]),
  )
}

/** A table of plain texts. */
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  renderMarkdownTable(
    head,
    rows.map((cells) => cells.map(escapeMarkdown)),
  )
