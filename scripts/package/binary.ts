/**
 * `npm run binary [-- FILE]`: one executable file for this platform, with Node inside (Node's own single-executable
 * support). It runs every command with no Node on the machine. The default FILE is
 * `dist/work-agent-contract-<platform>-<arch>`; the licences of what it contains go into `NOTICES.txt` beside it.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempDisposableSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { buildPage } from '#page/build.ts'
import suite from '../../package.json' with { type: 'json' }
import { createEmbeddedPagePlugin, licenceNoticesOf, slimCommanderPlugin } from './bundle.ts'

const suffix = process.platform === 'win32' ? '.exe' : ''
const platform = `${process.platform}-${process.arch}`

/** The package of Node holds no licence file. */
const ofNode = `Node.js ${process.versions.node}\nhttps://github.com/nodejs/node/blob/${process.version}/LICENSE`

/** Builds the executable; returns its path. @throws Error with what failed. */
export async function buildBinary(file = `dist/work-agent-contract-${platform}${suffix}`): Promise<string> {
  const output = resolve(file)
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'binary-'))
  const folder = temporary.path
  mkdirSync(dirname(output), { recursive: true })
  const main = join(folder, 'command.mjs')
  const modules = await bundle(main)
  const notices = [licenceNoticesOf(modules), '', ofNode, ''].join('\n')
  writeFileSync(join(dirname(output), 'NOTICES.txt'), notices)
  const config = join(folder, 'config.json')
  writeFileSync(
    config,
    JSON.stringify({
      main,
      mainFormat: 'module',
      executable: strippedNode(join(folder, `node${suffix}`)),
      output,
      disableExperimentalSEAWarning: true,
    }),
  )
  execFileSync(process.execPath, ['--build-sea', config], { stdio: 'pipe' })
  return output
}

/** Writes the command as one module; returns the paths of the modules in it. */
async function bundle(file: string): Promise<string[]> {
  const peers = Object.keys(suite.peerDependencies)
  const page = await buildPage()
  const build = await rolldown({
    input: 'cli/main.ts',
    platform: 'node',
    plugins: [createEmbeddedPagePlugin(page), slimCommanderPlugin],
    external: (id) =>
      id.startsWith('node:') || peers.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  const { output } = await build.write({ file, format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  return [...output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : [])), ...page.modules]
}

/** A copy of the running Node without its symbols, a fifth smaller; with them where `strip` is missing. */
function strippedNode(copy: string): string {
  copyFileSync(process.execPath, copy)
  if (process.platform === 'linux') spawnSync('strip', [copy], { stdio: 'ignore' })
  return copy
}

if (import.meta.main) {
  const file = await buildBinary(process.argv[2])
  console.log(`${file}: ${Math.round(statSync(file).size / 1e6)} MB`)
}
