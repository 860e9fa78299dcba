/** Reports from files: of `verify`, of `check`, or a history. */
import type { ClientReport } from '#client-tests/client-report.ts'
import type { ConformanceReport } from '#contract-tests/report/report.ts'
import { isFinding, readEvents, readFinding } from './history.ts'
import { type Report, readClientReport, readConformanceReport } from './report.ts'

/** Reads the text of a file. @throws Error that says what it should be. */
export function readReport(text: string): Report {
  try {
    const json: unknown = parse(text)
    const report = Object(json) as Record<string, unknown>
    if (Array.isArray(report.requirements)) return readConformanceReport(json as ConformanceReport)
    if (Array.isArray(report.rules)) return readClientReport(json as ClientReport)
    if (isFinding(report)) return readFinding(report)
    return readEvents(text)
  } catch {
    throw new Error('no report of verify or check (--report json=FILE), and no history (--history FILE)')
  }
}

/** Returns the JSON of a text; undefined: it is not one value. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
