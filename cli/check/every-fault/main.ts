/** Runs a client without a fault, then once in each case, several at a time, and reports on all of it. */
import type { ClientReport } from '#client-tests/client-report.ts'
import { reportOnFaults, type TriedCase } from '#client-tests/every-fault/matrix.ts'
import { type FaultCase, usualCase } from '#client-tests/every-fault/plan.ts'
import type { Trial } from '#client-tests/every-fault/trial.ts'
import { listen } from '#mocks/edges/http.ts'
import { counted } from '#reporting/markup.ts'
import { atOnce, runAll } from '../jobs.ts'
import type { CheckOptions } from '../options.ts'
import { endOfOutput, runClient, withoutKey } from '../run-client.ts'
import type { Screen } from '../screen.ts'
import { repeatLine, writeTrace } from '../traces.ts'
import { casesFor } from './cases.ts'
import { observe } from './observation.ts'

/** Undefined: interrupted before there was anything to report. */
export async function checkFaults(
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  screen: Screen,
): Promise<ClientReport | undefined> {
  const { faults, jobs, strict, seed = 'work-agent' } = options
  screen.tell('running the client without a fault')
  const usual = await runCase(usualCase, options, env, signal)
  if (signal.aborted) return undefined
  const cases = usual.end?.ok ? casesFor(faults, usual, seed) : []
  const countOne = begin(usual, cases, options, screen)
  const runs = await runAll(cases, jobs, signal, async (tried): Promise<TriedCase> => {
    const trial = await runCase(tried, options, env, signal, usual)
    countOne()
    if (cases.length === 1) screen.show(endOfOutput(trial.output))
    return { tried, trial }
  })
  return reportOnFaults(usual, runs, strict, ({ rules }) => repeatLine(faultFlags(rules), options))
}

/** Tells how the run without a fault went, and begins to count the runs with faults. */
function begin(
  { end, note, output, requests }: FinishedTrial,
  cases: readonly FaultCase[],
  { jobs, traces }: CheckOptions,
  screen: Screen,
): () => void {
  if (end?.ok) {
    const runs = `${counted(cases.length, 'run')} with faults${atOnce(cases, jobs)}`
    screen.tell(`${counted(requests.length, 'request')} without a fault; ${runs}`)
    return screen.count(cases.length)
  }
  const printed = endOfOutput(output)
  screen.tell(
    `without a fault: ${note}, so there is nothing to compare with; it printed ${printed ? 'this:' : 'nothing'}`,
  )
  screen.show(printed)
  const kept =
    traces === undefined ? '--traces DIR keeps them' : `they are in ${traces}/${folderOf(usualCase)}`
  screen.tell(`its requests and its whole output: ${kept}`)
  return () => undefined
}

/** Where nothing is the fault, the rule says so: the command then repeats the run without one. */
const faultFlags = (rules: readonly string[]) =>
  (rules.length > 0 ? rules : ['ok']).flatMap((rule) => ['--fault', rule])

/** A run, and what the client printed in it, without the key. */
interface FinishedTrial extends Trial {
  readonly output: string
}

async function runCase(
  tried: FaultCase,
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  usual?: Trial,
): Promise<FinishedTrial> {
  const { command, timeout, seed, strictClient, traces } = options
  const { mock, trial } = observe(tried, {
    ...(seed !== undefined && { seed }),
    ...(strictClient !== undefined && { strictClient }),
  })
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  try {
    const access = { WORK_AGENT_BASE_URL: url, WORK_AGENT_API_KEY: mock.credentials().apiKey }
    const ending = await runClient({ command, env: { ...env, ...access }, timeout, signal })
    const seen = await trial(ending, signal.aborted ? 0 : timeout, usual)
    const output = withoutKey(ending.output)
    if (traces !== undefined) {
      const repeat = repeatLine(faultFlags(tried.rules), options)
      writeTrace(traces, folderOf(tried), [{ har: mock.journal.har(), output, repeat }])
    }
    return { ...seen, output }
  } finally {
    await close()
  }
}

/** The name of a folder, without characters that shells or URLs read. */
const folderOf = ({ id }: FaultCase) => id.replaceAll(/[^\w.-]+/g, '-')
