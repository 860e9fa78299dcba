/** Runs the command of a client to its end, and ends every process that it started. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { UsageError } from '../flags.ts'

/** How a run of a client ended. */
export interface Ending {
  /** Undefined: the run was cut off, so unfinished work is no evidence. */
  readonly end: { readonly ok: boolean } | undefined
  /** In a few words. */
  readonly note: string
}

export interface ClientRun {
  readonly command: readonly [string, ...string[]]
  readonly env: NodeJS.ProcessEnv
  /** ms. */
  readonly timeout: number
  /** Aborts the run. */
  readonly signal: AbortSignal
  /** Discards the client's output; otherwise it goes to standard error. */
  readonly quiet: boolean
}

const windows = process.platform === 'win32'

/** @throws UsageError for a command that cannot be started. */
export async function runClient({ command, env, timeout, signal, quiet }: ClientRun): Promise<Ending> {
  const [file, ...args] = command
  const shown = quiet ? 'ignore' : 2
  // Its own process group, so that its children can be ended with it.
  const child = spawn(file, args, {
    env,
    shell: args.length === 0 && /\s/.test(file),
    detached: !windows,
    stdio: ['ignore', shown, shown],
    windowsHide: true,
  })
  let cut: string | undefined
  const hurry = () => killTree(child, 'SIGKILL')
  const timers: NodeJS.Timeout[] = []
  const cutOff = (why: string) => {
    cut = why
    killTree(child, 'SIGTERM')
    timers.push(setTimeout(hurry, grace))
  }
  timers.push(setTimeout(() => cutOff(`killed after ${timeout / 1_000} s`), timeout))
  const abort = () => {
    cutOff('interrupted')
    process.once('SIGINT', hurry)
  }
  signal.addEventListener('abort', abort, { once: true })
  process.once('exit', hurry)
  try {
    const { code, killedBy } = await ended(child, file)
    if (cut !== undefined) return { end: undefined, note: cut }
    return { end: { ok: code === 0 }, note: killedBy === null ? `exit ${code}` : `ended by ${killedBy}` }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    process.off('SIGINT', hurry).off('exit', hurry)
    hurry()
  }
}

/** Time between SIGTERM and SIGKILL, ms. */
const grace = 2_000

function ended(child: ChildProcess, file: string): Promise<{ code: number | null; killedBy: string | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(new UsageError(`cannot start ${file}: ${code ?? message}`)),
    )
    child.once('exit', (code, killedBy) => resolve({ code, killedBy }))
  })
}

/** Ends a process and its children, if any of them still run. */
function killTree({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  if (windows) return void spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
  try {
    process.kill(-pid, signal)
  } catch {
    // None of them runs any more.
  }
}
