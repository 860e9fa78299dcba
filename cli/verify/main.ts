/** `verify`: runs the suite, prints the result, writes reports; or judges a history, without traffic. Exit codes: 0, 1 violation, 2 usage, 3 incomplete, 4 environment. */
import { randomUUID } from 'node:crypto'
import type { Target } from '#contract-tests/client/target.ts'
import { type SuiteRun, wasExercised } from '#contract-tests/harness/outcome.ts'
import type { SuiteSettings } from '#contract-tests/harness/terms.ts'
import { historyFromNdjson, historyToNdjson, type ModelEvent } from '#contract-tests/model/index.ts'
import { presentConformance } from '#contract-tests/report/presentation.ts'
import { createConformanceReport } from '#contract-tests/report/report.ts'
import { namedSecretsOfRun, redactedErrorLine } from '#contract-tests/report/secrets.ts'
import { judgeRecordedHistory } from '#contract-tests/runner/history.ts'
import {
  concludeSuiteRun,
  expectedFailureEntriesText,
  providerStateProblem,
} from '#contract-tests/runner/outcome-of-run.ts'
import { preflightProblem } from '#contract-tests/runner/preflight.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { stateDescriptionsByEvent } from '#contract-tests/search/report/state-descriptions.ts'
import { reportWithStrength } from '#contract-tests/strength/strength.ts'
import { packageNameAndVersion } from '#reporting/suite.ts'
import { type NamedSecret, SecretRedactor } from '#traffic/redaction.ts'
import { readOrThrowUsageError, readTextFile, writeAtomically } from '../files.ts'
import { type GivenOptions, UsageError } from '../flags.ts'
import { annotateGitHubJob, printAndWriteReport } from '../reports.ts'
import {
  createProgressDisplay,
  type InterruptionListener,
  listenForInterruption,
  logError,
  type OutputStream,
  printText,
} from '../screen.ts'
import { estimateText, explainRequirement, requirementListText, runPlanText } from './catalogue.ts'
import { searchWithProgress, updateFindingFiles, writeFindings } from './explore.ts'
import { openTargetWithSettings, readSelection, readVerifyOptions, type VerifyOptions } from './options.ts'

const environment = 4

/** Flags that replace a run; only one of them may be given. */
const instead = ['list', 'explain', 'judge', 'plan']

/** Runs `verify`; returns the exit code, undefined for 0. */
export async function runVerify(given: GivenOptions, env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const { list, json, explain: id, judge, plan } = given.values
  const [one, another] = instead.filter((option) => given.values[option] !== undefined)
  if (one && another) throw given.wrong(another, `does not go with --${one}`)
  const unwritten = [list, id, plan].some((value) => value !== undefined) && given.values.report
  if (unwritten && given.sourceOf('report') === '--report')
    throw given.wrong('report', `does not go with --${one}`)
  if (list === true) return printText(requirementListText(json === true, readSelection(given)))
  if (id !== undefined) return printText(await explainRequirement(String(id)))
  if (judge !== undefined) return judgeFile(given)
  const options = readVerifyOptions(given, packageNameAndVersion)
  for (const note of options.notes) logError('verify', note)
  const { target, settings } = await openTargetWithSettings(options)
  try {
    if (plan === true)
      return printText(runPlanText(settings) + (await estimateText(given, options, target, settings)))
    const interruption = listenForInterruption(() =>
      logError('verify', 'interrupted; cleaning up what the run created'),
    )
    const named = { ...settings, runId: `verify-${randomUUID().slice(0, 8)}` }
    return await verify(interruption, options, target, named, env).finally(interruption.end)
  } finally {
    await target.close()
  }
}

async function verify(
  interruption: InterruptionListener,
  options: VerifyOptions,
  target: Target,
  settings: SuiteSettings,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const problem = await preflightProblem(target, settings)
  if (problem !== undefined) return complain(problem, settings)
  const { search } = options
  const tested = search?.only ? undefined : await judgeAloud(options, target, settings, interruption)
  const searched =
    search &&
    (await searchWithProgress(search, target, settings, tested, screenOf(options), interruption.signal))
  const ended = (searched?.run ?? tested) as SuiteRun
  const isInterrupted = interruption.exitCode !== undefined
  const early = isInterrupted ? ['The run ended early: it was interrupted.'] : []
  const judged = { ...ended, gaps: [...(ended.gaps ?? []), ...early] }
  if (judged.unreachable !== undefined && !judged.results.some(wasExercised))
    return complain(judged.unreachable, settings)
  const secrets = namedSecretsOfRun(settings, judged.secrets)
  const { run, report, presented, exitCode } = reportOn(judged, options, settings, secrets, isInterrupted)
  if (!options.quiet) suggestEntries(run, options)
  if (options.history !== undefined) {
    writeHistoryFile(options.history, run.history, settings, secrets)
    if (searched) writeFindings(options.history, searched.found, secrets)
  }
  if (search && searched) updateFindingFiles(search, searched.found, secrets, screenOf(options))
  annotateGitHubJob(presented, env)
  if (interruption.exitCode !== undefined) return interruption.exitCode
  const fault = report.outcome !== 'failed' ? providerStateProblem(run, options.conditions) : undefined
  if (fault !== undefined) return complain(`--states-url: ${fault}`, settings)
  return run.unreachable !== undefined && report.outcome === 'incomplete' ? environment : exitCode
}

function screenOf({ quiet }: VerifyOptions): OutputStream {
  const { stderr } = process
  return { isTTY: stderr.isTTY, columns: stderr.columns, write: (text) => quiet || stderr.write(text) }
}

async function judgeAloud(
  options: VerifyOptions,
  target: Target,
  settings: SuiteSettings,
  { signal }: InterruptionListener,
): Promise<SuiteRun> {
  const { end, ...shown } = createProgressDisplay(screenOf(options))
  return runSuite({ target, settings, signal, ...shown }).finally(end)
}

/** Prints the entries of a file of expected failures that would accept the failures of a run. */
function suggestEntries(run: SuiteRun, { conditions }: VerifyOptions): void {
  const entries = expectedFailureEntriesText(run.results, conditions.strict)
  if (entries === undefined) return
  process.stdout.write(
    `\nTo accept these failures for now, put them into a file and pass --expected-failures FILE:\n${entries}\n`,
  )
}

function complain(problem: string, settings: SuiteSettings): number {
  logError('verify', redactedErrorLine(problem, settings))
  return environment
}

/** Judges the named history, prints and writes the report; returns the exit code. */
function judgeFile(given: GivenOptions): number {
  const file = String(given.values.judge)
  if (given.operands.length > 0) throw new UsageError('--judge takes a history and no base URL')
  const options = readVerifyOptions(given, packageNameAndVersion)
  const text = readTextFile(file)
  const history = readOrThrowUsageError(`--judge: ${file}`, () => historyFromNdjson(text))
  return reportOn(judgeRecordedHistory(history, file, options.settings), options, options.settings, [])
    .exitCode
}

function reportOn(
  judged: SuiteRun,
  options: VerifyOptions,
  settings: SuiteSettings,
  secrets: readonly NamedSecret[],
  isInterrupted = false,
) {
  const { run, judgement } = concludeSuiteRun(judged, options.conditions)
  const plain = createConformanceReport(run, judgement, packageNameAndVersion, secrets)
  const report = options.strength ? reportWithStrength(plain, run, settings) : plain
  const presented = { ...presentConformance(report), ...(isInterrupted && { isInterrupted }) }
  const exitCode = printAndWriteReport(presented, report, { ...options, problems: report.problems })
  return { run, report, presented, exitCode }
}

/**
 * Number of events up to which a history is written with the states that were possible before each: they would be most
 * of a longer file.
 */
const longest = 5_000

/** Writes the history of a run, with the states that were possible before each event, and without secrets. */
function writeHistoryFile(
  file: string,
  history: readonly ModelEvent[],
  settings: SuiteSettings,
  secrets: readonly NamedSecret[],
): void {
  const redaction = new SecretRedactor(secrets, { decode: true })
  const words = history.length > longest ? undefined : stateDescriptionsByEvent(history, settings)
  writeAtomically(
    file,
    historyToNdjson(history, (text) => redaction.text(text), words),
  )
}
