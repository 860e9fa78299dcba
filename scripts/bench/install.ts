/** Installs what is measured, and the load generator, into a folder that git ignores: none becomes a dependency. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import suite from '../../package.json' with { type: 'json' }
import { folderOf, own, type Served } from './sides.ts'

/** Builds the package as it is published. */
export function build(): void {
  const target = join(folderOf(own.name), 'dist')
  execFileSync(process.execPath, ['scripts/package/build.ts', target], { stdio: 'inherit' })
}

const tools = new Map<string, unknown>()

/** Installs a package once, in a folder of its own; returns what it exports. */
export function installTool(spec: string): unknown {
  const name = spec.slice(0, spec.indexOf('@', 1))
  if (!tools.has(name)) {
    installPackages(name, [spec])
    tools.set(name, createRequire(`${folderOf(name)}/`)(name))
  }
  return tools.get(name)
}

/** Installs a side; returns its version, or that of Node. */
export function install({ name, kind, packages }: Served): string {
  if (packages) return installPackages(name, packages).join(', ')
  return kind === 'own' ? suite.version : process.version
}

/** Installs packages in the folder of this name; returns their versions. */
function installPackages(name: string, packages: readonly string[]): string[] {
  const folder = folderOf(name)
  mkdirSync(folder, { recursive: true })
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error', '--prefer-offline']
  execFileSync('npm', ['install', ...options, ...packages], { stdio: 'pipe' })
  return packages.map((spec) => {
    const installed = join(folder, 'node_modules', spec.slice(0, spec.indexOf('@', 1)), 'package.json')
    return JSON.parse(readFileSync(installed, 'utf8')).version
  })
}

/** Writes the files of a side that holds these tasks at its start; returns its folder. */
export function writeFiles({ name, files }: Served, tasks: readonly object[]): string {
  const folder = folderOf(name)
  mkdirSync(folder, { recursive: true })
  for (const [path, text] of Object.entries(files?.(JSON.stringify(tasks)) ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
