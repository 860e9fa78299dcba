/** The tarball of `npm pack`, and projects that install it. */
import fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { lockedRuntimePackages } from '../sbom.ts'
import { npmFlags, runOnNodeOrThrow } from './node.ts'

const own = 'work-agent-contract'
const left = ['node_modules', 'dist', '.git', '.bench']

/**
 * Packs a copy of the working tree as npm would publish it, so that its own `dist` stays as it is; returns the path of
 * the tarball. `dist`: one that is built already.
 */
export async function packWorkingTree(folder: string, dist?: string): Promise<string> {
  const copy = join(folder, 'copy')
  fs.cpSync('.', copy, { recursive: true, filter: (path) => !left.includes(path) })
  fs.symlinkSync(resolve('node_modules'), join(copy, 'node_modules'), 'junction')
  if (dist !== undefined) fs.cpSync(dist, join(copy, 'dist'), { recursive: true })
  const scripts = dist === undefined ? [] : ['--ignore-scripts']
  await runOnNodeOrThrow(process.execPath, copy, 'npm', 'pack', '--pack-destination', folder, ...scripts)
  const [file] = fs.readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  if (file === undefined) throw new Error('npm pack made no tarball')
  return join(folder, file)
}

/** Installs the tarball into a new, empty project, with a given Node. */
export async function installTarball(tarball: string, project: string, node: string): Promise<void> {
  fs.mkdirSync(project)
  fs.writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  await runOnNodeOrThrow(node, project, 'npm', 'install', ...npmFlags, tarball)
}

/**
 * Unpacks the tarball into a new project, as `install` would but without npm, with links to the locked dependencies,
 * whose thousands of files take longer to copy than all tests.
 */
export async function unpackTarball(tarball: string, project: string): Promise<void> {
  const home = join(project, 'node_modules', own)
  fs.mkdirSync(home, { recursive: true })
  fs.writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  await runOnNodeOrThrow(
    process.execPath,
    project,
    'tar',
    '-xzf',
    tarball,
    '-C',
    home,
    '--strip-components=1',
  )
  for (const name of lockedRuntimePackages().keys()) link(name, project)
  fs.mkdirSync(join(project, 'node_modules/.bin'))
  fs.chmodSync(join(home, manifest.bin[own]), 0o755)
  fs.symlinkSync(join('..', own, manifest.bin[own]), join(project, 'node_modules/.bin', own))
}

/** Links a package, or a scope with all of its packages, into a project. */
function link(name: string, project: string, from = 'node_modules'): void {
  const to = join(project, 'node_modules', name)
  fs.mkdirSync(dirname(to), { recursive: true })
  fs.symlinkSync(resolve(from, name), to, 'junction')
}

/** Creates a second project like the first, with more packages linked from this repository. */
export function createProjectWithPackages(first: string, project: string, ...more: string[]): void {
  const modules = join(project, 'node_modules')
  fs.mkdirSync(modules, { recursive: true })
  fs.cpSync(join(first, 'package.json'), join(project, 'package.json'))
  // Copied, because Node resolves the peers of a link from its target.
  fs.cpSync(join(first, 'node_modules', own), join(modules, own), { recursive: true })
  const installed = join(first, 'node_modules')
  for (const name of fs.readdirSync(installed)) {
    if (name !== own && !name.startsWith('.')) link(name, project, installed)
  }
  for (const name of more) link(name, project)
}

/** The paths of the files of this package that are installed in a project. */
export function installedPackageFilesOf(project: string): string[] {
  const home = join(project, 'node_modules', own)
  return filesIn(home).map((file) => file.slice(home.length + 1).replaceAll('\\', '/'))
}

/** Lists the packages that installing this one added to a project, with their total size, MB. */
export function addedPackages(project: string): { packages: string[]; megabytes: number } {
  const modules = join(project, 'node_modules')
  const packages = fs
    .globSync('{*,@*/*}/package.json', { cwd: modules })
    .map((file) => join(modules, file, '..'))
  const bytes = packages
    .flatMap((home) => filesIn(home))
    .reduce((sum, file) => sum + fs.statSync(file).size, 0)
  return { packages, megabytes: bytes / 1e6 }
}

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && basename(entry.parentPath) !== '.bin')
    .map((entry) => join(entry.parentPath, entry.name))
}
