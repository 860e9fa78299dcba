/** Other versions of Node from the npm registry, cached in `node_modules/.cache`. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runWell } from './command.ts'

/**
 * The binary of a version such as `22.19.0`, or of the newest of a major such as `24`. The running Node is used for
 * its own major.
 */
export async function nodeOf(version: string): Promise<string> {
  if (process.versions.node.split('.')[0] === version) return process.execPath
  const cache = resolve('node_modules/.cache/nodes')
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const home = join(cache, version)
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const binary = join(home, 'node_modules', name, 'bin', file)
  if (existsSync(binary)) return binary
  mkdirSync(cache, { recursive: true })
  // Renamed into place, because two runs may fetch it at the same time.
  const draft = mkdtempSync(join(cache, 'draft-'))
  writeFileSync(join(draft, 'package.json'), '{ "private": true }')
  await runWell(process.execPath, draft, 'npm', 'install', ...quietly, `${name}@${version}`)
  try {
    renameSync(draft, home)
  } catch (error) {
    rmSync(draft, { recursive: true })
    if (!existsSync(binary)) throw error
  }
  return binary
}

/** How npm installs here: from its own cache if it can, nothing but the packages, and without long retries. */
export const quietly = [
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
] as const
