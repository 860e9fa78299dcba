/** `mock --report … -- <command…>`: the report on the client that ran beside the mock. */
import { presentClientReport } from '#client-tests/presentation.ts'
import type { Mock } from '#mocks/app.ts'
import { render } from '#reporting/render/index.ts'
import { outcomeLine } from '#reporting/render/text.ts'
import { exitCodes } from '../check/exit-codes.ts'
import { writeReportFiles } from '../report-files.ts'
import type { MockCommandOptions } from './options.ts'
import type { CommandEnd } from './run-command.ts'

/** Writes the reports, if any are wanted. Returns the exit code: that of the command, or if it is 0 that of `check`. */
export function judgeClient(
  mock: Mock,
  { reports }: MockCommandOptions,
  { code, note, started }: CommandEnd,
): number {
  if (reports.length === 0 || !started) return code
  // What a client left undone when a signal ended it is no evidence.
  const end = note.startsWith('exit') ? { ok: code === 0 } : undefined
  const report = mock.report({ label: mock.settings.scenario?.id ?? 'mock', end, note })
  const presented = presentClientReport(report)
  process.stderr.write(`mock: ${outcomeLine(presented)}\n`)
  writeReportFiles(reports, (format) => render(format, report, presented))
  return code === 0 ? exitCodes[report.outcome] : code
}
