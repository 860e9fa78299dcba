/** Other versions of Node from the npm registry, cached in `node_modules/.cache`. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { startProgram } from '#cli/testing/run.ts'
import { isWhole } from '#mocks/testing/sample.ts'

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

export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Variables that npm and vitest set for their child processes. */
const inherited =
  /^(npm_(lifecycle|package|command|execpath|node_execpath|config_local_prefix)|INIT_CWD|NODE_(?!EXTRA_CA_CERTS)|FORCE_COLOR|VITEST|WORK_AGENT)/

/** The environment in which `node`, `npm` and `npx` belong to a given Node. */
function envOn(node: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !inherited.test(name))
  return {
    ...Object.fromEntries(kept),
    NO_COLOR: '1',
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  }
}

/** Does not throw for an exit code: callers check it. */
export function run(node: string, cwd: string, command: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env: envOn(node), timeout: 120_000 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error)
      else resolve({ status: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

/** @throws Error with the output of the command, if it fails. */
export async function runWell(
  node: string,
  cwd: string,
  command: string,
  ...args: string[]
): Promise<string> {
  const { status, stdout, stderr } = await run(node, cwd, command, ...args)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${stderr}${stdout}`)
  return stdout
}

/** The installed command: by `npx`, or in the gate what that starts. */
export const commandOf = (project: string): [program: string, ...args: string[]] =>
  isWhole ? ['npx', 'work-agent-contract'] : [join(project, 'node_modules/.bin/work-agent-contract')]

/** @throws Error with the output of the mock, if it ends before it listens. */
export function startMock(node: string, project: string) {
  const [program, ...args] = commandOf(project)
  const flags = ['mock', '--port', '0', '--log', 'json']
  return startProgram(program, [...args, ...flags], { cwd: project, env: envOn(node) })
}
