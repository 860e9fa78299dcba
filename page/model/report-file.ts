/** Reports from files: of `verify`, of `check`, or a history of the search. */
import type { ClientReport } from '#client-tests/client-report.ts'
import type { ConformanceReport } from '#contract-tests/report/report.ts'
import { type Report, readClientReport, readConformanceReport } from './report.ts'
import { isHistory, readHistory } from './saved-history.ts'

/** Reads the JSON of a file. @throws Error that says what it should be. */
export function readReport(json: unknown): Report {
  const report = Object(json) as Record<string, unknown>
  if (Array.isArray(report.requirements)) return readConformanceReport(json as ConformanceReport)
  if (Array.isArray(report.rules)) return readClientReport(json as ClientReport)
  if (isHistory(report)) return readHistory(report)
  throw new Error('This is no JSON report of verify or check; write one with --report json=FILE')
}
