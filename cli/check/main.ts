/** `check`: runs a client in scenarios, prints the report on it. Exit codes: 0, 1 violation, 2 usage, 3 nothing to judge. */

import { setMaxListeners } from 'node:events'
import { type ClientReport, mergeReports } from '#client-tests/client-report.ts'
import { presentClientReport } from '#client-tests/presentation.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { renderAnnotations } from '#reporting/render/github.ts'
import { render } from '#reporting/render/index.ts'
import { renderMarkdown } from '#reporting/render/markdown.ts'
import { outcomeLine, renderText } from '#reporting/render/text.ts'
import { readCommandLine } from '../flags.ts'
import { writeReportFiles } from '../report-files.ts'
import { appendSummary } from '../verify/github.ts'
import { listenForInterruption } from '../verify/interruption.ts'
import { exitCodes } from './exit-codes.ts'
import { checkCommand } from './flags.ts'
import { type CheckOptions, readCheckOptions } from './options.ts'
import { hasPaidWork, reportOn, runInScenario, type ScenarioRun } from './run-scenario.ts'
import { writeTraces } from './traces.ts'

export async function runCheck(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const given = readCommandLine(checkCommand, argv, env)
  if (given.values.list === true) return void process.stdout.write(listText())
  const options = readCheckOptions(given)
  const interruption = listenForInterruption(() => tell('interrupted; ending the client'))
  const runs = await runScenarios(options, env, interruption.signal)
  const plain = runs.find(({ scenario, runs }) => scenario.isPlain && runs[0]?.end?.ok)
  const isPaidWorkUsual = plain && hasPaidWork(plain)
  const [first, ...others] = runs.map((run) => reportOn(run, isPaidWorkUsual))
  if (first) conclude(mergeReports([first, ...others], options.strict), options, env)
  if (interruption.exitCode !== undefined) process.exitCode = interruption.exitCode
}

/** Runs the client in every scenario, several at a time; the result and all output are in the order of scenarios. */
async function runScenarios(
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ScenarioRun[]> {
  setMaxListeners(0, process, signal)
  const { scenarios, jobs } = options
  const done: (ScenarioRun | undefined)[] = scenarios.map(() => undefined)
  const waiting = scenarios.entries()
  let shown = 0
  const work = async () => {
    for (const [i, scenario] of waiting) {
      if (signal.aborted) return
      const run = await runInScenario(scenario, options, env, signal)
      done[i] = run
      if (options.traces !== undefined) writeTraces(options.traces, run, options)
      for (let next = done[shown]; next; next = done[++shown]) if (!options.quiet) showOutput(next)
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, scenarios.length) }, work))
  return done.filter((run) => run !== undefined)
}

function showOutput({ scenario: { id, title }, runs }: ScenarioRun): void {
  tell(`${id}: ${title}`)
  for (const { output } of runs) process.stderr.write(output)
}

function conclude(report: ClientReport, { reports, quiet }: CheckOptions, env: NodeJS.ProcessEnv): void {
  const presented = presentClientReport(report)
  process.stdout.write(quiet ? `${outcomeLine(presented)}\n` : renderText(presented))
  if (report.parts.every(({ requests }) => requests === 0))
    tell('the client sent no request; does it read WORK_AGENT_BASE_URL?')
  writeReportFiles(reports, (format) => render(format, report, presented))
  if (env.GITHUB_ACTIONS === 'true') process.stdout.write(renderAnnotations(presented))
  if (env.GITHUB_STEP_SUMMARY) appendSummary(env.GITHUB_STEP_SUMMARY, renderMarkdown(presented))
  process.exitCode = exitCodes[report.outcome]
}

function listText(): string {
  const width = Math.max(...scenarios.map(({ id }) => id.length))
  return scenarios
    .map(
      ({ id, title, expects }) =>
        `${id.padEnd(width)}  ${title} (${expects.join(', ') || 'no rule of its own'})\n`,
    )
    .join('')
}

function tell(line: string): void {
  process.stderr.write(`check: ${line}\n`)
}
