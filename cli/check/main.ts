/** `check`: runs a client in scenarios, prints the report on it. Exit codes: 0, 1 violation, 2 usage, 3 nothing to judge. */
import { type ClientReport, mergeClientReports } from '#client-tests/client-report.ts'
import { clientDemands } from '#client-tests/every-fault/effects.ts'
import { presentClientReport } from '#client-tests/presentation.ts'
import { adviceOnUnknownWord } from '#contract/input/suggestion.ts'
import { scenarios as allScenarios, scenarios } from '#mocks/scenarios/index.ts'
import { countWithNoun } from '#reporting/markup.ts'
import { type GivenOptions, UsageError } from '../flags.ts'
import { annotateGitHubJob, printAndWriteReport } from '../reports.ts'
import { type CommandDisplay, createCommandDisplay, listenForInterruption, printText } from '../screen.ts'
import { checkEveryFault } from './every-fault/main.ts'
import { type CheckOptions, readCheckOptions } from './options.ts'
import { jobCountPhrase, outputTail, runInParallel } from './run-client.ts'
import {
  createScenarioReport,
  reportNotes,
  runInScenario,
  type ScenarioRun,
  timedOutScenarioNotes,
  usualWorkOf,
  writeScenarioTraces,
} from './run-scenario.ts'

/** The explanation of rules and effects by their ids; of all, if none is named. @throws UsageError for an unknown id. */
function explanationOf(ids: readonly string[]): string {
  const wanted = ids.length === 0 ? clientDemands : ids.map(demandOf)
  return wanted.map(textOf).join('\n')
}

type Demand = (typeof clientDemands)[number]

function demandOf(id: string): Demand {
  const demand = clientDemands.find((one) => one.id === id.toLowerCase())
  if (demand) return demand
  const known = clientDemands.map((one) => one.id)
  throw new UsageError(`--explain: no rule "${id}"; ${adviceOnUnknownWord(id.toLowerCase(), known)}`)
}

function textOf({ id, level, section, statement, thresholds, needs, fix, isEffect }: Demand): string {
  const those = scenarios.filter(({ expects }) => expects.includes(id)).map((one) => one.id)
  const rows: readonly (readonly [label: string, text: string | undefined])[] = [
    ['Requirement', statement],
    ['Thresholds', thresholds],
    ['Needs', needs],
    ['Judged', isEffect ? 'under faults, beside a run without one' : 'in scenarios and under faults'],
    ['Scenarios', those.length > 0 ? those.join(', ') : undefined],
    ['Fix', fix],
  ]
  const lines = rows.flatMap(([label, text]) => (text === undefined ? [] : [`  ${label.padEnd(12)} ${text}`]))
  return [`${level} ${id} (${section})`, ...lines, ''].join('\n')
}

/** Runs `check`; returns the exit code, undefined for 0. */
export async function runCheck(given: GivenOptions, env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const { list, explain } = given.values
  if (list === true && given.operands.length > 0) throw given.wrong('list', 'runs no client: leave it out')
  if (list === true) return printText(listText())
  if (explain !== undefined) return printText(explanationOf(explain === true ? [] : given.texts('explain')))
  const options = readCheckOptions(given)
  const screen = createCommandDisplay(process.stderr, options.quiet)
  const interruption = listenForInterruption(() => screen.warn('interrupted; ending the client'))
  const check = options.faults ? checkEveryFault : checkScenarios
  try {
    const report = await check(options, env, interruption.signal, screen)
    screen.end()
    if (!report) return interruption.exitCode
    const { aborted } = interruption.signal
    const judged = aborted ? incomplete(report) : report
    const presented = { ...presentClientReport(judged), ...(aborted && { isInterrupted: true }) }
    const exitCode = printAndWriteReport(presented, judged, { ...options, remark: idleRules(presented) })
    if (!aborted && judged.parts.every(({ requests }) => requests === 0))
      screen.warn(
        'the client sent no request to /api/cli; does it read WORK_AGENT_BASE_URL, and do its paths begin with one slash and api/cli?',
      )
    annotateGitHubJob(presented, env)
    return interruption.exitCode ?? exitCode
  } finally {
    screen.end()
  }
}

/** Maximum number of rules that one line names. */
const mostIdle = 8

/** The names of the rules that were not exercised, for a report that shows nothing but its verdict. */
function idleRules({ results }: ReturnType<typeof presentClientReport>): string | undefined {
  const idle = results.filter(({ outcome }) => outcome === 'not_exercised').map(({ id }) => id)
  const rest = idle.length - mostIdle
  const names = idle.slice(0, mostIdle).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  return idle.length > 0 && idle.length < results.length ? `not exercised: ${names}` : undefined
}

/** The report on an interrupted check, which cannot have passed: it lacks what was not run. */
const incomplete = (report: ClientReport): ClientReport => ({
  ...report,
  outcome: report.outcome === 'passed' ? 'not_exercised' : report.outcome,
  notes: ['The check was interrupted, so this report is incomplete.', ...(report.notes ?? [])],
})

/** Runs the client in every scenario; output is in the order of scenarios. Undefined: interrupted before the first. */
async function checkScenarios(
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  screen: CommandDisplay,
): Promise<ClientReport | undefined> {
  const { scenarios, jobs, traces, strict } = options
  const isPart = scenarios.length < allScenarios.length
  screen.logError(
    `running the client in ${countWithNoun(scenarios.length, 'scenario')}${jobCountPhrase(scenarios, jobs)}`,
  )
  const countOne = screen.count(scenarios.length)
  const run = async (scenario: (typeof scenarios)[number]) => {
    const run = await runInScenario(scenario, options, env, signal)
    if (traces !== undefined) writeScenarioTraces(traces, run, options)
    countOne()
    return run
  }
  const show = ({ scenario: { id, title }, runs }: ScenarioRun) => {
    screen.logError(`${id}: ${title}`)
    for (const { output } of runs) screen.show(outputTail(output))
  }
  const runs = await runInParallel(scenarios, jobs, signal, run, show)
  const usual = usualWorkOf(runs)
  const [first, ...others] = runs.map((run) => createScenarioReport(run, usual))
  if (!first) return undefined
  const report = mergeClientReports([first, ...others], strict)
  const about = isPart ? { about: [...new Set(scenarios.flatMap(({ expects }) => expects))] } : {}
  return {
    ...report,
    ...about,
    notes: [...reportNotes(runs, report), ...timedOutScenarioNotes(runs, [first, ...others])],
  }
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
