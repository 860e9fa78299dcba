/** Builds what is published, into `dist` or the given folder. Runs before `npm pack`. */
import { copyFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writePage } from './built-page.ts'
import { bundleCommand, bundleEntries } from './bundle.ts'

const [out = 'dist'] = process.argv.slice(2)

await bundleEntries(out, { declarations: true })
await bundleCommand(join(out, 'cli'), await writePage(out))
for (const file of [
  'cli/bin.js',
  'contract/openapi/openapi.json',
  'contract-tests/report/report.schema.json',
])
  copyFileSync(file, join(out, basename(file)))
