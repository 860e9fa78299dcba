/** Writes the JSON Schema of the JSON report: `node scripts/generate/schema.ts`. */
import { writeFileSync } from 'node:fs'
import { schemaFile, schemaText } from '#contract-tests/report/schema.ts'

writeFileSync(schemaFile, schemaText())
