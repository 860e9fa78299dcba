/** `verify --merge REPORT.json…`: one report from those of several shards, with the exit code of the whole. */
import { mergeReports } from '#contract-tests/report/merge.ts'
import { presentConformance } from '#contract-tests/report/presentation.ts'
import { type ConformanceReport, conformanceReport } from '#contract-tests/report/report.ts'
import { knownGaps } from '#contract-tests/runner/outcome-of-run.ts'
import { render } from '#reporting/render/index.ts'
import { readJson } from '../files.ts'
import { type Given, UsageError } from '../flags.ts'
import { readReportFiles, writeReportFiles } from '../report-files.ts'
import { printReport } from '../reports.ts'
import { Values } from '../values.ts'
import { readExpected } from './options.ts'

/** Exit codes of a verdict. */
export const exitCodes = { passed: 0, failed: 1, incomplete: 3 } as const

/** Merges the named reports, prints and writes the result; returns the exit code. */
export function mergeFiles(given: Given): number {
  const values = new Values(given)
  const files = [...(given.values.merge as string[]).flatMap((one) => one.split(',')), ...given.operands]
  const { unexercised } = readExpected(values.text('expectedFailures'))
  const today = new Date().toISOString().slice(0, 10)
  const conditions = {
    strict: values.on('strict'),
    requireComplete: values.on('requireComplete'),
    knownGaps: knownGaps(unexercised, today),
  }
  const outputs = readReportFiles(values.list('report'))
  const report = merged(files.map(readReport), conditions)
  const presented = presentConformance(report)
  const [quiet, verbose] = [values.on('quiet'), values.on('verbose')]
  printReport(presented, { quiet, verbose, problems: report.problems })
  writeReportFiles(outputs, (format) => render(format, report, presented))
  return exitCodes[report.outcome]
}

function merged(...args: Parameters<typeof mergeReports>): ConformanceReport {
  try {
    return mergeReports(...args)
  } catch (error) {
    throw new UsageError(`--merge: ${(error as Error).message}`)
  }
}

/** @throws UsageError for a file that is no JSON report of `verify`. */
function readReport(file: string): ConformanceReport {
  const read = conformanceReport.safeParse(readJson(file))
  if (read.success) return read.data
  throw new UsageError(`--merge: ${file} is no JSON report of verify`)
}
