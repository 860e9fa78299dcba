/**
 * Runs the command of a client to its end, and ends the processes that it leaves; shows its output without the key.
 * Runs many clients, several at a time.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { isStatusDelayedByCheck } from '#client-tests/history.ts'
import type { Mock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import { countWithNoun } from '#reporting/markup.ts'
import { SecretRedactor } from '#traffic/redaction.ts'
import { UsageError, valueOrFallback } from '../files.ts'
import { environmentWithoutProxy } from '../no-proxy.ts'
import type { CheckOptions } from './options.ts'

/** How a run of a client ended: whether it was killed, when, and what it printed. */
export interface ClientRunEnd {
  /**
   * True if the client ended without an error; undefined: the run was cut off, so that unfinished work is no evidence.
   */
  readonly end: { readonly ok: boolean } | undefined
  /** How it ended, in a few words. */
  readonly note: string
  /** The time after which it was killed, ms; undefined if it was not. */
  readonly killedAfter: number | undefined
  /** True if it was killed because it printed without an end. */
  readonly isFlooding: boolean
  /** The time by which refusals were delayed, ms. */
  readonly held: number
  /** Output of the client on standard output and standard error. */
  readonly output: string
}

const windows = process.platform === 'win32'

/** The part of the options that a run needs. */
type RunOptions = Pick<CheckOptions, 'command' | 'timeout'>

/** Time for which a refusal is held back, ms, and the time that certainly passed, ms: timers are inexact. */
const [hold, held] = [25, 20]

/** Wraps a mock so that refusals come later: what the client sends at the same moment then arrives first. */
const holding = ({ handle }: Pick<Mock, 'handle'>): Pick<Mock, 'handle'> => ({
  async handle(...request) {
    const answer = await handle(...request)
    if (isStatusDelayedByCheck(answer.status)) await pause(hold)
    return answer
  },
})

/**
 * Serves a mock on a free port while `use` runs; `use` gets a function that runs the client once against the mock.
 * @throws UsageError for a command that cannot be started.
 */
export async function withListeningMock<T>(
  mock: Pick<Mock, 'handle' | 'credentials'>,
  options: RunOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  use: (run: () => Promise<ClientRunEnd>) => Promise<T>,
): Promise<T> {
  const { url, close } = await listen(holding(mock))
  const access = { WORK_AGENT_BASE_URL: url, WORK_AGENT_API_KEY: mock.credentials().apiKey }
  return use(() => runClient(options, { ...environmentWithoutProxy(url, env), ...access }, signal)).finally(
    close,
  )
}

async function runClient(
  { command, timeout }: RunOptions,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ClientRunEnd> {
  const [file, ...args] = command
  // Both streams go to one file: it keeps their order, and a child process that stays does not block its reading.
  const folder = mkdtempSync(join(tmpdir(), 'check-'))
  const outputTo = openSync(join(folder, 'output.txt'), 'a+')
  // Its own process group, so that its children can be ended with it.
  const child = spawn(file, args, {
    env,
    shell: args.length === 0 && /\s/.test(file),
    detached: !windows,
    stdio: ['ignore', outputTo, outputTo],
    windowsHide: true,
  })
  let cut: string | undefined
  let killedAfter: number | undefined
  let isFlooding = false
  const hurry = () => killTree(child, 'SIGKILL')
  const timers: NodeJS.Timeout[] = []
  const cutOff = (why: string) => {
    cut = why
    killTree(child, 'SIGTERM')
    timers.push(setTimeout(hurry, grace))
  }
  const outOfTime = () => {
    killedAfter = timeout
    cutOff(`killed after ${timeout / 1_000} s`)
  }
  timers.push(setTimeout(outOfTime, timeout))
  const started = Date.now()
  const watch = setInterval(() => {
    if (cut !== undefined || fstatSync(outputTo).size <= mostOutput) return
    killedAfter = Date.now() - started
    isFlooding = true
    cutOff(`killed after it printed ${mostOutput >> 20} MB`)
  }, 100)
  const abort = () => {
    cutOff('interrupted')
    process.once('SIGINT', hurry)
  }
  signal.addEventListener('abort', abort, { once: true })
  process.once('exit', hurry)
  try {
    const { code, note, started } = await waitForCommandEnd(child, file)
    if (!started) throw new UsageError(note)
    const output = beginningOf(outputTo)
    const facts = { killedAfter, isFlooding, held, output }
    if (cut !== undefined) return { end: undefined, note: cut, ...facts }
    return { end: { ok: code === 0 }, note, ...facts }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    clearInterval(watch)
    signal.removeEventListener('abort', abort)
    process.off('SIGINT', hurry).off('exit', hurry)
    hurry()
    closeSync(outputTo)
    rmSync(folder, { recursive: true })
  }
}

/** Most output of a client, bytes: a client that prints more has a loop without a limit. */
const mostOutput = 16 << 20

/** The text in a file, up to the most that a client may print. */
function beginningOf(descriptor: number): string {
  const bytes = Buffer.alloc(Math.min(fstatSync(descriptor).size, mostOutput))
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0)).toString()
}

/** Time between SIGTERM and SIGKILL, ms. */
const grace = 2_000

/** How the process of a client ended: with an exit code or by a signal. */
export type CommandEnd = Awaited<ReturnType<typeof waitForCommandEnd>>

/**
 * Waits until a command has ended. Returns its exit code as shells report it (128 + n if signal n ended it, 127 if it
 * was not found, 126 if it cannot be run), a note, and whether it was started.
 */
export async function waitForCommandEnd(child: ChildProcess, file: string) {
  try {
    const [code, killedBy]: [number | null, NodeJS.Signals | null] = (await once(child, 'exit')) as never
    return killedBy === null
      ? { code: code ?? 1, note: `exit ${code}`, started: true }
      : { code: 128 + constants.signals[killedBy], note: `ended by ${killedBy}`, started: true }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const note = `cannot start ${file}: ${code ?? message}`
    return { code: code === 'ENOENT' ? 127 : 126, note, started: false }
  }
}

/** Ends a process and its children, if any of them still run. */
function killTree({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  if (windows) return void spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
  // The signal fails if no process of the group runs any more.
  valueOrFallback(false, () => process.kill(-pid, signal))
}

/** Longest part of the output of a run that is shown. */
const most = { lines: 200, characters: 20_000 }

/** Removes every API key from the output of a client, which may be of any length. */
export const outputWithoutKey = (output: string): string => new SecretRedactor([]).text(output)

/** The last lines of the output of a client; empty if there is none. */
export function outputTail(output: string): string {
  const lines = outputWithoutKey(output).trimEnd().split('\n')
  const last = lines.slice(-most.lines).join('\n').slice(-most.characters)
  const before = lines.length - last.split('\n').length
  return before > 0 ? `… after ${countWithNoun(before, 'line')}:\n${last}` : last
}

/** The end of a sentence about parallel work, such as `, 4 at a time`; empty for fewer than two items. */
export const jobCountPhrase = ({ length }: readonly unknown[], jobs: number): string =>
  length < 2 ? '' : `, ${Math.min(length, jobs)} at a time`

/**
 * Runs an action for each item, at most `jobs` at a time. Returns the results in the order of the items; items not
 * begun when the signal aborted are left out. `done`: called with each result, in the same order.
 */
export async function runInParallel<T, R extends object>(
  items: readonly T[],
  jobs: number,
  signal: AbortSignal,
  run: (item: T) => Promise<R>,
  done: (result: R) => void = () => undefined,
): Promise<R[]> {
  setMaxListeners(0, process, signal)
  const limit = pLimit(Math.max(1, jobs))
  const running = items.map((item) => limit(async () => (signal.aborted ? undefined : run(item))))
  const inOrder = async () => {
    for (const one of running) {
      const result = await one
      if (result) done(result)
    }
  }
  const [results] = await Promise.all([Promise.all(running), inOrder()])
  return results.filter((result) => result !== undefined)
}
