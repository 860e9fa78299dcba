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

/** A call of the command line: its words, or one text where no word has a space. */
export type CliCall = string | readonly string[]

/** The words of a call, as an array. */
export const argumentsOfCall = (call: CliCall) =>
  typeof call === 'string' ? call.split(/\s+/).filter(Boolean) : call

/** The environment of this process without the variables of the commands, npm and CI jobs. */
export const environmentForTests = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:WORK_AGENT_|GITHUB_|npm_)/.test(name)),
)

/** The exit code that `act` returns (default 0) and what it prints; `act` can read what was printed so far. */
export async function captureOutput(act: (output: Readonly<Output>) => Promise<number | undefined> | number) {
  const output = { out: '', err: '' }
  const code = await outputs.run(output, () => act(output))
  return { code: code ?? 0, ...output }
}

/** Runs a call such as `verify --list` in this process, to its end. `env`: variables beside the clean environment. */
export const runCliInProcess = (call: CliCall, env: NodeJS.ProcessEnv = {}) =>
  captureOutput(() => runCommand(argumentsOfCall(call), { ...environmentForTests, ...env }))
