/** Brings what is measured into a folder of the benchmark's own, which git ignores: nothing becomes a dependency. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Peer } from './peer.ts'

/** Where everything is installed. */
export const home = resolve('.bench')

/** The built package, as it is published. */
export const ownFolder = join(home, 'work-agent-contract')

export function folderOf(peer: Peer): string {
  return join(home, peer.name.replaceAll(/\W+/g, '-'))
}

/** Installs a peer; answers the versions that were installed, or Node's own. */
export function install(peer: Peer): string {
  const folder = folderOf(peer)
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }')
  if (peer.packages.length === 0) return process.version
  const options = ['--no-audit', '--no-fund', '--loglevel', 'error', '--prefer-offline']
  execFileSync('npm', ['install', ...options, ...peer.packages], { cwd: folder, stdio: 'pipe' })
  return peer.packages.map((spec) => versionIn(folder, spec)).join(', ')
}

/** Writes the files of a peer that holds these tasks at its start. */
export function prepare(peer: Peer, tasks: readonly object[]): void {
  for (const [name, text] of Object.entries(peer.files(JSON.stringify(tasks)))) {
    const file = join(folderOf(peer), name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Builds the package as it is published. */
export function build(): void {
  execFileSync(process.execPath, ['scripts/package/build.ts', join(ownFolder, 'dist')], { stdio: 'inherit' })
}

function versionIn(folder: string, spec: string): string {
  const name = spec.slice(0, spec.indexOf('@', 1))
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
}
