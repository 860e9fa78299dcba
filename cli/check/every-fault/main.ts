/** Runs a client without a fault, then once in each case, several at a time, and reports on all of it. */
import type { ClientReport } from '#client-tests/client-report.ts'
import { reportOnFaults, type TriedCase } from '#client-tests/every-fault/matrix.ts'
import { type FaultCase, usualCase } from '#client-tests/every-fault/plan.ts'
import type { Trial } from '#client-tests/every-fault/trial.ts'
import { listen } from '#mocks/edges/http.ts'
import { runAll } from '../jobs.ts'
import type { CheckOptions } from '../options.ts'
import { repeatLine } from '../repeat-line.ts'
import { runClient } from '../run-client.ts'
import { writeTrace } from '../traces.ts'
import { casesFor } from './cases.ts'
import { observe } from './observation.ts'

/** Undefined: interrupted before there was anything to report. */
export async function checkFaults(
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<ClientReport | undefined> {
  const { faults, jobs, strict, seed = 'work-agent' } = options
  const usual = await runCase(usualCase, options, env, signal)
  if (signal.aborted) return undefined
  const cases = usual.end?.ok ? casesFor(faults, usual, seed) : []
  tell(
    usual.end?.ok
      ? `${usual.requests.length} requests without a fault; ${cases.length} runs with faults`
      : `without a fault: ${usual.note}, so there is nothing to compare with`,
  )
  const runs = await runAll(cases, jobs, signal, async (tried): Promise<TriedCase> => {
    return { tried, trial: await runCase(tried, options, env, signal, usual) }
  })
  return reportOnFaults(usual, runs, strict, ({ rules }) => repeatLine(faultFlags(rules), options))
}

const faultFlags = (rules: readonly string[]) => rules.flatMap((rule) => ['--fault', rule])

async function runCase(
  tried: FaultCase,
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  usual?: Trial,
): Promise<Trial> {
  const { command, timeout, seed, strictClient, traces } = options
  const { mock, trial } = observe(tried, {
    ...(seed !== undefined && { seed }),
    ...(strictClient !== undefined && { strictClient }),
  })
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  try {
    const access = { WORK_AGENT_BASE_URL: url, WORK_AGENT_API_KEY: mock.credentials().apiKey }
    const ending = await runClient({ command, env: { ...env, ...access }, timeout, signal })
    if (traces !== undefined) {
      const repeat = repeatLine(faultFlags(tried.rules), options)
      writeTrace(traces, folderOf(tried), [{ har: mock.journal.har(), output: ending.output, repeat }])
    }
    return await trial(ending, signal.aborted ? 0 : timeout, usual)
  } finally {
    await close()
  }
}

/** The name of a folder, without characters that shells or URLs read. */
const folderOf = ({ id }: FaultCase) => id.replaceAll(/[^\w.-]+/g, '-')
