/** `verify --judge FILE` and `--merge REPORT.json…`: a verdict without traffic, on a recorded history or on the reports of several shards. */
import type { Settings } from '#contract-tests/harness/terms.ts'
import { type ModelEvent, readHistory, writeHistory } from '#contract-tests/model/index.ts'
import { mergeReports } from '#contract-tests/report/merge.ts'
import { presentConformance } from '#contract-tests/report/presentation.ts'
import { type ConformanceReport, conformanceReport, createReport } from '#contract-tests/report/report.ts'
import { judgeHistory } from '#contract-tests/runner/history.ts'
import { conclude, knownGaps } from '#contract-tests/runner/outcome-of-run.ts'
import { wordsBeforeEach } from '#contract-tests/search/replay.ts'
import { withStrength } from '#contract-tests/strength/strength.ts'
import { oneLine } from '#reporting/markup.ts'
import { Redaction, type Secret } from '#traffic/redaction.ts'
import { readJson, readText, write } from '../files.ts'
import { type Given, UsageError } from '../flags.ts'
import { deliver } from '../reports.ts'
import { readExpected, readVerifyOptions } from './options.ts'

/** Merges the named reports, prints and writes the result; returns the exit code. */
export function mergeFiles(given: Given): number {
  const files = [...(given.values.merge as string[]).flatMap((one) => one.split(',')), ...given.operands]
  const { unexercised } = readExpected(given.text('expectedFailures'))
  const today = new Date().toISOString().slice(0, 10)
  const conditions = {
    strict: given.on('strict'),
    requireComplete: given.on('requireComplete'),
    knownGaps: knownGaps(unexercised, today),
  }
  const reports = given.reports()
  const read = files.map(readReport)
  const report = readAs('--merge', () => mergeReports(read, conditions))
  const [quiet, verbose] = [given.on('quiet'), given.on('verbose')]
  return deliver(presentConformance(report), report, { reports, quiet, verbose, problems: report.problems })
}

/** What a file says. @throws UsageError with the flag that named it where it says nothing. */
function readAs<T>(flag: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(`${flag}: ${oneLine((error as Error).message)}`)
  }
}

/** @throws UsageError for a file that is no JSON report of `verify`. */
function readReport(file: string): ConformanceReport {
  const read = conformanceReport.safeParse(readJson(file))
  if (read.success) return read.data
  throw new UsageError(`--merge: ${file} is no JSON report of verify`)
}

/** Judges the named history, prints and writes the report; returns the exit code. */
export function judgeFile(given: Given, suite: { name: string; version: string }): number {
  const file = String(given.values.judge)
  if (given.operands.length > 0) throw new UsageError('--judge takes a history and no base URL')
  const options = readVerifyOptions(given, suite)
  const { settings, conditions, strength } = options
  const text = readText(file)
  const history = readAs(`--judge: ${file}`, () => readHistory(text))
  const judged = conclude(judgeHistory(history, file, settings), conditions)
  const plain = createReport(judged.run, judged.judgement, suite, [])
  const report = strength ? withStrength(plain, judged.run, settings) : plain
  return deliver(presentConformance(report), report, { ...options, problems: report.problems })
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
