/** The command as a child process: run to its end, or as a mock that listens until the test ends. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { testOrigin, uncheckedClientOf } from '#mocks/testing/client.ts'
import type { ConnectionInfo } from '../mock/banner.ts'
import { builtCliPath } from './command.ts'
import { createTestFolder } from './folder.ts'
import { argumentsOfCall, type CliCall, environmentForTests } from './in-process.ts'
import { startProcess } from './run.ts'

/** Longest time that a process may run, ms, so that one that hangs ends. */
const longest = 120_000

/** Starts the command line as a process. `shell`: a program that runs the words behind its own. */
function spawnCli(call: CliCall, env: NodeJS.ProcessEnv = {}, shell: readonly string[] = []) {
  const [program = '', ...words] = [...shell, process.execPath, builtCliPath, ...argumentsOfCall(call)]
  return startProcess(program, words, {
    env: { ...environmentForTests, ...env },
    timeout: longest,
    killSignal: 'SIGKILL',
  })
}

/**
 * Runs a command line as a child process until it ends. `meet`: called with the process at its start; by default it
 * closes stdin.
 */
export async function runCli(
  call: CliCall,
  env: NodeJS.ProcessEnv = {},
  meet: (child: ChildProcess) => void = ({ stdin }) => stdin?.end(),
): Promise<{ code: number | null; out: string; err: string }> {
  const { child, output } = spawnCli(call, env)
  meet(child)
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** Starts a command line as a child process, which is killed when the test ends. */
export function startCli(...call: Parameters<typeof spawnCli>) {
  const started = spawnCli(...call)
  onTestFinished(() => void started.child.kill('SIGKILL'))
  return started
}

/** Starts a command line as a child process that can write no file longer than `blocks`, as on a full disk. */
export const startOnFullDisk = (call: CliCall, blocks: number) =>
  startCli(call, {}, ['sh', '-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`])

/** Starts `mock` as a child process on a free port, with flags, and waits until it listens. */
export async function startMock(flags: CliCall) {
  const { file, json } = createTestFolder()
  const readyFile = file('ready.json')
  const started = startCli(['mock', '--port', '0', '--ready-file', readyFile, ...argumentsOfCall(flags)])
  const { child, output } = started
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${output.err}`)))
    child.stdout.on('data', () => {
      if (/Ctrl-C|listening/.test(output.out)) resolve()
    })
  })
  const ready: ConnectionInfo = json('ready.json')
  const credentials = () => ({ apiKey: ready.api_key, sessionCookie: ready.session_cookie })
  const send = (request: Request) => fetch(new Request(request.url.replace(testOrigin, ready.url), request))
  return { ...started, ready, readyFile, ...uncheckedClientOf({ fetch: send, credentials }) }
}
