/** The JSON report, and the JSON Schema that ships with it. */
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Report, report } from './report.ts'

export function renderJson(data: Report): string {
  return `${JSON.stringify(data, null, 2)}\n`
}

/** Where the schema is kept; `node scripts/generate/schema.ts` writes it. */
export const schemaFile = fileURLToPath(new URL('report.schema.json', import.meta.url))

/** The JSON Schema (2020-12) of the JSON report, as it is kept. */
export function schemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(report, { target: 'draft-2020-12' })
  return `${JSON.stringify({ $schema, title: 'Report of a conformance run', ...schema }, null, 2)}\n`
}
