/** `verify --judge FILE`: what the model says of a recorded history, without traffic. */
import type { Settings } from '#contract-tests/harness/terms.ts'
import { type ModelEvent, readHistory, writeHistory } from '#contract-tests/model/index.ts'
import { presentConformance } from '#contract-tests/report/presentation.ts'
import { createReport } from '#contract-tests/report/report.ts'
import { judgeHistory } from '#contract-tests/runner/history.ts'
import { conclude } from '#contract-tests/runner/outcome-of-run.ts'
import { wordsBeforeEach } from '#contract-tests/search/replay.ts'
import { withStrength } from '#contract-tests/strength/strength.ts'
import { oneLine } from '#reporting/markup.ts'
import { render } from '#reporting/render/index.ts'
import { Redaction, type Secret } from '#traffic/redaction.ts'
import { readText, write } from '../files.ts'
import { type Given, UsageError } from '../flags.ts'
import { writeReportFiles } from '../report-files.ts'
import { printReport } from '../reports.ts'
import { exitCodes } from './merge.ts'
import { readVerifyOptions } from './options.ts'

/** Judges the named history, prints and writes the report; returns the exit code. */
export function judgeFile(given: Given, suite: { name: string; version: string }): number {
  const file = String(given.values.judge)
  if (given.operands.length > 0) throw new UsageError('--judge takes a history and no base URL')
  const { settings, conditions, reports, quiet, verbose, strength } = readVerifyOptions(given, suite)
  const judged = conclude(judgeHistory(read(file), file, settings), conditions)
  const plain = createReport(judged.run, judged.judgement, suite, [])
  const report = strength ? withStrength(plain, judged.run, settings) : plain
  const presented = presentConformance(report)
  printReport(presented, { quiet, verbose, problems: report.problems })
  writeReportFiles(reports, (format) => render(format, report, presented))
  return exitCodes[report.outcome]
}

/** @throws UsageError for a file that is no history. */
function read(file: string): ModelEvent[] {
  const text = readText(file)
  try {
    return readHistory(text)
  } catch (error) {
    throw new UsageError(`--judge: ${file}: ${oneLine((error as Error).message)}`)
  }
}

/** Of longer histories, events are written without what was possible before each: it would be most of the file. */
const longest = 5_000

/** Writes the history of a run, with what was possible before each event, and without its secrets. */
export function writeHistoryFile(
  file: string,
  history: readonly ModelEvent[],
  settings: Settings,
  secrets: readonly Secret[],
): void {
  const redaction = new Redaction(secrets, { decode: true })
  const words = history.length > longest ? undefined : wordsBeforeEach(history, settings)
  write(
    file,
    writeHistory(history, (text) => redaction.text(text), words),
  )
}
