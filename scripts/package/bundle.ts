/** Bundles what is published: the code to import, and the command. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import suite from '../../package.json' with { type: 'json' }
import { noticesOf } from './notices.ts'

/** What can be imported, by the name of its file; `tsconfig.build.json` names the same. */
export const entries = {
  index: 'mocks/index.ts',
  contract: 'contract/index.ts',
  msw: 'mocks/msw.ts',
  fixtures: 'fixtures/index.ts',
  vitest: 'contract-tests/vitest/entry.ts',
}

const peers = Object.keys(suite.peerDependencies)

/** Code to import leaves its dependencies where they are: a project has one zod, one Hono. */
export async function bundleEntries(out: string): Promise<void> {
  const installed = [...Object.keys(suite.dependencies), ...peers]
  const build = await rolldown({ input: entries, platform: 'node', external: anyOf(installed) })
  await build.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await build.close()
}

/** The command holds the part of its dependencies that it uses, and starts the sooner (docs/decisions/0002). */
export async function bundleCommand(out: string): Promise<void> {
  const build = await rolldown({
    input: { cli: 'cli/main.ts' },
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
  await build.close()
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(out, 'cli/NOTICES.txt'), noticesOf(modules))
}

/** Built-in modules, and these packages with their inner paths. */
function anyOf(packages: readonly string[]) {
  return (id: string) =>
    id.startsWith('node:') || packages.some((name) => id === name || id.startsWith(`${name}/`))
}
