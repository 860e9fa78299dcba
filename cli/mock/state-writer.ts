/**
 * Writes the state of a mock to a file while it serves: what changed is added at the end, a little at a time, so that no
 * request waits. A file that has grown far beyond the state is replaced by one that begins anew.
 */
import fs from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { takeSnapshot } from '#mocks/control/snapshot.ts'
import { StateLog } from '#mocks/control/state-log.ts'
import type { Service } from '#mocks/pipeline/service.ts'
import { draftOf, write } from '../files.ts'
import { tell } from '../screen.ts'

/** Time for which lines are made before requests have their turn, ms; and the length of a text, characters. */
const slice = 4
const longest = 1 << 18

/** Time until what could not be written is tried again, ms. */
const again = 1_000

/** A file may grow by so much, and to so many times its size, before it is replaced; bytes. */
const growth = { by: 16 << 20, times: 2 }

export class StateWriter {
  readonly #service: Service
  readonly #name: string
  /** Undefined: there is no file yet. */
  #current: LogFile | undefined
  /** What will replace it, and holds everything up to a moment ago. */
  #next: LogFile | undefined
  readonly #logs = new Set<StateLog>()
  #isReplacing = false
  /** Size at which the file is replaced. */
  #limit = 0
  #writing: Promise<void> | undefined
  /** Whether something changed while it was written. */
  #isStale = false
  #problem: string | undefined
  /** Resolved at the end of the next round of writing. */
  #round = Promise.withResolvers<void>()

  /** If the file exists, it holds the state of the mock. @throws Error of the system if it cannot be opened. */
  constructor(service: Service, name: string) {
    this.#service = service
    this.#name = name
    if (fs.existsSync(name)) this.#use(new LogFile(this.#log(true), name, false))
  }

  /** Notes that a control call may have changed anything. */
  controlled(): void {
    for (const log of this.#logs) log.controlled()
  }

  /** Writes what has changed. What cannot be written is reported once, and tried again until it can. */
  async write(): Promise<void> {
    this.#isStale = true
    this.#writing ??= this.#writeWhileStale()
    await this.#writing
  }

  /** The same, and ends once everything up to now is written, or could not be. */
  async writeUpToNow(): Promise<void> {
    const { promise } = this.#round
    void this.write()
    await promise
  }

  /** Adds what changed last, then replaces the file by a snapshot, for the end of the process; false: the former failed. */
  finish(): boolean {
    let isKept = false
    try {
      // First, since what follows takes longer, and more space.
      if (this.#check()) isKept = this.#current?.finish() ?? false
    } catch {
      // A snapshot may work where adding does not.
    }
    try {
      this.#check()
      fs.rmSync(draftOf(this.#name), { force: true })
      write(this.#name, `${JSON.stringify(takeSnapshot(this.#service))}\n`, 0o600)
      return true
    } catch (error) {
      if (!isKept) tell('mock', `${messageOf(error, this.#name)}; what changed last is lost`)
      return isKept
    }
  }

  async #writeWhileStale(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      const round = this.#round
      this.#round = Promise.withResolvers()
      try {
        await this.#writeOnce()
        if (this.#problem !== undefined) tell('mock', `the state is kept in ${this.#name} again`)
        this.#problem = undefined
        round.resolve()
      } catch (error) {
        this.#report(error)
        round.resolve()
        this.#isStale = true
        await setTimeout(again, undefined, { ref: false })
      }
    }
    this.#writing = undefined
  }

  async #writeOnce(): Promise<void> {
    if (!this.#check()) this.#next ??= await this.#replacement()
    if (this.#next) await this.#replace(this.#next)
    const current = this.#current
    if (!current) return
    await current.add()
    current.flush().catch((error) => this.#report(error))
    if (current.size > this.#limit && !this.#isReplacing) void this.#prepare()
  }

  /** Returns whether the file is there. @throws Error if it is not what this process wrote. */
  #check(): boolean {
    const isOwn = this.#current
      ? this.#current.isAt(this.#name)
      : fs.existsSync(this.#name)
        ? false
        : undefined
    if (isOwn === false) throw new Error(`another process has written ${this.#name}`)
    return isOwn === true
  }

  /** Prepares a file that begins anew while the current one is added to; if there is no space for it, later. */
  async #prepare(): Promise<void> {
    this.#isReplacing = true
    try {
      this.#next = await this.#replacement()
      await this.write()
    } catch {
      this.#limit *= growth.times
    }
    this.#isReplacing = false
  }

  async #replacement(): Promise<LogFile> {
    const draft = draftOf(this.#name)
    fs.rmSync(draft, { force: true })
    const next = new LogFile(this.#log(false), draft, true)
    try {
      await next.begin()
      // The first file is there soon; one that replaces another is on the disk before.
      if (this.#current) await next.flush()
      return next
    } catch (error) {
      await this.#discard(next)
      fs.rmSync(draft, { force: true })
      throw error
    }
  }

  async #replace(next: LogFile): Promise<void> {
    this.#next = undefined
    const last = this.#current
    try {
      await next.add()
      fs.renameSync(draftOf(this.#name), this.#name)
    } catch (error) {
      await this.#discard(next)
      if (last) return
      throw error
    }
    this.#use(next)
    // Not awaited, since the system may still be writing it to the disk.
    if (last) void this.#discard(last)
  }

  #use(file: LogFile): void {
    this.#current = file
    const { size } = file
    this.#limit = Math.max(size * growth.times, size + growth.by)
  }

  #log(known: boolean): StateLog {
    const log = new StateLog(this.#service, known)
    this.#logs.add(log)
    return log
  }

  async #discard(file: LogFile): Promise<void> {
    this.#logs.delete(file.log)
    await file.close()
  }

  #report(error: unknown): void {
    const problem = messageOf(error, this.#name)
    if (problem !== this.#problem) tell('mock', `${problem}; the state is not kept`)
    this.#problem = problem
  }
}

function messageOf(error: unknown, name: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? message : `cannot write ${name}: ${code}`
}

const [writeAt, synchronize] = [promisify(fs.write), promisify(fs.fdatasync)]

/** Only its owner may read it: it holds the secrets of keys. */
const mode = 0o600

/** A file to which the changes of a log are added. */
class LogFile {
  readonly log: StateLog
  readonly #fd: number
  readonly #inode: string
  /** Number of bytes that were written whole. */
  size: number
  /** Whether there may be more behind them. */
  #isTorn = false
  #synchronizing: Promise<void> | undefined
  /** Changes that are being written, and the text that was not written yet. */
  #lines: Iterator<string> | undefined
  #text = ''

  /** `isNew`: the file is created or emptied; else changes are added to what it holds. @throws Error of the system. */
  constructor(log: StateLog, file: string, isNew: boolean) {
    this.log = log
    const { O_RDWR, O_CREAT, O_TRUNC } = fs.constants
    this.#fd = fs.openSync(file, isNew ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, mode)
    fs.fchmodSync(this.#fd, mode)
    const found = fs.fstatSync(this.#fd)
    this.#inode = inodeOf(found)
    this.size = found.size
  }

  /** Writes everything up to now into a new file. */
  async begin(): Promise<void> {
    this.#text = this.log.head()
    await this.add()
  }

  /** Adds all changes up to now; begins where an earlier call failed. */
  async add(): Promise<void> {
    if (this.#lines || this.#text !== '') await this.#addRest()
    this.#lines = this.log.changes()
    await this.#addRest()
  }

  async #addRest(): Promise<void> {
    while (this.#lines || this.#text !== '') {
      if (this.#text === '') this.#text = this.#take(slice)
      if (this.#text === '') await setImmediate()
      else await this.#append(Buffer.from(this.#text))
      this.#text = ''
    }
  }

  /** Adds them at once, for the end of the process. @throws Error if they cannot be written. */
  finish(): boolean {
    this.#appendNow(this.#text + this.#take(Number.POSITIVE_INFINITY))
    this.#lines = this.log.changes()
    this.#appendNow(this.#take(Number.POSITIVE_INFINITY))
    return true
  }

  /** Takes lines for so long, ms; those that are left stay. */
  #take(time: number): string {
    const end = performance.now() + time
    let text = ''
    while (this.#lines && performance.now() < end && (text.length < longest || time > slice)) {
      const { value, done } = this.#lines.next()
      if (done) this.#lines = undefined
      else text += value
    }
    return text
  }

  /** Without blocking. */
  async #append(bytes: Buffer): Promise<void> {
    this.#isTorn = true
    for (let done = 0; done < bytes.length; )
      done += (await writeAt(this.#fd, bytes, done, bytes.length - done, this.size + done)).bytesWritten
    this.size += bytes.length
    this.#isTorn = false
  }

  /** What `#append` is writing must be the start of the text. */
  #appendNow(text: string): void {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; )
      done += fs.writeSync(this.#fd, bytes, done, bytes.length - done, this.size + done)
    this.size += bytes.length
  }

  /** Has the system write it to the disk; one such call at a time. */
  async flush(): Promise<void> {
    this.#synchronizing ??= synchronize(this.#fd).finally(() => {
      this.#synchronizing = undefined
    })
    await this.#synchronizing
  }

  /** Whether a name still leads to this file, and it is as it was left; undefined: there is no such file. */
  isAt(name: string): boolean | undefined {
    const found = fs.statSync(name, { throwIfNoEntry: false })
    if (!found) return undefined
    const isAsLeft = found.size === this.size || (this.#isTorn && found.size > this.size)
    return inodeOf(found) === this.#inode && isAsLeft
  }

  async close(): Promise<void> {
    this.log.close()
    await this.#synchronizing?.catch(() => 'closed in any case')
    fs.close(this.#fd)
  }
}

const inodeOf = ({ dev, ino }: { dev: number; ino: number }) => `${dev} ${ino}`
