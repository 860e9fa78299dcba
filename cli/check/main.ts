/** `check`: runs a client in scenarios, prints the report on it. Exit codes: 0, 1 violation, 2 usage, 3 nothing to judge. */

import { type ClientReport, mergeReports } from '#client-tests/client-report.ts'
import { presentClientReport } from '#client-tests/presentation.ts'
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { render } from '#reporting/render/index.ts'
import { outcomeLine, renderText } from '#reporting/render/text.ts'
import { readCommandLine } from '../flags.ts'
import { writeReportFiles } from '../report-files.ts'
import { listenForInterruption } from '../verify/interruption.ts'
import { exitCodes } from './exit-codes.ts'
import { checkCommand } from './flags.ts'
import { type CheckOptions, readCheckOptions } from './options.ts'
import { runClient } from './run-client.ts'

export async function runCheck(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const given = readCommandLine(checkCommand, argv, env)
  if (given.values.list === true) return void process.stdout.write(listText())
  const options = readCheckOptions(given)
  const interruption = listenForInterruption(() => tell('interrupted; ending the client'))
  const reports: ClientReport[] = []
  for (const scenario of options.scenarios) {
    if (interruption.signal.aborted) break
    if (!options.quiet) tell(`${scenario.id}: ${scenario.title}`)
    reports.push(await checkIn(scenario, options, env, interruption.signal))
  }
  const [first, ...others] = reports
  if (first) conclude(mergeReports([first, ...others], options.strict), options)
  if (interruption.exitCode !== undefined) process.exitCode = interruption.exitCode
}

/** Runs the client once, against a mock of its own. */
async function checkIn(
  { id }: CheckOptions['scenarios'][number],
  { command, strictClient, timeout, quiet }: CheckOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ClientReport> {
  const mock = createMock({ scenario: id, ...(strictClient !== undefined && { strictClient }) })
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  try {
    const access = { WORK_AGENT_BASE_URL: url, WORK_AGENT_API_KEY: mock.credentials().apiKey }
    const { end, note } = await runClient({ command, env: { ...env, ...access }, timeout, signal, quiet })
    return mock.report({ label: id, end, note })
  } finally {
    await close()
  }
}

function conclude(report: ClientReport, { reports, quiet }: CheckOptions): void {
  const presented = presentClientReport(report)
  process.stdout.write(quiet ? `${outcomeLine(presented)}\n` : renderText(presented))
  if (report.parts.every(({ requests }) => requests === 0))
    tell('the client sent no request; does it read WORK_AGENT_BASE_URL?')
  writeReportFiles(reports, (format) => render(format, report, presented))
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
