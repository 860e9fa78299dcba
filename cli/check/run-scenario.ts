/**
 * Runs a client in one scenario until its rules are exercised, judges the runs beside its usual behaviour, and writes
 * traces of them.
 */
import { join } from 'node:path'
import { baselineRunFactsOf, type ClientReport, isViolated } from '#client-tests/client-report.ts'
import { creditsPaid, hasAcceptedRunRequest, isSuccess } from '#client-tests/entries.ts'
import { mergeRunReports } from '#client-tests/judge.ts'
import type { RunFacts } from '#client-tests/rule.ts'
import { routeOf } from '#contract/operation.ts'
import { createMock, type Mock } from '#mocks/app.ts'
import type { Scenario, ScenarioId } from '#mocks/scenarios/index.ts'
import { countWithNoun } from '#reporting/markup.ts'
import { checkWritable, writeAtomically } from '../files.ts'
import { invocationOf, shellQuoteIfNeeded } from '../invocation.ts'
import { type CheckOptions, defaultTimeoutMs } from './options.ts'
import { type ClientRunEnd, outputWithoutKey, withListeningMock } from './run-client.ts'

/** One run of the command. */
interface FinishedRun extends ClientRunEnd {
  /** The numbers of the last journal entry before the run, and of the last one in it. */
  readonly since: number
  readonly until: number
  /** When it ended, mock time, ms since the epoch. */
  readonly endedAt: number
}

/** All runs of a client in one scenario. */
export interface ScenarioRun {
  readonly scenario: Scenario<ScenarioId>
  readonly mock: Mock
  readonly runs: readonly FinishedRun[]
}

/** Usual behaviour of the same command where nothing goes wrong, as far as it is known. */
type UsualWork = Pick<RunFacts, 'hasPaidWork' | 'price' | 'pollsOn' | 'leavesRuns' | 'stopsAt'>

/** Most runs in one scenario of a client that does its work. */
const mostRuns = 3

/**
 * Runs a client against a mock in one scenario, and again as long as a rule that the scenario exercises could not be
 * judged.
 */
export async function runInScenario(
  scenario: Scenario<ScenarioId>,
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ScenarioRun> {
  const mock = createMock({ scenario: scenario.id, ...scenario.checkOptions, ...options.ofMock })
  const runs: FinishedRun[] = []
  const isAnotherWanted = () =>
    options.runs === undefined ? isAnotherNeeded({ scenario, mock, runs }) : runs.length < options.runs
  const environment = { ...scenario.checkEnvironment, ...env }
  return withListeningMock(mock, options, environment, signal, async (run) => {
    do {
      const since = lastNumber(mock)
      runs.push({ ...(await run()), since, until: lastNumber(mock), endedAt: mock.clock.now() })
    } while (!signal.aborted && isAnotherWanted())
    return { scenario, mock, runs }
  })
}

const lastNumber = (mock: Mock) => mock.journal.entries().at(-1)?.number ?? 0

function isAnotherNeeded(run: ScenarioRun): boolean {
  const { scenario, mock, runs } = run
  const last = runs.at(-1)
  if (!last?.end?.ok || last.until === last.since || !worksOn(mock) || runs.length >= mostRuns) return false
  return runs.length < (scenario.checkRuns ?? 1) || missing(run).length > 0
}

/** True if the client creates or runs tasks. */
const worksOn = (mock: Mock) =>
  mock.journal.entries().some(({ operation }) => operation === 'createTask' || operation === 'runTask')

/** The rules that the scenario is about and that were not exercised. */
function missing(run: ScenarioRun): string[] {
  const { rules } = judgeRuns(run)
  const idle = new Set(rules.flatMap(({ id, outcome }) => (outcome === 'not_exercised' ? [id] : [])))
  return run.scenario.expects.filter((id) => idle.has(id))
}

/**
 * Creates the report on a client in one scenario. `usual`: facts about its work in the scenario in which nothing goes
 * wrong.
 */
export function createScenarioReport(run: ScenarioRun, usual: UsualWork): ClientReport {
  const idle = worksOn(run.mock) ? missing(run) : []
  const why = run.runs.at(-1)?.end?.ok === false ? ', because it gave up' : ''
  const remark = idle.length > 0 ? `; not exercised: ${idle.join(', ')}${why}` : ''
  return judgeRuns(run, usual, remark)
}

function judgeRuns({ scenario, mock, runs }: ScenarioRun, usual: UsualWork = {}, remark = ''): ClientReport {
  const { id: label, canFinish = true } = scenario
  const reports = runs.map(({ end, note, since, until, ...facts }, i) =>
    mock.report({
      label,
      note,
      end,
      since,
      until,
      // Later runs may find their work done by the first.
      run: { canFinish, ...facts, ...(i === 0 && usual) },
    }),
  )
  const whole = mock.report({ label, end: runs.at(-1)?.end })
  const notes = runs.map(({ note }) => note).join(', then ')
  const end = `${runs.length > 1 ? `${runs.length} runs: ` : ''}${notes}${remark}`
  return mergeRunReports(reports as [ClientReport, ...ClientReport[]], whole, end)
}

/**
 * Works out the usual work of a client, such as how much it pays, from its run in the scenario in which nothing goes
 * wrong; empty if it was not run there.
 */
export function usualWorkOf(all: readonly ScenarioRun[]): UsualWork {
  const plain = all.find(({ scenario }) => scenario.isPlain)
  const [first] = plain?.runs ?? []
  if (!plain || !first) return {}
  const habit = baselineRunFactsOf(createScenarioReport(plain, {}))
  if (!first.end) return habit
  const entries = plain.mock.journal.entries().filter(({ number }) => number <= first.until)
  if (first.end.ok)
    return { ...habit, hasPaidWork: hasAcceptedRunRequest(entries), price: creditsPaid(entries) }
  const last = entries.at(-1)
  return last && isSuccess(last) ? { ...habit, stopsAt: last.operation ?? undefined } : habit
}

/**
 * Notes on why a report is of little use: the client ended with an error in every scenario, or requested no paid work.
 */
export function reportNotes(all: readonly ScenarioRun[], { totals, rules }: ClientReport): string[] {
  const entries = all.flatMap(({ mock }) => mock.journal.entries())
  const possible = all.filter(({ scenario: { canFinish = true } }) => canFinish)
  const isBroken = possible.length > 1 && possible.every(({ runs }) => runs[0]?.end?.ok === false)
  const isIdle =
    entries.length > 0 && !entries.some(({ operation }) => operation && routeOf(operation).cost > 0)
  if (isBroken)
    return [
      'The client ended with an error in every scenario, also where nothing goes wrong: fix that first.',
    ]
  const idle = `${totals.not_exercised} of ${countWithNoun(rules.length, 'rule')}`
  return isIdle ? [`The client requested no paid work: ${idle} could not be judged.`] : []
}

/**
 * A note that names the scenarios in which the client was killed for taking too long, except those whose report blames
 * it for that (rule `ends-in-time`); empty if there are none. `reports`: one for each scenario.
 */
export function timedOutScenarioNotes(
  all: readonly ScenarioRun[],
  reports: readonly ClientReport[],
): string[] {
  const isAccused = (report?: ClientReport) =>
    report?.rules.some((rule) => rule.id === 'ends-in-time' && isViolated(rule)) === true
  const ids = all.flatMap(({ scenario, runs }, i) =>
    runs.some(({ killedAfter }) => killedAfter !== undefined) && !isAccused(reports[i]) ? [scenario.id] : [],
  )
  if (ids.length === 0) return []
  return [
    `The client was killed at its work in ${ids.join(', ')}, so what it left undone there is not judged: --timeout gives it more time.`,
  ]
}

/**
 * Writes each run of a client to a folder as `1.har`, `1.txt` (its output) and `1.sh` (how to repeat it). The key must
 * have been removed from `output`. @throws UsageError where it cannot be written.
 */
export function writeRunTraces(
  folder: string,
  name: string,
  runs: readonly { readonly har: object; readonly output: string; readonly repeat: string }[],
): void {
  const file = (nth: number, kind: string) => join(folder, name, `${nth}.${kind}`)
  // The caller makes one folder for all scenarios.
  checkWritable(file(1, 'har'))
  for (const [i, { har, output, repeat }] of runs.entries()) {
    writeAtomically(file(i + 1, 'har'), JSON.stringify(har, null, 2))
    writeAtomically(file(i + 1, 'txt'), output)
    writeAtomically(file(i + 1, 'sh'), `cd ${shellQuoteIfNeeded(process.cwd())}\n${repeat}\n`)
  }
}

/**
 * Writes the runs of a client in one scenario to a folder. A later run depends on the earlier ones, so it is repeated
 * with them.
 */
export function writeScenarioTraces(folder: string, run: ScenarioRun, options: CheckOptions): void {
  const { scenario, mock, runs } = run
  const { log } = mock.journal.har()
  const numbers = mock.journal.entries().map(({ number }) => number)
  const kept = runs.map(({ since, until, output }, i) => {
    const entries = log.entries.filter((_, at) => (numbers[at] ?? 0) > since && (numbers[at] ?? 0) <= until)
    const repeat = repeatCommandLine(['--scenario', scenario.id, '--runs', String(i + 1)], options)
    return { har: { log: { ...log, entries } }, output: outputWithoutKey(output), repeat }
  })
  writeRunTraces(folder, scenario.id, kept)
}

/**
 * Writes the command line that repeats one run of a client. `situation`: the flags that choose its scenario or its
 * faults.
 */
export function repeatCommandLine(
  situation: readonly string[],
  { command, ofMock: { seed, strictClient }, timeout }: Pick<CheckOptions, 'command' | 'ofMock' | 'timeout'>,
): string {
  const flags = [
    ...situation,
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...(strictClient === undefined ? [] : ['--strict-client', strictClient]),
    ...(timeout === defaultTimeoutMs ? [] : ['--timeout', `${timeout}ms`]),
  ]
  return [...invocationOf('check', process), ...flags, '--', ...command].map(shellQuoteIfNeeded).join(' ')
}
