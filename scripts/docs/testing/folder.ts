/** Temporary folders in which the commands and the code of the pages run, so that the repository stays unchanged. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import suite from '../../../package.json' with { type: 'json' }
import { entries } from '../../package/bundle.ts'

export const repository = process.cwd()

/** A clone, made of links to everything in the repository. */
export function cloneFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'))
  for (const name of readdirSync(repository).filter((one) => one !== '.git'))
    symlinkSync(join(repository, name), join(folder, name))
  return folder
}

/** The source file of each export of the package. */
export const sources: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entries).map(([name, file]) => [name === 'index' ? '.' : `./${name}`, file]),
)

/**
 * A user's project, with the package and its peers installed: as it is published, with the types of a copy of the
 * repository.
 */
export function projectFolder(): { folder: string; copy: string } {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'))
  const copy = join(folder, 'copy')
  const layers = 'contract traffic reporting client-tests contract-tests fixtures proof mocks'
  for (const name of [...layers.split(' '), 'package.json'])
    cpSync(name, join(copy, name), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  const home = join(folder, 'node_modules/work-agent-contract')
  mkdirSync(home, { recursive: true })
  for (const name of readdirSync('node_modules'))
    symlinkSync(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
  symlinkSync(copy, join(home, 'sources'))
  symlinkSync(join(inject('built'), 'dist'), join(home, 'dist'))
  const exports = Object.fromEntries(
    Object.entries(sources).map(([name, file]) => [
      name,
      { types: `./sources/${file}`, default: suite.exports[name as keyof typeof suite.exports] },
    ]),
  )
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', exports }))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  return { folder, copy }
}
