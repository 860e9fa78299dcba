/** Calls of the command line in this process, for tests that are not about the process: no start, and warm code. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { runCommand } from '../commands.ts'

/** What a call has printed. */
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

/** Runs a call such as `['verify', '--list']` to its end. */
export async function runInProcess(
  call: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' }
  const code = await outputs.run(output, () => runCommand(call, env))
  return { code: code ?? 0, ...output }
}
