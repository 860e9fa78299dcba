/**
 * `--state FILE`: a mock that begins with the state in a file, and keeps its state there. `FILE.lock` names the process
 * that uses the file.
 */
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createMock } from '#mocks/app.ts'
import { snapshotSchema } from '#mocks/control/snapshot.ts'
import { parseStateFile } from '#mocks/control/state-log.ts'
import type { EdgeRequest } from '#mocks/edges/request.ts'
import { type Mock, mockPartsOf } from '#mocks/mock.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import {
  checkWritable,
  isOtherProcessRunning,
  readOrThrowUsageError,
  readTextFile,
  removeOrphanedTemporaryFiles,
  resolveLinkedFile,
  temporaryPathOf,
  UsageError,
  valueOrFallback,
  writeAtomically,
} from '../files.ts'
import { createStateWriter } from './state-writer.ts'

/**
 * Locks a state file for this process and creates the mock that it holds. @throws UsageError for any other content.
 */
export function lockAndLoadState(name: string, slots?: MockOptions['slots']) {
  const folder = dirname(name)
  if (!existsSync(folder)) throw new UsageError(`cannot write ${name}: there is no folder ${folder}`)
  checkWritable(name)
  const file = resolveLinkedFile(name)
  if (file === undefined) throw new UsageError(`cannot use ${name}: it is no regular file`)
  if (!existsSync(dirname(file)))
    throw new UsageError(`cannot write ${name}: it is a link, and there is no folder ${dirname(file)}`)
  takeLock(file)
  removeOrphanedTemporaryFiles(file)
  return {
    /** The file itself, if a link was named. */
    file,
    /** Undefined: the file does not exist yet. */
    mock: existsSync(file) ? restored(name, file, slots) : undefined,
  }
}

function restored(name: string, file: string, slots: MockOptions['slots']): Mock {
  const { snapshot: json, isPlain } = readOrThrowUsageError(`cannot read ${name}`, () =>
    parseStateFile(readTextFile(name)),
  )
  return readOrThrowUsageError(`cannot use ${name}`, () => {
    const checked = snapshotSchema.safeParse(json)
    if (checked.data?.of === 'organization') throw new Error('It holds one organization, not a whole mock.')
    const mock = createMock({ ...(checked.data?.options as MockOptions | undefined), slots })
    mock.restore(json as Parameters<Mock['restore']>[0])
    // A rewritten file takes further changes, and holds no organization of another slot.
    if (!isPlain || slots !== undefined) writeAtomically(file, `${JSON.stringify(mock.snapshot())}\n`, 0o600)
    return mock
  })
}

/** The mock that the listener serves; it answers only once its state has been read. */
export interface ServedMock extends Pick<Mock, 'handle'> {
  /** Writes the state when the process ends; returns whether that succeeded. Absent: the state is not saved. */
  save?(): boolean
}

/** Time from a change until it is written, ms. */
const interval = 250

/**
 * Saves the state of a mock to a file while it runs. Changes are appended shortly after a request or, with
 * `isSynchronous`, before its answer. Returns the mock to be served.
 */
export function persistState(mock: Mock, file: string, isSynchronous = false): ServedMock {
  const writer = createStateWriter(mockPartsOf(mock), file)
  let isPending = false
  const notice = async (request: EdgeRequest): Promise<void> => {
    const change = changeBy(request)
    if (change === 'none') return
    if (change === 'any') writer.controlled()
    if (isSynchronous) return writer.writeUpToNow()
    if (isPending) return
    isPending = true
    setTimeout(async () => {
      isPending = false
      await writer.write()
    }, interval).unref()
  }
  return {
    save: () => writer.finish(),
    handle(request: EdgeRequest) {
      const response = mock.handle(request)
      if (isSynchronous) return Promise.resolve(response).finally(() => notice(request))
      const changed = () => notice(request)
      if (response instanceof Promise) response.then(changed, changed)
      else void changed()
      return response
    },
  }
}

/**
 * The reach of a request's changes: the organization of its caller, anything, or nothing, as for a control route that
 * only shows.
 */
function changeBy({ method, url }: EdgeRequest): 'caller' | 'any' | 'none' {
  if (new URL(url).pathname.startsWith('/api/')) return 'caller'
  return method === 'GET' || method === 'HEAD' ? 'none' : 'any'
}

/**
 * Takes the lock of a file until this process ends. A lock whose process was killed is taken over.
 * @throws UsageError if another process has it, or if it cannot be written.
 */
function takeLock(file: string): void {
  const lock = `${file}.lock`
  const own = `${process.pid} ${startOf(process.pid)}\n`
  removeOrphanedTemporaryFiles(lock)
  while (!createLock(lock, own)) {
    const found = readLock(lock)
    if (found !== undefined && isHeld(found)) throw inUse(file, found)
    if (found !== undefined) removeStale(file, lock, found)
  }
  process.once('exit', () => {
    if (readLock(lock) === own) rmSync(lock, { force: true })
  })
}

/** Creates the lock; returns false if there is one. */
function createLock(lock: string, own: string): boolean {
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

/** Removes a stale lock. It is moved away first, so that a lock that another process has just taken is not lost. */
function removeStale(file: string, lock: string, stale: string): void {
  const moved = temporaryPathOf(lock)
  try {
    renameSync(lock, moved)
  } catch {
    return
  }
  const found = readLock(moved) ?? ''
  if (found !== stale) linkSync(moved, lock)
  rmSync(moved, { force: true })
  if (found !== stale) throw inUse(file, found)
}

const readLock = (lock: string) =>
  valueOrFallback<string | undefined>(undefined, () => readFileSync(lock, 'utf8'))

/** True if a lock belongs to a process that runs, or has no process yet, since it may still be being written. */
function isHeld(content: string): boolean {
  const [, pid, start] = /^(\d+) (\d*)\n$/.exec(content) ?? []
  if (pid === undefined) return true
  const isThis = Number(pid) === process.pid && start !== ''
  return (isThis || isOtherProcessRunning(Number(pid))) && start === startOf(Number(pid))
}

const inUse = (file: string, content: string) =>
  new UsageError(
    `cannot use ${file}: process ${content.split(' ')[0]?.trim() || 'unknown'} keeps its state there; if it does not, delete ${file}.lock`,
  )

/**
 * When a process started, in clock ticks, which tells it from an earlier process with the same id; empty: the system
 * does not say. A process that has ended but is not yet reaped has no start.
 */
function startOf(pid: number): string {
  const stat = valueOrFallback('', () => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? 'none' : (fields[18] ?? '')
}
