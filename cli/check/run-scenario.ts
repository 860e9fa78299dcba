/** Runs a client in one scenario until its situation has arisen, and judges it. */
import type { ClientReport } from '#client-tests/client-report.ts'
import type { RunFacts } from '#client-tests/rule.ts'
import { mergeRuns } from '#client-tests/run-reports.ts'
import { createMock, type Mock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import type { Scenario, ScenarioId } from '#mocks/scenarios/index.ts'
import type { CheckOptions } from './options.ts'
import { type Ending, runClient } from './run-client.ts'

/** One run of the command. */
interface FinishedRun extends Ending {
  /** The number of the last journal entry before it, and of its own last one. */
  readonly since: number
  readonly until: number
  /** When it ended, mock time, ms since the epoch. */
  readonly endedAt: number
}

/** All runs of the command in one scenario. */
export interface ScenarioRun {
  readonly scenario: Scenario<ScenarioId>
  readonly mock: Mock
  readonly runs: readonly FinishedRun[]
}

/** What the same command does where nothing goes wrong, as far as it is known. */
export type UsualWork = Pick<RunFacts, 'hasPaidWork' | 'pollsOn' | 'stopsAt'>

/** A client that does its work is run so often at most in one scenario. */
const mostRuns = 3

/** Runs the client against a mock of its own; again where one run did not exercise every rule that was expected. */
export async function runInScenario(
  scenario: Scenario<ScenarioId>,
  { command, strictClient, timeout, seed, runs: wanted }: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ScenarioRun> {
  const mock = createMock({
    scenario: scenario.id,
    ...scenario.checkOptions,
    ...(strictClient !== undefined && { strictClient }),
    ...(seed !== undefined && { seed }),
  })
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  const access = { WORK_AGENT_BASE_URL: url, WORK_AGENT_API_KEY: mock.credentials().apiKey }
  const runs: FinishedRun[] = []
  try {
    do {
      const since = lastNumber(mock)
      const ending = await runClient({ command, env: { ...env, ...access }, timeout, signal })
      runs.push({ ...ending, since, until: lastNumber(mock), endedAt: mock.clock.now() })
    } while (
      !signal.aborted &&
      (wanted === undefined ? isAnotherNeeded({ scenario, mock, runs }) : runs.length < wanted)
    )
    return { scenario, mock, runs }
  } finally {
    await close()
  }
}

const lastNumber = (mock: Mock) => mock.journal.entries().at(-1)?.number ?? 0

function isAnotherNeeded(run: ScenarioRun): boolean {
  const { scenario, mock, runs } = run
  const last = runs.at(-1)
  if (!last?.end?.ok || last.until === last.since || !worksOn(mock) || runs.length >= mostRuns) return false
  return runs.length < (scenario.checkRuns ?? 1) || missing(run).length > 0
}

/** Whether the client creates or runs tasks. */
const worksOn = (mock: Mock) =>
  mock.journal.entries().some(({ operation }) => operation === 'createTask' || operation === 'runTask')

/** The rules that the scenario is about and that were not exercised. */
function missing(run: ScenarioRun): string[] {
  const { rules } = judgeRuns(run)
  const idle = new Set(rules.flatMap(({ id, outcome }) => (outcome === 'not_exercised' ? [id] : [])))
  return run.scenario.expects.filter((id) => idle.has(id))
}

/** The report on a client in one scenario. */
export function reportOn(run: ScenarioRun, usual: UsualWork): ClientReport {
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
      // Later runs may find their work done.
      run: { canFinish, ...facts, ...(i === 0 && usual) },
    }),
  )
  const whole = mock.report({ label, end: runs.at(-1)?.end })
  const notes = runs.map(({ note }) => note).join(', then ')
  const end = `${runs.length > 1 ? `${runs.length} runs: ` : ''}${notes}${remark}`
  return mergeRuns(reports as [ClientReport, ...ClientReport[]], whole, end)
}
