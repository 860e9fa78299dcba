/** Writes what is published into a folder. */
import { copyFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writePage } from './built-page.ts'
import { bundleCommand, bundleEntries } from './bundle.ts'

/** `declarations`: whether to write the types, which take most of the time. */
export async function writeDist(out: string, { declarations }: { declarations: boolean }): Promise<void> {
  await bundleEntries(out, { declarations })
  await bundleCommand(join(out, 'cli'), await writePage(out))
  for (const file of [
    'cli/bin.js',
    'contract/openapi/openapi.json',
    'contract-tests/report/report.schema.json',
  ])
    copyFileSync(file, join(out, basename(file)))
}
