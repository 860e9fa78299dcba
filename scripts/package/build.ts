/**
 * Builds what is published, into `dist` or the given folder. Runs before `npm pack`. `--no-declarations` leaves out
 * the types, which take most of the time.
 */
import { copyFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { writePage } from './built-page.ts'
import { bundleCommand, bundleEntries } from './bundle.ts'

const { positionals, values } = parseArgs({
  options: { declarations: { type: 'boolean', default: true } },
  allowNegative: true,
  allowPositionals: true,
})
const [out = 'dist'] = positionals

await bundleEntries(out, values)
await bundleCommand(join(out, 'cli'), await writePage(out))
for (const file of [
  'cli/bin.js',
  'contract/openapi/openapi.json',
  'contract-tests/report/report.schema.json',
])
  copyFileSync(file, join(out, basename(file)))
