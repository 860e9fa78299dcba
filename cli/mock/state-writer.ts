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

/** Time for which lines are made before requests have their turn, ms; and the length of a text, characters. */
const slice = 4
const longest = 1 << 18

/** Time until what could not be written is tried again, ms. */
const again = 1_000

/** A file may grow by so much, and to so many times its size, before it is replaced; bytes. */
const growth = { by: 16 << 20, times: 2 }

/**
 * Creates the writer of a state file, which appends changes. An existing file holds the present state already. @throws
 * Error of the system if it cannot be opened.
 */
export function createStateWriter(service: MockParts, name: string) {
  const logs = new Set<StateLog>()
  const draft = temporaryPathOf(name)
  /** Undefined: there is no file yet. */
  let current: LogFile | undefined
  /** The file that will replace it, and holds everything up to a moment ago. */
  let next: LogFile | undefined
  let isReplacing = false
  /** Size at which the file is replaced. */
  let limit = 0
  let writing: Promise<void> | undefined
  /** True if something changed while it was written. */
  let isStale = false
  let problem: string | undefined
  /** Resolved at the end of the next round of writing. */
  let round = Promise.withResolvers<void>()

  /** Writes what has changed. What cannot be written is reported once, and tried again until it can. */
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

  /** Returns whether the file is there. @throws Error if it is not what this process wrote. */
  function isThere(): boolean {
    const isOwn = current ? current.isAt(name) : fs.existsSync(name) ? false : undefined
    if (isOwn === false) throw new Error(`another process has written ${name}`)
    return isOwn === true
  }

  /** Prepares a file that begins anew while the current one is added to; if there is no space for it, later. */
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
      // The first file is there soon; one that replaces another is on the disk before.
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
    /** Writes the changes, and ends once everything up to now is written, or could not be. */
    async writeUpToNow(): Promise<void> {
      const { promise } = round
      void write()
      await promise
    },
    /** Notes that a control call may have changed anything. */
    controlled(): void {
      for (const log of logs) log.controlled()
    },
    /** Adds what changed last, then replaces the file by a snapshot, for the end of the process; false: the former failed. */
    finish(): boolean {
      let isKept = false
      try {
        // First, since what follows takes longer, and more space.
        if (isThere()) isKept = current?.finish() ?? false
      } catch {
        // A snapshot may work where adding does not.
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

/** Only its owner may read it: it holds the secrets of keys. */
const mode = 0o600

type LogFile = ReturnType<typeof openLog>

/**
 * Opens a file to which the changes of a log are added. `isNew`: it is created or emptied; else they are added to what it
 * holds. @throws Error of the system.
 */
function openLog(file: string, log: StateLog, isNew: boolean) {
  const { O_RDWR, O_CREAT, O_TRUNC } = fs.constants
  const fd = fs.openSync(file, isNew ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, mode)
  fs.fchmodSync(fd, mode)
  const opened = fs.fstatSync(fd)
  /** Number of bytes that were written whole. */
  let { size } = opened
  /** True if there may be more behind them. */
  let isTorn = false
  let synchronizing: Promise<void> | undefined
  /** Changes that are being written, and the text that was not written yet. */
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

  /** Takes lines for so long, ms; those that are left stay. */
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

  /** Without blocking. */
  async function append(bytes: Buffer): Promise<void> {
    isTorn = true
    for (let done = 0; done < bytes.length; )
      done += (await writeAt(fd, bytes, done, bytes.length - done, size + done)).bytesWritten
    size += bytes.length
    isTorn = false
  }

  /** The text must begin with what `append` is writing. */
  function appendNow(rest: string): void {
    const bytes = Buffer.from(rest)
    for (let done = 0; done < bytes.length; )
      done += fs.writeSync(fd, bytes, done, bytes.length - done, size + done)
    size += bytes.length
  }

  /** Adds all changes up to now; begins where an earlier call failed. */
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
    /** Adds them at once, for the end of the process. @throws Error if they cannot be written. */
    finish(): boolean {
      appendNow(text + take(Number.POSITIVE_INFINITY))
      lines = log.changes()
      appendNow(take(Number.POSITIVE_INFINITY))
      return true
    },
    /** Has the system write it to the disk; one such call at a time. */
    async flush(): Promise<void> {
      synchronizing ??= synchronize(fd).finally(() => {
        synchronizing = undefined
      })
      await synchronizing
    },
    /** True if a name still leads to this file, and it is as it was left; undefined: there is no such file. */
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
