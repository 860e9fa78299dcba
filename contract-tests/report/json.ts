/** The JSON report, and the JSON Schema that ships with it. */
import { z } from 'zod'
import { type Report, report } from './report.ts'

export function renderJson(data: Report): string {
  return `${JSON.stringify(data, null, 2)}\n`
}

/** The JSON Schema (2020-12) of the JSON report. */
export function reportSchema(): object {
  return z.toJSONSchema(report, { target: 'draft-2020-12' })
}
