/** Calls of the command line in this process, for tests that are not about the process: no start, and warm code. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { runCommand } from '../commands.ts'

interface Output {
  out: string
  err: string
}

const outputs = new AsyncLocalStorage<Output>()

/** Collects what calls print; everything else goes where it went before. Calls may overlap. */
function collect(stream: NodeJS.WriteStream, part: keyof Output): void {
  const write = stream.write
  stream.write = function (this: NodeJS.WriteStream, ...given: Parameters<typeof write>) {
    const output = outputs.getStore()
    if (output === undefined) return write.apply(this, given)
    output[part] += given[0]
    return true
  } as typeof write
}

collect(process.stdout, 'out')
collect(process.stderr, 'err')

/** The arguments of a command line: as a list, or as one text if none of them contains a space. */
export type CliCall = string | readonly string[]

/** Splits the arguments of a command line into a list. */
export const argumentsOfCall = (call: CliCall) =>
  typeof call === 'string' ? call.split(/\s+/).filter(Boolean) : call

/** The environment variables of this process, without those of the commands, npm and CI jobs. */
export const environmentForTests = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:WORK_AGENT_|GITHUB_|npm_)/.test(name)),
)

/** Runs `act`, and returns its exit code (default 0) with what it printed; `act` can read what was printed so far. */
export async function captureOutput(act: (output: Readonly<Output>) => Promise<number | undefined> | number) {
  const output = { out: '', err: '' }
  const code = await outputs.run(output, () => act(output))
  return { code: code ?? 0, ...output }
}

/**
 * Runs a command line such as `verify --list` in this process until it ends. `env`: variables in addition to
 * `environmentForTests`.
 */
export const runCliInProcess = (call: CliCall, env: NodeJS.ProcessEnv = {}) =>
  captureOutput(() => runCommand(argumentsOfCall(call), { ...environmentForTests, ...env }))
