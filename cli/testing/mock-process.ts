/** The command, mostly as a child process: run to its end, or as a mock that listens until the test ends. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Ready } from '../mock/banner.ts'
import { builtCommand } from './command.ts'
import { runInProcess } from './in-process.ts'

/** The environment of this process without options of the commands and variables of CI jobs. */
export const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:WORK_AGENT_|GITHUB_)/.test(name)),
)

/** Longer than any process here runs, ms: it ends one that hangs. */
const longest = 120_000

/** A folder that is removed when the test ends. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'command-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command line that ends by itself. */
export function runCli(argv: readonly string[], env: Record<string, string> = {}, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand, ...argv], {
    env: { ...clean, ...env },
    encoding: 'utf8',
    input,
  })
  return { status, stdout, stderr }
}

/** Runs a command line in this process: one that ends before a mock listens. */
export async function runHere(argv: readonly string[], env: Record<string, string> = {}) {
  const { code, out, err } = await runInProcess(argv, { ...clean, ...env })
  return { status: code, stdout: out, stderr: err }
}

/** Starts a process and collects its output. */
export function spawnCli(argv: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [builtCommand, ...argv], {
    env: { ...clean, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longest,
    killSignal: 'SIGKILL',
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (output.out += chunk))
  child.stderr.on('data', (chunk) => (output.err += chunk))
  const ended = once(child, 'exit').then(([code, killedBy]) => ({ code, killedBy }))
  /** Sends a signal; returns how the process ended. */
  async function stop(signal: NodeJS.Signals) {
    child.kill(signal)
    return ended
  }
  return { child, output, stop, ended }
}

/** Runs a command line as a process to its end; calls `meet` with the process as soon as it starts. */
export async function runAsProcess(
  argv: readonly string[],
  env: Record<string, string> = {},
  meet: (child: ChildProcess) => void = () => undefined,
): Promise<{ code: number | null; out: string; err: string }> {
  const { child, output } = spawnCli(argv, env)
  meet(child)
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** Starts a process that is killed when the test ends. */
export function startCli(...call: Parameters<typeof spawnCli>) {
  const started = spawnCli(...call)
  onTestFinished(() => void started.child.kill('SIGKILL'))
  return started
}

/** Starts the mock on a free port and waits until it listens. */
export async function startMock(argv: string[] = [], env: Record<string, string> = {}) {
  const readyFile = join(testFolder(), 'ready.json')
  const started = startCli(['mock', '--port', '0', '--ready-file', readyFile, ...argv], env)
  const { child, output } = started
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${output.err}`)))
    child.stdout.on('data', () => {
      if (/Ctrl-C|listening/.test(output.out)) resolve()
    })
  })
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as Ready
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${ready.url}/api/cli/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${ready.api_key}`, ...init.headers },
    })
  return { ...started, ready, readyFile, ask }
}
