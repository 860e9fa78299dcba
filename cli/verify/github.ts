/** What a GitHub job shows of a run: annotations and the job summary. */
import { appendFileSync } from 'node:fs'
import { renderMarkdown } from '#contract-tests/report/markdown.ts'
import { among, headline, type Report, type ReportedRequirement } from '#contract-tests/report/report.ts'
import { UsageError } from '../flags.ts'

/** GitHub shows about ten annotations of each kind per step. */
const mostAnnotations = 9
/** GitHub rejects larger summaries, bytes. */
const longestSummary = 1_000_000

/** Workflow commands for the findings, one per line; the rest is only counted. */
export function annotations(report: Report): string {
  const lines = [
    ...annotate('error', among(report, 'failed', 'harness_error')),
    ...annotate('warning', among(report, 'warned')),
  ]
  lines.push(`::notice title=Conformance ${report.outcome}::${data(headline(report))}`)
  return `${lines.join('\n')}\n`
}

function annotate(kind: 'error' | 'warning', those: readonly ReportedRequirement[]): string[] {
  const lines = those.slice(0, mostAnnotations).map(({ id, statement, expected, actual, reason }) => {
    const why = expected === undefined ? reason : `Expected ${expected}; got ${actual}`
    return `::${kind} title=${property(id)}::${data(`${statement} ${why}`)}`
  })
  const more = those.length - lines.length
  return more > 0 ? [...lines, `::${kind} title=and ${more} more::see the job summary`] : lines
}

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Appends the Markdown report to the job summary. @throws UsageError if the file cannot be written. */
export function appendSummary(file: string, report: Report): void {
  const markdown = Buffer.from(renderMarkdown(report))
  const whole = markdown.byteLength <= longestSummary
  try {
    appendFileSync(file, whole ? markdown : cut(markdown))
  } catch (error) {
    throw new UsageError(`cannot write GITHUB_STEP_SUMMARY: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** The lines that fit, even if they end inside a block. */
function cut(markdown: Buffer): string {
  const fitting = markdown.subarray(0, longestSummary).toString()
  return `${fitting.slice(0, fitting.lastIndexOf('\n'))}\n\n(truncated: GitHub limits the size of a job summary)\n`
}
