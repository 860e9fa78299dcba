/** Temporary folders in which the commands and the code of the pages run, so that the repository stays unchanged. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import suite from '../../../package.json' with { type: 'json' }
import { packageEntrySources } from '../../package/bundle.ts'

/** The path of this repository. */
export const repositoryFolder = process.cwd()

/** Creates a folder that looks like a clone of the repository, made of links to its files; returns its path. */
export function createRepositoryClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'))
  for (const name of readdirSync(repositoryFolder).filter((one) => one !== '.git'))
    symlinkSync(join(repositoryFolder, name), join(folder, name))
  return folder
}

/** The source file behind each entry point of the package. */
export const sourceFileByExport: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(packageEntrySources).map(([name, file]) => [name === 'index' ? '.' : `./${name}`, file]),
)

/**
 * Creates a project like a user's, in which the package and its peers are installed: as published, with the types of a
 * copy of the repository.
 */
export function createUserProject(): { folder: string; copy: string } {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'))
  const copy = join(folder, 'copy')
  const layers = 'contract traffic reporting client-tests contract-tests fixtures proof mocks'
  for (const name of [...layers.split(' '), 'package.json'])
    cpSync(name, join(copy, name), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  const home = join(folder, 'node_modules/work-agent-contract')
  mkdirSync(home, { recursive: true })
  for (const name of readdirSync('node_modules'))
    symlinkSync(join(repositoryFolder, 'node_modules', name), join(folder, 'node_modules', name))
  symlinkSync(copy, join(home, 'sources'))
  symlinkSync(join(inject('built'), 'dist'), join(home, 'dist'))
  const exports = Object.fromEntries(
    Object.entries(sourceFileByExport).map(([name, file]) => [
      name,
      { types: `./sources/${file}`, default: suite.exports[name as keyof typeof suite.exports] },
    ]),
  )
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', exports }))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  return { folder, copy }
}
