/** Programs as processes: run to their end, or started until they say that they listen; and a port for them. */
import {
  type ChildProcess,
  type SpawnOptions,
  type SpawnOptionsWithoutStdio,
  spawn,
} from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** Starts a process and collects what it prints; `stop` sends a signal, and returns how it ended. */
export function startProcess(
  program: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio = {},
) {
  const child = spawn(program, args, options)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (output.out += chunk))
  child.stderr.on('data', (chunk) => (output.err += chunk))
  const ended = once(child, 'exit').then(([code, killedBy]) => ({ code, killedBy }))
  async function stop(signal: NodeJS.Signals) {
    child.kill(signal)
    return ended
  }
  return { child, output, stop, ended }
}

/** Runs a program as a process until it ends; returns its exit code and everything that it printed. */
export async function runProcess(
  folder: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const { child, output } = startProcess(program, args, { cwd: folder, env: { ...process.env, ...env } })
  const [code] = await once(child, 'close')
  return { code, said: output.out + output.err }
}

/**
 * Starts a process and waits for its first line, which must be JSON, as that of `mock --log json` is; returns that JSON
 * too. @throws Error with what it printed if there is none.
 */
export async function startProcessUntilReady(
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let errors = ''
  child.stderr?.on('data', (chunk) => (errors += chunk))
  const { stdout } = child
  if (!stdout) throw new Error('the first line of its output is needed')
  const lines = createInterface(stdout)
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit')])
  if (typeof line !== 'string') throw new Error(`${program} ended with ${line}: ${errors}`)
  lines.close()
  stdout.resume()
  return {
    child,
    ready: JSON.parse(line),
    errors: () => errors,
    stop: (signal?: NodeJS.Signals) => stopProgram(child, signal),
    [Symbol.asyncDispose]: async () => void (await stopProgram(child)),
  }
}

/** Ends a process, which may have ended already; returns its exit code, or null if the signal ended it. */
export async function stopProgram(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}

/** A port number on which nothing listens. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
