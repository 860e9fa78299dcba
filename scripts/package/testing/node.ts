/** Other versions of Node from the npm registry, cached in `node_modules/.cache`. */
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { expect } from 'vitest'
import { startProcess, startProcessUntilReady } from '#cli/testing/run.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'

/**
 * Installs a version of Node such as `22.19.0`, or the newest of a major such as `24`; returns the path of its binary.
 * The running Node is used for its own major.
 */
export async function installNodeVersion(version: string): Promise<string> {
  if (process.versions.node.split('.')[0] === version) return process.execPath
  const cache = resolve('node_modules/.cache/nodes')
  const name = `node-${process.platform}-${process.arch}`
  const home = join(cache, version)
  const binary = join(home, 'node_modules', name, 'bin/node')
  if (existsSync(binary)) return binary
  mkdirSync(home, { recursive: true })
  await runOnNodeOrThrow(
    process.execPath,
    home,
    'npm',
    'install',
    ...npmFlags,
    '--prefix',
    '.',
    `${name}@${version}`,
  )
  return binary
}

/** Flags for npm: it prefers its cache, installs packages and nothing else, and does not retry for long. */
export const npmFlags = [
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
] as const

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

/**
 * Runs a command with a given Node; returns its exit code and output. Does not throw for an exit code, which callers
 * check.
 */
export async function runOnNode(node: string, cwd: string, command: string, ...args: string[]) {
  const { child, output } = startProcess(command, args, { cwd, env: envOn(node), timeout: 120_000 })
  const [status] = await once(child, 'close')
  return { status, stdout: output.out, stderr: output.err }
}

/**
 * Runs a command with a given Node; returns its standard output. @throws Error with the output of the command, if it
 * fails.
 */
export async function runOnNodeOrThrow(
  node: string,
  cwd: string,
  command: string,
  ...args: string[]
): Promise<string> {
  const { status, stdout, stderr } = await runOnNode(node, cwd, command, ...args)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${stderr}${stdout}`)
  return stdout
}

/** The command line that runs the installed command: by `npx` or, in the gate, directly. */
export const installedCommandOf = (project: string): [program: string, ...args: string[]] =>
  isExhaustiveTestRun
    ? ['npx', 'work-agent-contract']
    : [join(project, 'node_modules/.bin/work-agent-contract')]

/** Starts the installed mock with a given Node. @throws Error with its output, if it ends before it listens. */
export function startInstalledMock(node: string, project: string) {
  const [program, ...args] = installedCommandOf(project)
  const flags = ['mock', '--port', '0', '--log', 'json']
  return startProcessUntilReady(program, [...args, ...flags], { cwd: project, env: envOn(node) })
}

/** Asserts that a mock answers requests and serves its page whole. */
export async function expectMockAndPageServed({
  url,
  api_key,
}: {
  url: string
  api_key: string
}): Promise<void> {
  const headers = { authorization: `Bearer ${api_key}`, accept: 'text/html' }
  const answer = await fetch(`${url}/api/cli/whoami`, { headers })
  expect(await answer.json()).toMatchObject({ credits: 25 })
  expect(await (await fetch(url, { headers })).text()).toContain('src="/__page/page.js"')
  for (const [file, type] of Object.entries({ 'page.js': 'text/javascript', 'page.css': 'text/css' })) {
    const part = await fetch(`${url}/__page/${file}`)
    expect([part.status, part.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`])
    expect((await part.text()).length).toBeGreaterThan(5_000)
  }
}
