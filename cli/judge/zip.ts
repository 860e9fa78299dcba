/** Reads the files in a zip archive, as test tools pack recordings: nothing is unpacked to the disk. */
import { createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'

/** A file in an archive. */
interface Packed {
  readonly isDeflated: boolean
  readonly size: number
  /** Where its header begins. */
  readonly offset: number
}

/** The list of files in an archive is not longer, bytes; nor is a file that is read whole. */
const [longestList, longestWhole] = [64_000_000, 16_000_000]
const [endMark, listMark, fileMark] = [0x06054b50, 0x02014b50, 0x04034b50]
const [endSize, listSize, fileSize, longestComment] = [22, 46, 30, 65_535]

export class Zip {
  readonly #file: string
  readonly #fd: number
  readonly #files: ReadonlyMap<string, Packed>

  /** @throws Error that says why it is no archive that can be read. */
  constructor(file: string) {
    this.#file = file
    this.#fd = openSync(file, 'r')
    this.#files = this.#list()
  }

  /** The names of the files. */
  get names(): readonly string[] {
    return [...this.#files.keys()]
  }

  /** The content of a file as it comes. */
  stream(name: string): Readable {
    const packed = this.#files.get(name)
    if (!packed) throw damaged()
    const start = this.#startOf(packed)
    const { size, isDeflated } = packed
    const plain = isDeflated ? createInflateRaw({ chunkSize: 1 << 18 }) : new PassThrough()
    if (size === 0) return plain.end()
    // Its errors end the reading of `plain`.
    pipeline(createReadStream(this.#file, { start, end: start + size - 1 }), plain).catch(() => undefined)
    return plain
  }

  /** The content of a small file; undefined where it is not there, too large or damaged. */
  read(name: string): Buffer | undefined {
    const packed = this.#files.get(name)
    if (!packed || packed.size > longestWhole) return undefined
    try {
      const bytes = this.#bytes(this.#startOf(packed), packed.size)
      return packed.isDeflated ? inflateRawSync(bytes, { maxOutputLength: longestWhole }) : bytes
    } catch {
      return undefined
    }
  }

  #bytes(start: number, size: number): Buffer {
    const bytes = Buffer.alloc(size)
    if (readSync(this.#fd, bytes, 0, size, start) < size) throw damaged()
    return bytes
  }

  #startOf({ offset }: Packed): number {
    const head = this.#bytes(offset, fileSize)
    if (head.readUInt32LE(0) !== fileMark) throw damaged()
    return offset + fileSize + head.readUInt16LE(26) + head.readUInt16LE(28)
  }

  #list(): Map<string, Packed> {
    const { size } = fstatSync(this.#fd)
    const tail = this.#bytes(
      Math.max(0, size - endSize - longestComment),
      Math.min(size, endSize + longestComment),
    )
    let at = tail.length - endSize
    while (at >= 0 && tail.readUInt32LE(at) !== endMark) at--
    if (at < 0) throw damaged()
    const [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
    if (length > longestList || offset + length > size) throw damaged()
    const list = this.#bytes(offset, length)
    const files = new Map<string, Packed>()
    for (let i = 0; i + listSize <= length; ) {
      const method = list.readUInt16LE(i + 10)
      if (list.readUInt32LE(i) !== listMark) throw damaged()
      const [name, extra, comment] = [28, 30, 32].map((field) => list.readUInt16LE(i + field))
      const end = i + listSize + (name ?? 0)
      if ((list.readUInt16LE(i + 8) & 1) === 0 && (method === 0 || method === 8))
        files.set(list.toString('utf8', i + listSize, end), {
          isDeflated: method === 8,
          size: list.readUInt32LE(i + 20),
          offset: list.readUInt32LE(i + 42),
        })
      i = end + (extra ?? 0) + (comment ?? 0)
    }
    return files
  }
}

const damaged = () => new Error('it is a damaged zip archive')
