/** Writes the reports of a run to files. */
import { renderHtml } from '#contract-tests/report/html.ts'
import { renderJson } from '#contract-tests/report/json.ts'
import { renderJunit } from '#contract-tests/report/junit.ts'
import { renderMarkdown } from '#contract-tests/report/markdown.ts'
import type { Report } from '#contract-tests/report/report.ts'
import * as files from '../report-files.ts'

const renderers = { json: renderJson, junit: renderJunit, md: renderMarkdown, html: renderHtml } as const

export type ReportFile = files.ReportFile<keyof typeof renderers>

const forms = Object.keys(renderers) as (keyof typeof renderers)[]

/** @throws UsageError for an unknown format or a missing file name. */
export const readReportFiles = (list: readonly string[]) => files.readReportFiles(list, forms)

/** Checks that each file can be written, before the run starts. @throws UsageError for one that cannot. */
export const checkReportFiles = files.checkReportFiles<ReportFile['form']>

/** Writes the reports. @throws UsageError for a file that cannot be written. */
export function writeReports(to: readonly ReportFile[], report: Report): void {
  files.writeReportFiles(to, (form) => renderers[form](report))
}
