/** Builds what is published, into `dist` or the folder given: bundles, and declarations. Runs before `npm pack`. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import suite from '../package.json' with { type: 'json' }
import project from '../tsconfig.build.json' with { type: 'json' }
import { onlyWhatIsReached, withoutNeedOfMsw, withRelativeImports } from './package/declarations.ts'
import { noticesOf } from './package/notices.ts'

const [out = 'dist'] = process.argv.slice(2)

/** What can be imported, by the name of its file; `tsconfig.build.json` names the same. */
const entries = {
  index: 'mocks/index.ts',
  contract: 'contract/index.ts',
  msw: 'mocks/msw.ts',
  fixtures: 'fixtures/index.ts',
  vitest: 'contract-tests/vitest-entry.ts',
}

const peers = Object.keys(suite.peerDependencies)

/** Code to import leaves its dependencies where they are: a project has one zod, one Hono. */
async function bundleEntries(): Promise<void> {
  const installed = [...Object.keys(suite.dependencies), ...peers]
  const build = await rolldown({ input: entries, platform: 'node', external: anyOf(installed) })
  await build.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
}

/** The command holds the part of its dependencies that it uses, and starts the sooner (docs/decisions/0002). */
async function bundleCommand(): Promise<void> {
  const build = await rolldown({
    input: { cli: 'scripts/work-agent-contract.ts' },
    platform: 'node',
    external: anyOf(['undici', ...peers]),
  })
  const { output } = await build.write({
    dir: join(out, 'cli'),
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(out, 'cli/NOTICES.txt'), noticesOf(modules))
}

/** Built-in modules, and these packages with their inner paths. */
function anyOf(packages: readonly string[]) {
  return (id: string) =>
    id.startsWith('node:') || packages.some((name) => id === name || id.startsWith(`${name}/`))
}

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
await bundleEntries()
await bundleCommand()
declare()
copyFileSync('scripts/bin.js', join(out, 'bin.js'))
copyFileSync('contract/openapi.json', join(out, 'openapi.json'))
copyFileSync('contract-tests/report/report.schema.json', join(out, 'report.schema.json'))
