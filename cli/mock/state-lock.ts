/** The lock of a state file: `FILE.lock`, which names the process that keeps its state there. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { draftOf, isRunning, removeDrafts } from '../files.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Takes the lock of a file until this process ends. A lock whose process was killed is taken over.
 * @throws UsageError if another process has it, or if it cannot be written.
 */
export function takeLock(file: string): void {
  const lock = `${file}.lock`
  const own = `${process.pid} ${startOf(process.pid)}\n`
  removeDrafts(lock)
  while (!create(lock, own)) {
    const found = read(lock)
    if (found !== undefined && isHeld(found)) throw inUse(file, found)
    if (found !== undefined) removeStale(file, lock, found)
  }
  process.once('exit', () => {
    if (read(lock) === own) rmSync(lock, { force: true })
  })
}

/** Returns false if the lock is taken. */
function create(lock: string, own: string): boolean {
  try {
    writeFileSync(lock, own, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === 'ENOSPC') rmSync(lock, { force: true })
    throw new UsageError(`cannot write ${lock}: ${code}`)
  }
}

/** Moved away before it is removed, so that the lock that another process has taken meanwhile is not lost. */
function removeStale(file: string, lock: string, stale: string): void {
  const moved = draftOf(lock)
  try {
    renameSync(lock, moved)
  } catch {
    return
  }
  const found = read(moved) ?? ''
  if (found !== stale) linkSync(moved, lock)
  rmSync(moved, { force: true })
  if (found !== stale) throw inUse(file, found)
}

function read(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return undefined
  }
}

/** What names no process may be a lock that is being written. */
function isHeld(content: string): boolean {
  const [, pid, start] = /^(\d+) (\d*)\n$/.exec(content) ?? []
  if (pid === undefined) return true
  const isThis = Number(pid) === process.pid && start !== ''
  return (isThis || isRunning(Number(pid))) && start === startOf(Number(pid))
}

const inUse = (file: string, content: string) =>
  new UsageError(
    `cannot use ${file}: process ${content.split(' ')[0]?.trim() || 'unknown'} keeps its state there; if it does not, delete ${file}.lock`,
  )

/** When a process started, in ticks, which tells it from an earlier one with its id; empty: the system does not say. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
