/** Renders a report as annotations of a GitHub job. */
import { printable } from '../markup.ts'
import {
  outcomeText,
  type Report,
  type ReportResult,
  reasonTextOf,
  resultsWithOutcomes,
  totalsText,
} from '../report.ts'

/** GitHub shows about ten annotations of a kind for a step. */
const mostAnnotations = 9

/**
 * Writes GitHub workflow commands, one per line, that annotate each failed result and warning; the other results are
 * only counted.
 */
export function renderAnnotations(report: Report): string {
  const lines = [
    ...annotate('error', [
      ...resultsWithOutcomes(report, 'failed'),
      ...resultsWithOutcomes(report, 'suspected', 'harness_error'),
    ]),
    ...annotate('warning', resultsWithOutcomes(report, 'warned')),
    `::notice title=${property(`${report.title} ${outcomeText(report)}`)}::${data([...report.lead, totalsText(report), ...report.notes].join(' '))}`,
  ]
  return `${lines.join('\n')}\n`
}

function annotate(kind: 'error' | 'warning', results: readonly ReportResult[]): string[] {
  const lines = results
    .slice(0, mostAnnotations)
    .map((result) => `::${kind} title=${property(result.id)}::${data(textOf(result))}`)
  const more = results.length - lines.length
  return more > 0 ? [...lines, `::${kind} title=and ${more} more::see the job summary`] : lines
}

function textOf(result: ReportResult): string {
  const message = reasonTextOf(result)
  // The name of a scenario or a fault, with which a message may begin, stays as it is.
  const isWord = /^[a-z]+ /.test(message)
  return `${result.statement} ${isWord ? message.charAt(0).toUpperCase() + message.slice(1) : message}`
}

const data = (text: string) =>
  printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
