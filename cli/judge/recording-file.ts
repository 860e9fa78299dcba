/** Opens a recording, packed or not, and reads the requests in it. */
import { createReadStream, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createInflateRaw, createZstdDecompress, inflateRawSync } from 'node:zlib'
import { streamHarEntries } from '#traffic/har-stream.ts'
import { packingOf } from '#traffic/packing.ts'
import { createHarEntryMerger } from '#traffic/reconciler.ts'
import type { HarEntriesReader, RecordedExchange } from '#traffic/recording.ts'
import { readOrThrowUsageError, UsageError, valueOrFallback } from '../files.ts'

interface RecordingFile {
  readonly chunks: AsyncIterable<Buffer>
  /** The text of a history that `verify --history` wrote; undefined for a HAR. */
  readonly history?: string
  /** The content of a file with a body beside the recording; undefined if there is none. */
  attached(name: string): Buffer | undefined
}

/** Matches names of files in the folder of a recording, and no path to another folder. */
const plainName = /^(?!\.)[^/\\:\0]+$/

/** The content of a small file beside a recording; undefined if there is none. */
function contentBeside(recording: string, name: string): Buffer | undefined {
  if (!plainName.test(name)) return undefined
  const file = join(dirname(recording), name)
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() && found.size <= longestWhole ? readFileSync(file) : undefined
}

/** Longest text that fits into a string of Node, bytes. */
const longest = 500_000_000

/**
 * Opens a recording (a HAR file), which may be compressed; `-` is standard input. @throws UsageError if it cannot be
 * read.
 */
export async function openRecording(file: string): Promise<RecordingFile> {
  if (/^https?:/i.test(file))
    throw new UsageError(`${file} is an address: save what stands there to a file first`)
  if (file !== '-' && statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${file} is a folder: name one recording in it`)
  const raw: Readable = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 })
  const { first, chunks } = await begun(file, raw)
  const packing = packingOf(first)
  if (packing === 'gzip' || packing === 'zstd') {
    const plain = decompressors[packing]({ chunkSize: 1 << 18 })
    // Errors of this pipeline surface when `plain` is read.
    pipeline(Readable.from(chunks), plain).catch(() => undefined)
    return beside(file, await opened(await begun(file, plain)))
  }
  if (packing === 'zip') return openArchive(file)
  if (packing !== undefined) throw new UsageError(`${file} is packed with ${packing}: unpack it first`)
  if (mitmproxyFlows.test(first.subarray(0, 40).toString()))
    throw new UsageError(
      `${file} has flows of mitmproxy: write them as a HAR, by mitmdump -n -r FILE --set hardump=FLOWS.har`,
    )
  return beside(file, await opened({ first, chunks }))
}

/** Matches the beginning of a file of flows that mitmproxy wrote, a sequence of netstrings with types. */
const mitmproxyFlows = /^\d+:\d+:[a-z_]+;/

/** Adds the files beside it to a recording; standard input has none. */
const beside = (file: string, recording: Omit<RecordingFile, 'attached'>): RecordingFile => ({
  ...recording,
  attached: (name) => (file === '-' ? undefined : contentBeside(file, name)),
})

/** Matches the HAR in an archive, and not the files about files that Finder adds, whose names begin with a dot. */
const recordingName = /^(?!__MACOSX\/)(?:.*\/)?(?!\._)[^/]*\.har$/i

/** Opens the HAR in an archive, as test tools pack it with the bodies beside it. */
async function openArchive(file: string): Promise<RecordingFile> {
  if (file === '-') throw new UsageError('cannot read -: it is a zip archive: name the file')
  return readOrThrowUsageError(`cannot read ${file}`, async () => {
    const archive = openZip(file)
    const [name, ...others] = archive.names.filter((one) => recordingName.test(one))
    if (name === undefined && archive.hasPassword) throw new Error('it is a zip archive with a password')
    if (name === undefined || others.length > 0)
      throw new Error(`it is a zip archive with ${name === undefined ? 'no' : 'more than one'} HAR`)
    const { chunks } = await begun(file, archive.stream(name))
    const folder = name.slice(0, name.lastIndexOf('/') + 1)
    return { chunks, attached: (one: string) => archive.read(folder + one) }
  })
}

/** Yields the exchanges with the API in a HAR that arrives in chunks, in the order of the file. */
export async function* readRecordedExchanges(
  chunks: AsyncIterable<Buffer>,
  reader: HarEntriesReader,
): AsyncGenerator<RecordedExchange, undefined> {
  const { add, end } = createHarEntryMerger()
  for await (const text of streamHarEntries(chunks)) yield* add(reader.read(text))
  yield* end()
}

const decompressors = { gzip: createGunzip, zstd: createZstdDecompress } as const

interface Begun {
  readonly first: Buffer
  /** The whole stream, including the first chunk. */
  readonly chunks: AsyncIterable<Buffer>
}

async function opened({ first, chunks: encoded }: Begun): Promise<Omit<RecordingFile, 'attached'>> {
  const chunks = inUtf8(first, encoded)
  if (!/^\s*\{"kind":/.test(first.subarray(0, 200).toString())) return { chunks }
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of chunks) {
    bytes += part.length
    if (bytes > longest) throw new UsageError('the history is larger than 500 MB')
    parts.push(part)
  }
  return { chunks, history: Buffer.concat(parts).toString() }
}

/** Byte order marks of UTF-16, in which consoles of Windows write files. */
const marks = { 'utf-16le': Buffer.from([0xff, 0xfe]), 'utf-16be': Buffer.from([0xfe, 0xff]) }

/** A stream converted to UTF-8, which it already is unless it begins with a mark. */
function inUtf8(first: Buffer, chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const [encoding] = Object.entries(marks).find(([, mark]) => first.subarray(0, 2).equals(mark)) ?? []
  return encoding === undefined ? chunks : decodedFrom(chunks, new TextDecoder(encoding))
}

async function* decodedFrom(chunks: AsyncIterable<Buffer>, decoder: TextDecoder): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
}

/** Reads the first chunk, which tells the format. */
async function begun(file: string, stream: AsyncIterable<Buffer>): Promise<Begun> {
  const chunks = readable(file, stream)
  const { value: first = Buffer.alloc(0) } = await chunks.next()
  return {
    first,
    chunks: (async function* () {
      yield first
      yield* chunks
    })(),
  }
}

async function* readable(file: string, stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  try {
    for await (const chunk of stream) yield chunk
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(`cannot read ${file}: ${code?.startsWith('Z_') ? message : (code ?? message)}`)
  }
}

interface Packed {
  readonly isDeflated: boolean
  readonly size: number
  /** Offset of its header, bytes. */
  readonly offset: number
}

/** Longest list of files in an archive, bytes, and longest file that is read whole, bytes. */
const [longestList, longestWhole] = [64_000_000, 16_000_000]
const [endMark, listMark, fileMark] = [0x06054b50, 0x02014b50, 0x04034b50]
const [endSize, listSize, fileSize, longestComment] = [22, 46, 30, 65_535]

/** @throws Error that says why it is no archive that can be read. */
function openZip(path: string) {
  const fd = openSync(path, 'r')
  const { size } = fstatSync(fd)

  function bytesAt(start: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    if (readSync(fd, bytes, 0, length, start) < length) throw damaged()
    return bytes
  }

  function startOf({ offset }: Packed): number {
    const head = bytesAt(offset, fileSize)
    if (head.readUInt32LE(0) !== fileMark) throw damaged()
    return offset + fileSize + head.readUInt16LE(26) + head.readUInt16LE(28)
  }

  const tail = bytesAt(Math.max(0, size - endSize - longestComment), Math.min(size, endSize + longestComment))
  let at = tail.length - endSize
  while (at >= 0 && tail.readUInt32LE(at) !== endMark) at--
  if (at < 0) throw damaged()
  const [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
  if (length > longestList || offset + length > size) throw damaged()
  const list = bytesAt(offset, length)
  const files = new Map<string, Packed>()
  let hasPassword = false
  for (let i = 0; i + listSize <= length; ) {
    const method = list.readUInt16LE(i + 10)
    if (list.readUInt32LE(i) !== listMark) throw damaged()
    const [name, extra, comment] = [28, 30, 32].map((field) => list.readUInt16LE(i + field))
    const end = i + listSize + (name ?? 0)
    const isEncrypted = (list.readUInt16LE(i + 8) & 1) === 1
    hasPassword ||= isEncrypted
    if (!isEncrypted && (method === 0 || method === 8))
      files.set(list.toString('utf8', i + listSize, end), {
        isDeflated: method === 8,
        size: list.readUInt32LE(i + 20),
        offset: list.readUInt32LE(i + 42),
      })
    i = end + (extra ?? 0) + (comment ?? 0)
  }

  return {
    /** Names of the files that can be read. */
    names: [...files.keys()],
    /** True if a file can only be read with a password. */
    hasPassword,
    /** The content of a file as a stream. */
    stream(name: string): Readable {
      const packed = files.get(name)
      if (!packed) throw damaged()
      const start = startOf(packed)
      const { size, isDeflated } = packed
      const plain = isDeflated ? createInflateRaw({ chunkSize: 1 << 18 }) : new PassThrough()
      if (size === 0) return plain.end()
      // Errors of this pipeline surface when `plain` is read.
      pipeline(createReadStream(path, { start, end: start + size - 1 }), plain).catch(() => undefined)
      return plain
    },
    /** The content of a small file; undefined where it is not there, too large or damaged. */
    read(name: string): Buffer | undefined {
      const packed = files.get(name)
      if (!packed || packed.size > longestWhole) return undefined
      return valueOrFallback<Buffer | undefined>(undefined, () => {
        const bytes = bytesAt(startOf(packed), packed.size)
        return packed.isDeflated ? inflateRawSync(bytes, { maxOutputLength: longestWhole }) : bytes
      })
    },
  }
}

const damaged = () => new Error('it is a damaged zip archive')
