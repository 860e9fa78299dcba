/** The JSON Schema of the JSON report, which ships with the package. */
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { conformanceReport } from './report.ts'

/** Where the schema is kept; `npm run generate` writes it. */
export const schemaFile = fileURLToPath(new URL('report.schema.json', import.meta.url))

/** The JSON Schema (2020-12) of the JSON report, as it is kept. */
export function schemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(conformanceReport, { target: 'draft-2020-12' })
  return `${JSON.stringify({ $schema, title: 'Report of a conformance run', ...schema }, null, 2)}\n`
}
