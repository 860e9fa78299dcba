/** The full check of the package: its sizes, then its tests on every supported Node and on an unsupported one. */
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { broughtTo, contentsOf, install, pack } from './tarball.ts'

using folder = mkdtempDisposableSync(join(tmpdir(), 'package-'))
const tarball = await pack(folder.path)
const project = join(folder.path, 'project')
await install(tarball, project, process.execPath)
const { packages, megabytes } = broughtTo(project)
const files = contentsOf(project)
console.log(
  `tarball: ${Math.round(statSync(tarball).size / 1e3)} kB, ${files.length} files; ` +
    `installed: ${packages.length} packages, ${megabytes.toFixed(1)} MB`,
)
const { status } = spawnSync(
  'vitest',
  ['run', '--mode', 'whole', '--project', 'process', 'scripts/package', '--reporter', 'verbose'],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 1
