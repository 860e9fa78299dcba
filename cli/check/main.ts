/** `check`: runs a client in scenarios, prints the report on it. Exit codes: 0, 1 violation, 2 usage, 3 nothing to judge. */
import { type ClientReport, mergeReports } from '#client-tests/client-report.ts'
import { presentClientReport } from '#client-tests/presentation.ts'
import { scenarios as allScenarios } from '#mocks/scenarios/index.ts'
import { counted } from '#reporting/markup.ts'
import { render } from '#reporting/render/index.ts'
import { readCommandLine } from '../flags.ts'
import { writeReportFiles } from '../report-files.ts'
import { printReport, tellGitHub } from '../reports.ts'
import { listenForInterruption } from '../verify/interruption.ts'
import { checkFaults } from './every-fault/main.ts'
import { exitCodes } from './exit-codes.ts'
import { explanationOf } from './explanation.ts'
import { checkCommand } from './flags.ts'
import { atOnce, runAll } from './jobs.ts'
import { type CheckOptions, readCheckOptions } from './options.ts'
import { endOfOutput } from './run-client.ts'
import { reportOn, runInScenario, type ScenarioRun } from './run-scenario.ts'
import { createScreen, type Screen } from './screen.ts'
import { writeScenarioTrace } from './traces.ts'
import { cutOff, notesOn, usualWork } from './usual-work.ts'

/** Returns the exit code; undefined: 0. */
export async function runCheck(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const given = readCommandLine(checkCommand, argv, env)
  const { list, explain } = given.values
  if (list === true) process.stdout.write(listText())
  else if (explain !== undefined)
    process.stdout.write(explanationOf(explain === true ? [] : [explain].flat().map(String)))
  if (list === true || explain !== undefined) return undefined
  const options = readCheckOptions(given)
  const screen = createScreen(process.stderr, options.quiet)
  const interruption = listenForInterruption(() => screen.warn('interrupted; ending the client'))
  const { every, pairs, rules } = options.faults
  const check = every || pairs > 0 || rules.length > 0 ? checkFaults : checkScenarios
  try {
    const report = await check(options, env, interruption.signal, screen)
    screen.end()
    const exitCode = report && conclude(report, options, env, screen)
    return interruption.exitCode ?? exitCode
  } finally {
    screen.end()
  }
}

/** Runs the client in every scenario; all output is in the order of scenarios. Undefined: it ran in none. */
async function checkScenarios(
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  screen: Screen,
): Promise<ClientReport | undefined> {
  const { scenarios, jobs, traces, strict } = options
  const isPart = scenarios.length < allScenarios.length
  screen.tell(`running the client in ${counted(scenarios.length, 'scenario')}${atOnce(scenarios, jobs)}`)
  const countOne = screen.count(scenarios.length)
  const run = async (scenario: (typeof scenarios)[number]) => {
    const run = await runInScenario(scenario, options, env, signal)
    if (traces !== undefined) writeScenarioTrace(traces, run, options)
    countOne()
    return run
  }
  const runs = await runAll(scenarios, jobs, signal, run, (done) => showOutput(done, screen))
  const usual = usualWork(runs)
  const [first, ...others] = runs.map((run) => reportOn(run, usual))
  if (!first) return undefined
  const report = mergeReports([first, ...others], strict)
  const about = isPart ? { about: [...new Set(scenarios.flatMap(({ expects }) => expects))] } : {}
  return { ...report, ...about, notes: [...notesOn(runs, report), ...cutOff(runs, [first, ...others])] }
}

function showOutput({ scenario: { id, title }, runs }: ScenarioRun, screen: Screen): void {
  screen.tell(`${id}: ${title}`)
  for (const { output } of runs) screen.show(endOfOutput(output))
}

function conclude(
  report: ClientReport,
  { reports, quiet }: CheckOptions,
  env: NodeJS.ProcessEnv,
  screen: Screen,
): number {
  const presented = presentClientReport(report)
  printReport(presented, { quiet })
  if (report.parts.every(({ requests }) => requests === 0))
    screen.warn('the client sent no request; does it read WORK_AGENT_BASE_URL?')
  writeReportFiles(reports, (format) => render(format, report, presented))
  tellGitHub(presented, env)
  return exitCodes[report.outcome]
}

function listText(): string {
  const width = Math.max(...allScenarios.map(({ id }) => id.length))
  return allScenarios
    .map(
      ({ id, title, expects }) =>
        `${id.padEnd(width)}  ${title} (${expects.join(', ') || 'no rule of its own'})\n`,
    )
    .join('')
}
