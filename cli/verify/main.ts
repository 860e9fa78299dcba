/** `verify`: runs the suite, prints the result, writes reports. Exit codes: 0, 1 violation, 2 usage, 3 incomplete, 4 environment. */
import { randomUUID } from 'node:crypto'
import type { Target } from '#contract-tests/client/target.ts'
import { type SuiteRun, wasExercised } from '#contract-tests/harness/outcome.ts'
import type { Settings } from '#contract-tests/harness/terms.ts'
import { presentConformance } from '#contract-tests/report/presentation.ts'
import { createReport } from '#contract-tests/report/report.ts'
import { safeLine, secretsOf } from '#contract-tests/report/secrets.ts'
import { conclude, entriesFor, setUpFaultIn } from '#contract-tests/runner/outcome-of-run.ts'
import { preflight } from '#contract-tests/runner/preflight.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { withStrength } from '#contract-tests/strength/strength.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Given } from '../flags.ts'
import { deliver, tellGitHub } from '../reports.ts'
import { type Interruption, listenForInterruption, type Stream, showProgress } from '../screen.ts'
import { estimateText, explain, listText, planText } from './catalogue.ts'
import { exploreAloud, keepFound, writeFindings } from './explore.ts'
import { judgeFile, mergeFiles, writeHistoryFile } from './judge.ts'
import { openTarget, readSelection, readVerifyOptions, type VerifyOptions } from './options.ts'

const suite = { name: manifest.name, version: manifest.version }
const environment = 4

/** Returns the exit code; undefined: 0. */
export async function runVerify(given: Given, env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const { list, json, explain: id, merge, judge, plan } = given.values
  if (list === true) return print(listText(json === true, readSelection(given)))
  if (id !== undefined) return print(await explain(String(id)))
  if (merge !== undefined) return mergeFiles(given)
  if (judge !== undefined) return judgeFile(given, suite)
  const options = readVerifyOptions(given, suite)
  for (const note of options.notes) tell(note)
  const { target, settings } = await openTarget(options)
  try {
    if (plan === true)
      return print(planText(settings) + (await estimateText(given, options, target, settings)))
    const interruption = listenForInterruption(() => tell('interrupted; cleaning up what the run created'))
    const named = { ...settings, runId: newRunId() }
    return await verify(interruption, options, target, named, env).finally(interruption.end)
  } finally {
    await target.close()
  }
}

function print(text: string): undefined {
  process.stdout.write(text)
}

const newRunId = () => `verify-${randomUUID().slice(0, 8)}`

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
  const judged = (searched?.run ?? tested) as SuiteRun
  if (judged.unreachable !== undefined && !judged.results.some(wasExercised))
    return complain(judged.unreachable, settings)
  const { run, judgement } = conclude(judged, options.conditions)
  const secrets = secretsOf(settings, run.secrets)
  const plain = createReport(run, judgement, suite, secrets)
  const report = options.strength ? withStrength(plain, run, settings) : plain
  const presented = presentConformance(report)
  const exitCode = deliver(presented, report, { ...options, problems: report.problems })
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
  tell(safeLine(problem, settings))
  return environment
}

function tell(line: string): void {
  process.stderr.write(`verify: ${line}\n`)
}
