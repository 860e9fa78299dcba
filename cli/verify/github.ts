/** The summary page of a GitHub job. */
import { appendFileSync } from 'node:fs'
import { UsageError } from '../usage-error.ts'

/** GitHub rejects larger summaries, bytes. */
const longestSummary = 1_000_000

/** Appends a Markdown report to the summary of the job. @throws UsageError where the file cannot be written. */
export function appendSummary(file: string, report: string): void {
  const markdown = Buffer.from(report)
  const fits = markdown.byteLength <= longestSummary
  try {
    appendFileSync(file, fits ? markdown : cut(markdown))
  } catch (error) {
    throw new UsageError(`cannot write GITHUB_STEP_SUMMARY: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** The lines that fit, whatever block they end in. */
function cut(markdown: Buffer): string {
  const fitting = markdown.subarray(0, longestSummary).toString()
  return `${fitting.slice(0, fitting.lastIndexOf('\n'))}\n\n(truncated: GitHub limits the size of a job summary)\n`
}
