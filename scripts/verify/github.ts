/** What a GitHub job shows of a run: annotations, and its summary page. */
import { appendFileSync } from 'node:fs'
import { renderMarkdown } from '#contract-tests/report/markdown.ts'
import { among, headline, type Report, type ReportedRequirement } from '#contract-tests/report/report.ts'

/** GitHub shows about ten annotations of a kind for a step. */
const mostAnnotations = 9
/** GitHub refuses larger summaries, bytes. */
const longestSummary = 1_000_000

/** Workflow commands for the findings, one a line; the rest are counted. */
export function annotations(report: Report): string {
  const lines = [
    ...annotate('error', among(report, 'failed')),
    ...annotate('warning', among(report, 'warned')),
  ]
  lines.push(`::notice title=Conformance ${report.outcome}::${data(headline(report))}`)
  return `${lines.join('\n')}\n`
}

function annotate(kind: 'error' | 'warning', those: readonly ReportedRequirement[]): string[] {
  const lines = those.slice(0, mostAnnotations).map(({ id, statement, expected, actual }) => {
    return `::${kind} title=${property(id)}::${data(`${statement} Expected ${expected}; got ${actual}`)}`
  })
  const more = those.length - lines.length
  return more > 0 ? [...lines, `::${kind} title=and ${more} more::see the job summary`] : lines
}

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Appends the Markdown report to the summary of the job. */
export function appendSummary(file: string, report: Report): void {
  appendFileSync(file, renderMarkdown(report).slice(0, longestSummary))
}
