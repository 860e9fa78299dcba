/** A file to whose end texts are added. A text that was not written whole is overwritten by the next one. */
import {
  close,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  openSync,
  statSync,
  write,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'

const [writeAt, synchronize] = [promisify(write), promisify(fdatasync)]

/** Only its owner may read it: it holds the secrets of keys. */
const mode = 0o600

export class LogFile {
  readonly #fd: number
  readonly #inode: string
  /** Number of bytes that were written whole. */
  size: number
  /** Whether there may be more behind them. */
  #isTorn = false
  #synchronizing: Promise<void> | undefined

  /** `isNew`: the file is created or emptied; else texts are added to what it holds. @throws Error of the system. */
  constructor(file: string, isNew: boolean) {
    const { O_RDWR, O_CREAT, O_TRUNC } = constants
    this.#fd = openSync(file, isNew ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, mode)
    fchmodSync(this.#fd, mode)
    const found = fstatSync(this.#fd)
    this.#inode = inodeOf(found)
    this.size = found.size
  }

  /** Adds a text without blocking. */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    this.#isTorn = true
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writeAt(this.#fd, bytes, done, bytes.length - done, this.size + done)
      done += bytesWritten
    }
    this.size += bytes.length
    this.#isTorn = false
  }

  /** The same at once, for the end of the process; what `append` is writing must be the start of the text. */
  appendNow(text: string): void {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#fd, bytes, done, bytes.length - done, this.size + done)
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
    const found = statSync(name, { throwIfNoEntry: false })
    if (!found) return undefined
    const isAsLeft = found.size === this.size || (this.#isTorn && found.size > this.size)
    return inodeOf(found) === this.#inode && isAsLeft
  }

  async close(): Promise<void> {
    await this.#synchronizing?.catch(() => 'closed in any case')
    close(this.#fd)
  }
}

const inodeOf = ({ dev, ino }: { dev: number; ino: number }) => `${dev} ${ino}`
