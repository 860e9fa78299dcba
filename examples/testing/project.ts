/** Somebody's project that has the examples in it, and the package installed as it is published. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inject } from 'vitest'
import { runProcess } from '#cli/testing/run.ts'
import suite from '../../package.json' with { type: 'json' }

/** A project in a temporary folder, with copies of the examples and the package installed. */
export interface Project {
  /** Runs a program in a folder of the project; answers its exit code and all that it said. */
  run: typeof runProcess
  remove(): void
}

/** Creates a project with copies of the examples and the package as it is published. */
export function createProject(): Project {
  const home = mkdtempSync(join(tmpdir(), 'examples-'))
  for (const name of ['client', 'vitest', 'playwright', 'pytest'])
    cpSync(join('examples', name), join(home, name), { recursive: true })
  const modules = join(home, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync('node_modules'))
    if (!name.startsWith('.vite')) symlinkSync(resolve('node_modules', name), join(modules, name))
  publish(join(modules, suite.name))
  return {
    run: (folder, ...command) => runProcess(join(home, folder), ...command),
    remove: () => rmSync(home, { recursive: true }),
  }
}

/** Puts the package where it is imported from, as it is published; what it needs it finds beside it. */
function publish(folder: string): void {
  cpSync(join(inject('built'), 'dist'), join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(suite))
}
