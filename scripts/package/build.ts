/** Builds what is published, into `dist` or the folder given: bundles, and declarations. Runs before `npm pack`. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import project from '../../tsconfig.build.json' with { type: 'json' }
import { bundleCommand, bundleEntries } from './bundle.ts'
import { onlyWhatIsReached, withoutNeedOfMsw, withRelativeImports } from './declarations.ts'

const [out = 'dist'] = process.argv.slice(2)

function declare(): void {
  const types = join(out, 'types')
  const { status } = spawnSync('tsc', ['--project', 'tsconfig.build.json', '--outDir', types], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('the declarations cannot be built')
  withRelativeImports(types)
  withoutNeedOfMsw(join(types, 'mocks/index.d.ts'))
  onlyWhatIsReached(
    types,
    project.files.map((file) => join(types, file.replace(/\.ts$/, '.d.ts'))),
  )
}

rmSync(out, { recursive: true, force: true })
await bundleEntries(out)
await bundleCommand(out)
declare()
copyFileSync('cli/bin.js', join(out, 'bin.js'))
copyFileSync('contract/openapi/openapi.json', join(out, 'openapi.json'))
copyFileSync('contract-tests/report/report.schema.json', join(out, 'report.schema.json'))
