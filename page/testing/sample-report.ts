/** A report of verify with a result of each outcome. */
import { type ConformanceReport, createReport } from '#contract-tests/report/report.ts'
import { sampleRun } from '#contract-tests/report/testing/sample.ts'

/** Returns the report. */
export function presentedReport(): ConformanceReport {
  const judgement = { outcome: 'failed', strict: false, problems: [] } as const
  return createReport(sampleRun(), judgement, { name: 'suite', version: '1' }, [])
}
