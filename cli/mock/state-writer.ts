/**
 * Writes the state of a mock to a file while it serves: what changed is added at the end, a little at a time, so that no
 * request waits. A file that has grown far beyond the state is replaced by one that begins anew.
 */
import fs from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { takeSnapshot } from '#mocks/control/snapshot.ts'
import { createStateLog, type StateLog } from '#mocks/control/state-log.ts'
import type { MockParts } from '#mocks/pipeline/service.ts'
import { temporaryPathOf, writeAtomically } from '../files.ts'
import { logError } from '../screen.ts'

/** Longest time for which lines are made before requests have their turn, ms; and longest text of them, characters. */
const slice = 4
const longest = 1 << 18

/** Time until a failed write is tried again, ms. */
const again = 1_000

/** A file is replaced once it has grown by so many bytes, and to so many times its size. */
const growth = { by: 16 << 20, times: 2 }

/**
 * Creates the writer that appends changes to a state file. An existing file must hold the present state already.
 * @throws Error of the file system if it cannot be opened.
 */
export function createStateWriter(service: MockParts, name: string) {
  const logs = new Set<StateLog>()
  const draft = temporaryPathOf(name)
  /** The file that changes are appended to; undefined if there is none yet. */
  let current: LogFile | undefined
  /** The file that will replace it, and holds everything up to a moment ago. */
  let next: LogFile | undefined
  let isReplacing = false
  /** Size at which the current file is replaced, bytes. */
  let limit = 0
  let writing: Promise<void> | undefined
  /** True if there are changes that the current round of writing does not include. */
  let isStale = false
  let problem: string | undefined
  /** Resolved at the end of the next round of writing. */
  let round = Promise.withResolvers<void>()

  /** Writes all changes. A failure is reported once, and the write is tried again until it succeeds. */
  async function write(): Promise<void> {
    isStale = true
    writing ??= writeWhileStale()
    await writing
  }

  async function writeWhileStale(): Promise<void> {
    while (isStale) {
      isStale = false
      const { resolve } = round
      round = Promise.withResolvers()
      try {
        await writeOnce()
        if (problem !== undefined) logError('mock', `the state is kept in ${name} again`)
        problem = undefined
        resolve()
      } catch (error) {
        report(error)
        resolve()
        isStale = true
        await setTimeout(again, undefined, { ref: false })
      }
    }
    writing = undefined
  }

  async function writeOnce(): Promise<void> {
    if (!isThere()) next ??= await replacement()
    if (next) await replaceBy(next)
    const file = current
    if (!file) return
    await file.add()
    file.flush().catch(report)
    if (file.size() > limit && !isReplacing) void prepare()
  }

  /** Returns whether the file exists. @throws Error if it is not as this process left it. */
  function isThere(): boolean {
    const isOwn = current ? current.isAt(name) : fs.existsSync(name) ? false : undefined
    if (isOwn === false) throw new Error(`another process has written ${name}`)
    return isOwn === true
  }

  /** Prepares a new file while the current one is still appended to; without space for it, tries again later. */
  async function prepare(): Promise<void> {
    isReplacing = true
    try {
      next = await replacement()
      await write()
    } catch {
      limit *= growth.times
    }
    isReplacing = false
  }

  async function replacement(): Promise<LogFile> {
    fs.rmSync(draft, { force: true })
    const file = openLog(draft, follow(false), true)
    try {
      await file.begin()
      // The first file has to be there soon; one that replaces another is first flushed to the disk.
      if (current) await file.flush()
      return file
    } catch (error) {
      await discard(file)
      fs.rmSync(draft, { force: true })
      throw error
    }
  }

  async function replaceBy(file: LogFile): Promise<void> {
    next = undefined
    const last = current
    try {
      await file.add()
      fs.renameSync(draft, name)
    } catch (error) {
      await discard(file)
      if (last) return
      throw error
    }
    use(file)
    // Not awaited, since the system may still be writing it to the disk.
    if (last) void discard(last)
  }

  function use(file: LogFile): void {
    current = file
    limit = Math.max(file.size() * growth.times, file.size() + growth.by)
  }

  function follow(known: boolean): StateLog {
    const log = createStateLog(service, known)
    logs.add(log)
    return log
  }

  async function discard(file: LogFile): Promise<void> {
    logs.delete(file.log)
    await file.close()
  }

  function report(error: unknown): void {
    const message = messageOf(error, name)
    if (message !== problem) logError('mock', `${message}; the state is not kept`)
    problem = message
  }

  if (fs.existsSync(name)) use(openLog(name, follow(true), false))
  return {
    write,
    /** Writes everything up to now; returns once that succeeded or failed. */
    async writeUpToNow(): Promise<void> {
      const { promise } = round
      void write()
      await promise
    },
    /** Notes that a control call may have changed anything. */
    controlled(): void {
      for (const log of logs) log.controlled()
    },
    /**
     * For the end of the process: appends the last changes, then replaces the file by a snapshot. False: neither
     * succeeded.
     */
    finish(): boolean {
      let isKept = false
      try {
        // Appended first: a snapshot takes longer and needs more space.
        if (isThere()) isKept = current?.finish() ?? false
      } catch {
        // A snapshot may succeed where appending does not.
      }
      try {
        isThere()
        fs.rmSync(draft, { force: true })
        writeAtomically(name, `${JSON.stringify(takeSnapshot(service))}\n`, mode)
        return true
      } catch (error) {
        if (!isKept) logError('mock', `${messageOf(error, name)}; what changed last is lost`)
        return isKept
      }
    },
  }
}

function messageOf(error: unknown, name: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? message : `cannot write ${name}: ${code}`
}

const [writeAt, synchronize] = [promisify(fs.write), promisify(fs.fdatasync)]

/** Permissions of a state file: its owner alone, since it holds the secrets of keys. */
const mode = 0o600

type LogFile = ReturnType<typeof openLog>

/**
 * Opens a file to which the changes of a log are appended. `isNew`: it is created or emptied first. @throws Error of
 * the system.
 */
function openLog(file: string, log: StateLog, isNew: boolean) {
  const { O_RDWR, O_CREAT, O_TRUNC } = fs.constants
  const fd = fs.openSync(file, isNew ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, mode)
  fs.fchmodSync(fd, mode)
  const opened = fs.fstatSync(fd)
  /** Number of bytes that were written whole. */
  let { size } = opened
  /** True if bytes behind `size` may have been written. */
  let isTorn = false
  let synchronizing: Promise<void> | undefined
  /** The changes that are being written, and text of them that is not yet written. */
  let lines: Iterator<string> | undefined
  let text = ''

  async function addRest(): Promise<void> {
    while (lines || text !== '') {
      if (text === '') text = take(slice)
      if (text === '') await setImmediate()
      else await append(Buffer.from(text))
      text = ''
    }
  }

  /** Takes lines for at most `time` ms; the rest stays for later. */
  function take(time: number): string {
    const end = performance.now() + time
    let taken = ''
    while (lines && performance.now() < end && (taken.length < longest || time > slice)) {
      const { value, done } = lines.next()
      if (done) lines = undefined
      else taken += value
    }
    return taken
  }

  /** Appends bytes without blocking. */
  async function append(bytes: Buffer): Promise<void> {
    isTorn = true
    for (let done = 0; done < bytes.length; )
      done += (await writeAt(fd, bytes, done, bytes.length - done, size + done)).bytesWritten
    size += bytes.length
    isTorn = false
  }

  /** Appends a text at once. After a failed `append`, it must begin with the text of that call. */
  function appendNow(rest: string): void {
    const bytes = Buffer.from(rest)
    for (let done = 0; done < bytes.length; )
      done += fs.writeSync(fd, bytes, done, bytes.length - done, size + done)
    size += bytes.length
  }

  /** Appends all changes up to now, after those that an earlier call failed to append. */
  async function add(): Promise<void> {
    if (lines || text !== '') await addRest()
    lines = log.changes()
    await addRest()
  }

  return {
    log,
    size: () => size,
    add,
    /** Writes everything up to now into a new file. */
    async begin(): Promise<void> {
      text = log.head()
      await add()
    },
    /** Appends all changes at once, for the end of the process. @throws Error if they cannot be written. */
    finish(): boolean {
      appendNow(text + take(Number.POSITIVE_INFINITY))
      lines = log.changes()
      appendNow(take(Number.POSITIVE_INFINITY))
      return true
    },
    /** Flushes the file to the disk; calls at the same time share one flush. */
    async flush(): Promise<void> {
      synchronizing ??= synchronize(fd).finally(() => {
        synchronizing = undefined
      })
      await synchronizing
    },
    /** True if a name still leads to this file, and the file is as it was left; undefined: no file has the name. */
    isAt(name: string): boolean | undefined {
      const found = fs.statSync(name, { throwIfNoEntry: false })
      if (!found) return undefined
      const isAsLeft = found.size === size || (isTorn && found.size > size)
      return found.dev === opened.dev && found.ino === opened.ino && isAsLeft
    },
    async close(): Promise<void> {
      log.close()
      await synchronizing?.catch(() => 'closed in any case')
      fs.close(fd)
    },
  }
}
