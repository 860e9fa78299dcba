/** `verify`: runs the suite, prints the result, writes reports; or judges a history or joins reports, without traffic. Exit codes: 0, 1 violation, 2 usage, 3 incomplete, 4 environment. */
import { randomUUID } from 'node:crypto'
import type { Target } from '#contract-tests/client/target.ts'
import { type SuiteRun, wasExercised } from '#contract-tests/harness/outcome.ts'
import type { Settings } from '#contract-tests/harness/terms.ts'
import { type ModelEvent, readHistory, writeHistory } from '#contract-tests/model/index.ts'
import { mergeReports } from '#contract-tests/report/merge.ts'
import { presentConformance } from '#contract-tests/report/presentation.ts'
import { type ConformanceReport, conformanceReport, createReport } from '#contract-tests/report/report.ts'
import { safeLine, secretsOf } from '#contract-tests/report/secrets.ts'
import { judgeHistory } from '#contract-tests/runner/history.ts'
import { conclude, entriesFor, knownGaps, setUpFaultIn } from '#contract-tests/runner/outcome-of-run.ts'
import { preflight } from '#contract-tests/runner/preflight.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { wordsBeforeEach } from '#contract-tests/search/replay.ts'
import { withStrength } from '#contract-tests/strength/strength.ts'
import { Redaction, type Secret } from '#traffic/redaction.ts'
import { readAs, readJson, readText, write } from '../files.ts'
import { type Given, UsageError } from '../flags.ts'
import { deliver, suite, tellGitHub } from '../reports.ts'
import {
  type Interruption,
  listenForInterruption,
  print,
  type Stream,
  showProgress,
  tell,
} from '../screen.ts'
import { estimateText, explain, listText, planText } from './catalogue.ts'
import { exploreAloud, keepFound, writeFindings } from './explore.ts'
import { openTarget, readExpected, readSelection, readVerifyOptions, type VerifyOptions } from './options.ts'

const environment = 4

/** What is done instead of a run: one of these at a time. */
const instead = ['list', 'explain', 'merge', 'judge', 'plan']

/** Returns the exit code; undefined: 0. */
export async function runVerify(given: Given, env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const { list, json, explain: id, merge, judge, plan } = given.values
  const [one, another] = instead.filter((option) => given.values[option] !== undefined)
  if (one && another) throw given.wrong(another, `does not go with --${one}`)
  const unwritten = [list, id, plan].some((value) => value !== undefined) && given.values.report
  if (unwritten && given.sourceOf('report') === '--report')
    throw given.wrong('report', `does not go with --${one}`)
  if (list === true) return print(listText(json === true, readSelection(given)))
  if (id !== undefined) return print(await explain(String(id)))
  if (merge !== undefined) return mergeFiles(given)
  if (judge !== undefined) return judgeFile(given)
  const options = readVerifyOptions(given, suite)
  for (const note of options.notes) tell('verify', note)
  const { target, settings } = await openTarget(options)
  try {
    if (plan === true)
      return print(planText(settings) + (await estimateText(given, options, target, settings)))
    const interruption = listenForInterruption(() =>
      tell('verify', 'interrupted; cleaning up what the run created'),
    )
    const named = { ...settings, runId: `verify-${randomUUID().slice(0, 8)}` }
    return await verify(interruption, options, target, named, env).finally(interruption.end)
  } finally {
    await target.close()
  }
}

async function verify(
  interruption: Interruption,
  options: VerifyOptions,
  target: Target,
  settings: Settings,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const problem = await preflight(target, settings)
  if (problem !== undefined) return complain(problem, settings)
  const { search } = options
  const tested = search?.only ? undefined : await judgeAloud(options, target, settings, interruption)
  const searched =
    search && (await exploreAloud(search, target, settings, tested, screenOf(options), interruption.signal))
  const ended = (searched?.run ?? tested) as SuiteRun
  const isInterrupted = interruption.exitCode !== undefined
  const early = isInterrupted ? ['The run ended early: it was interrupted.'] : []
  const judged = { ...ended, gaps: [...(ended.gaps ?? []), ...early] }
  if (judged.unreachable !== undefined && !judged.results.some(wasExercised))
    return complain(judged.unreachable, settings)
  const secrets = secretsOf(settings, judged.secrets)
  const { run, report, presented, exitCode } = reportOn(judged, options, settings, secrets)
  if (!options.quiet) suggestEntries(run, options)
  if (options.history !== undefined) {
    writeHistoryFile(options.history, run.history, settings, secrets)
    if (searched) writeFindings(options.history, searched.found, secrets)
  }
  if (search && searched) keepFound(search, searched.found, secrets, screenOf(options))
  tellGitHub(presented, env)
  if (interruption.exitCode !== undefined) return interruption.exitCode
  const fault = report.outcome !== 'failed' ? setUpFaultIn(run, options.conditions) : undefined
  if (fault !== undefined) return complain(`--states-url: ${fault}`, settings)
  return run.unreachable !== undefined && report.outcome === 'incomplete' ? environment : exitCode
}

function screenOf({ quiet }: VerifyOptions): Stream {
  const { stderr } = process
  return { isTTY: stderr.isTTY, columns: stderr.columns, write: (text) => quiet || stderr.write(text) }
}

async function judgeAloud(
  options: VerifyOptions,
  target: Target,
  settings: Settings,
  { signal }: Interruption,
): Promise<SuiteRun> {
  const { end, ...shown } = showProgress(screenOf(options))
  return runSuite({ target, settings, signal, ...shown }).finally(end)
}

/** Shows how to accept the failures of a run. */
function suggestEntries(run: SuiteRun, { conditions }: VerifyOptions): void {
  const entries = entriesFor(run.results, conditions.strict)
  if (entries === undefined) return
  process.stdout.write(
    `\nTo accept these failures for now, put them into a file and pass --expected-failures FILE:\n${entries}\n`,
  )
}

function complain(problem: string, settings: Settings): number {
  tell('verify', safeLine(problem, settings))
  return environment
}

/** Merges the named reports, prints and writes the result; returns the exit code. */
function mergeFiles(given: Given): number {
  const files = [...given.texts('merge').flatMap((one) => one.split(',')), ...given.operands]
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

/** @throws UsageError for a file that is no JSON report of `verify`. */
function readReport(file: string): ConformanceReport {
  const read = conformanceReport.safeParse(readJson(file))
  if (read.success) return read.data
  throw new UsageError(`--merge: ${file} is no JSON report of verify`)
}

/** Judges the named history, prints and writes the report; returns the exit code. */
function judgeFile(given: Given): number {
  const file = String(given.values.judge)
  if (given.operands.length > 0) throw new UsageError('--judge takes a history and no base URL')
  const options = readVerifyOptions(given, suite)
  const text = readText(file)
  const history = readAs(`--judge: ${file}`, () => readHistory(text))
  return reportOn(judgeHistory(history, file, options.settings), options, options.settings, []).exitCode
}

function reportOn(judged: SuiteRun, options: VerifyOptions, settings: Settings, secrets: readonly Secret[]) {
  const { run, judgement } = conclude(judged, options.conditions)
  const plain = createReport(run, judgement, suite, secrets)
  const report = options.strength ? withStrength(plain, run, settings) : plain
  const presented = presentConformance(report)
  const exitCode = deliver(presented, report, { ...options, problems: report.problems })
  return { run, report, presented, exitCode }
}

/** Of longer histories, events are written without what was possible before each: it would be most of the file. */
const longest = 5_000

/** Writes the history of a run, with what was possible before each event, and without its secrets. */
function writeHistoryFile(
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
