/** Runs a command in a folder on a given Node, as a user would. */
import { execFile } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Variables that npm and vitest set for their child processes. */
const inherited =
  /^(npm_(lifecycle|package|command|execpath|node_execpath|config_local_prefix)|INIT_CWD|NODE_(?!EXTRA_CA_CERTS)|FORCE_COLOR|VITEST|WORK_AGENT)/

/** The environment in which `node`, `npm` and `npx` belong to a given Node. */
export function envOn(node: string): NodeJS.ProcessEnv {
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
