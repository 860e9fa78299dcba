/** `verify`: parse, judge, print, write reports. Exit codes: 0, 1 violation, 2 usage, 3 incomplete, 4 environment. */
import { conclude } from '#contract-tests/conclude.ts'
import { entriesFor } from '#contract-tests/expected-failures.ts'
import { Unreachable } from '#contract-tests/finding.ts'
import { judge } from '#contract-tests/judge.ts'
import type { Run } from '#contract-tests/outcome.ts'
import { preflight } from '#contract-tests/preflight.ts'
import { createReport, type Report } from '#contract-tests/report/report.ts'
import { secretsOf } from '#contract-tests/report/secrets.ts'
import { renderText } from '#contract-tests/report/text.ts'
import type { Settings } from '#contract-tests/settings.ts'
import type { Target } from '#contract-tests/transport.ts'
import suite from '../../package.json' with { type: 'json' }
import { readCommandLine } from '../flags.ts'
import { explainText, listText, planText } from './catalogue.ts'
import { verifyCommand } from './flags.ts'
import { annotations, appendSummary } from './github.ts'
import { readVerifyOptions, type VerifyOptions } from './options.ts'
import { showProgress } from './progress.ts'
import { writeReports } from './report-files.ts'

const exitCodes = { passed: 0, failed: 1, incomplete: 3 } as const
const unreachable = 4
const interrupted = 130

export async function runVerify(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const given = readCommandLine(verifyCommand, argv, env)
  if (given.values.list === true) return void process.stdout.write(listText(given.values.json === true))
  if (given.values.explain !== undefined)
    return void process.stdout.write(explainText(String(given.values.explain)))
  const options = readVerifyOptions(given, env, suite)
  if (given.values.plan === true) return void process.stdout.write(planText(options.settings))
  process.exitCode = await verify(options, env)
}

async function verify(options: VerifyOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const { target, settings } = await openTarget(options)
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const problem = await preflight(target, settings)
    if (problem !== undefined) return complain(problem)
    const { progress, end } = showProgress(options.quiet ? { write: () => undefined } : process.stderr)
    const judged = await judge({ target, settings, progress, signal: interruption.signal }).finally(end)
    const { run, judgement } = conclude(judged, options.conditions)
    const report = createReport(
      run,
      judgement,
      { name: suite.name, version: suite.version },
      secretsOf(settings, run),
    )
    print(report, run, options)
    writeReports(options.reports, report)
    if (env.GITHUB_ACTIONS === 'true') process.stdout.write(annotations(report))
    if (env.GITHUB_STEP_SUMMARY) appendSummary(env.GITHUB_STEP_SUMMARY, report)
    return interruption.signal.aborted ? interrupted : exitCodes[report.outcome]
  } catch (error) {
    if (error instanceof Unreachable) return complain(error.message)
    throw error
  } finally {
    await target.close()
  }
}

/** Each kind of target is loaded when it is asked for: a remote judge needs no mock. */
async function openTarget({
  baseUrl,
  settings,
}: VerifyOptions): Promise<{ target: Target; settings: Settings }> {
  if (baseUrl !== undefined) {
    const { httpTarget } = await import('#contract-tests/targets/http.ts')
    return { target: httpTarget(baseUrl), settings }
  }
  const { embeddedMock } = await import('#contract-tests/targets/in-process.ts')
  const variant = settings.variant === 'auto' ? 'first' : settings.variant
  const { target, access } = embeddedMock({ variant })
  return { target, settings: { ...settings, ...access } }
}

function print(report: Report, run: Run, { quiet, verbose }: VerifyOptions): void {
  const text = renderText(report, { verbose })
  process.stdout.write(quiet ? `${text.trimEnd().split('\n').at(-1)}\n` : text)
  if (report.totals.failed > 0 && !quiet) {
    process.stdout.write(
      `\nTo accept these failures for now, put them into a file and pass --expected-failures FILE:\n${entriesFor(run.verdicts)}\n`,
    )
  }
}

function complain(problem: string): number {
  process.stderr.write(`verify: ${problem}\n`)
  return unreachable
}
