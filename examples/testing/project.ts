/** Somebody's project that has the examples in it, and the package installed as it is published. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import suite from '../../package.json' with { type: 'json' }

/** What the examples import, by the name of the file that is published. */
const input = {
  index: 'mocks/index.ts',
  contract: 'contract/index.ts',
  msw: 'mocks/msw.ts',
  fixtures: 'fixtures/index.ts',
}

export interface Project {
  /** Runs a program in a folder of the project; answers its exit code and all that it said. */
  run(
    folder: string,
    program: string,
    args: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ code: number; said: string }>
  remove(): void
}

export async function createProject(): Promise<Project> {
  const home = mkdtempSync(join(tmpdir(), 'examples-'))
  for (const name of ['client', 'vitest', 'playwright'])
    cpSync(join('examples', name), join(home, name), { recursive: true })
  const modules = join(home, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync('node_modules'))
    if (!name.startsWith('.vite')) symlinkSync(resolve('node_modules', name), join(modules, name))
  await publish(join(modules, suite.name))
  return {
    async run(folder, program, args, env = {}) {
      const child = spawn(program, args, { cwd: join(home, folder), env: { ...process.env, ...env } })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
      const [code] = await once(child, 'close')
      return { code, said }
    },
    remove: () => rmSync(home, { recursive: true }),
  }
}

/** Puts the package where it is imported from, bundled; what it needs it finds beside it. */
async function publish(folder: string): Promise<void> {
  const needed = Object.keys({ ...suite.dependencies, ...suite.peerDependencies })
  const build = await rolldown({
    input,
    platform: 'node',
    external: (id) =>
      id.startsWith('node:') || needed.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  await build.write({ dir: join(folder, 'dist'), format: 'esm', entryFileNames: '[name].js' })
  await build.close()
  writeFileSync(join(folder, 'package.json'), JSON.stringify(suite))
}
