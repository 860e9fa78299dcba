/** Reports in files, on the screen, and in a job of GitHub. */
import { appendFileSync } from 'node:fs'
import { printableLine } from '#reporting/markup.ts'
import { renderAnnotations } from '#reporting/render/github.ts'
import { renderReport } from '#reporting/render/index.ts'
import { renderMarkdown } from '#reporting/render/markdown.ts'
import { outcomeLine, renderText } from '#reporting/render/text.ts'
import type { Report } from '#reporting/report.ts'
import { accessFileOrThrow, writeAtomically } from './files.ts'
import type { ReportFile } from './flags.ts'

/** The exit code for each outcome of a report: 1 for a violation, 3 if nothing can be said for certain. */
export const exitCodeByOutcome = {
  passed: 0,
  failed: 1,
  suspected: 1,
  inconclusive: 3,
  incomplete: 3,
  not_exercised: 3,
} as const satisfies Record<Report['outcome'], number>

/**
 * Writes a report to each of the given files in its format. @throws UsageError for a file that cannot be written, after
 * the others are written.
 */
export function writeReportFiles(files: readonly ReportFile[], data: object, report: Report): void {
  const problems = files.flatMap(({ format, file }) => {
    try {
      writeAtomically(file, renderReport(format, data, report))
      return []
    } catch (error) {
      return [error]
    }
  })
  if (problems.length > 0) throw problems[0]
}

/** GitHub rejects larger summaries, bytes. */
const longestSummary = 1_000_000

interface Shown {
  readonly quiet: boolean
  readonly verbose?: boolean
  /** A few words behind the verdict, for a reader who sees nothing else. */
  readonly remark?: string | undefined
  /** Problems of the run. */
  readonly problems?: readonly string[]
}

/** Prints a report or, with `quiet`, only its lead, the given problems and its outcome. */
export function printReport(report: Report, { quiet, verbose = true, remark, problems = [] }: Shown): void {
  const last = () => outcomeLine(report) + (remark === undefined ? '' : ` (${remark})`)
  const verdict = () => `${[...report.lead, ...problems].map(printableLine).concat(last()).join('\n')}\n`
  process.stdout.write(quiet ? verdict() : renderText(report, { verbose }))
}

/** Prints a report and writes it to files; returns its exit code. `data`: the content of the JSON file. */
export function printAndWriteReport(
  report: Report,
  data: object,
  { reports, ...shown }: Shown & { readonly reports: readonly ReportFile[] },
): number {
  printReport(report, shown)
  writeReportFiles(reports, data, report)
  return exitCodeByOutcome[report.outcome]
}

/**
 * Adds annotations and a summary of the report to the GitHub job in which the command runs; elsewhere does nothing.
 * @throws UsageError if the summary file cannot be written.
 */
export function annotateGitHubJob(report: Report, env: NodeJS.ProcessEnv): void {
  if (env.GITHUB_ACTIONS === 'true') process.stdout.write(renderAnnotations(report))
  if (env.GITHUB_STEP_SUMMARY) appendJobSummary(env.GITHUB_STEP_SUMMARY, renderMarkdown(report))
}

/**
 * Appends a report in Markdown to the summary file of a GitHub job. @throws UsageError if the file cannot be written.
 */
export function appendJobSummary(file: string, report: string): void {
  const markdown = Buffer.from(report)
  const fits = markdown.byteLength <= longestSummary
  accessFileOrThrow('write', 'GITHUB_STEP_SUMMARY', () =>
    appendFileSync(file, fits ? markdown : cut(markdown)),
  )
}

/** As many lines of a report as fit, even if a block stays open. */
function cut(markdown: Buffer): string {
  const fitting = markdown.subarray(0, longestSummary).toString()
  return `${fitting.slice(0, fitting.lastIndexOf('\n'))}\n\n(truncated: GitHub limits the size of a job summary)\n`
}
