/** The bytes of a recording, whatever it is packed in. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { entriesIn } from '#traffic/har-stream.ts'
import type { EntryReader, Recorded } from '#traffic/recording.ts'
import { UsageError } from '../files.ts'
import { Zip } from './zip.ts'

interface RecordingFile {
  readonly chunks: AsyncIterable<Buffer>
  /** The text of a history that `verify --history` wrote; undefined: it is a HAR. */
  readonly history?: string
  /** The content of a file beside it in an archive; undefined: there is none. */
  attached?(name: string): Buffer | undefined
}

/** A longer text does not fit into a string of Node. */
const longest = 500_000_000

/** Opens a file, which may be compressed; `-` is standard input. @throws UsageError where it cannot be read. */
export async function openRecording(file: string): Promise<RecordingFile> {
  const raw: Readable = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 })
  const { first, chunks } = await begun(file, raw)
  if (first.subarray(0, 2).equals(gzip)) {
    const plain = createGunzip({ chunkSize: 1 << 18 })
    // Its errors end the reading of `plain`.
    pipeline(Readable.from(chunks), plain).catch(() => undefined)
    return opened(await begun(file, plain))
  }
  return first.subarray(0, 2).equals(zip) ? openArchive(file) : opened({ first, chunks })
}

/** Opens the HAR in an archive, as test tools pack it with the bodies beside it. */
async function openArchive(file: string): Promise<RecordingFile> {
  if (file === '-') throw new UsageError('cannot read -: it is a zip archive: name the file')
  try {
    const archive = new Zip(file)
    const [name, ...others] = archive.names.filter((one) => /(?:^|\/)[^/]*\.har$/.test(one))
    if (name === undefined || others.length > 0)
      throw new Error(`it is a zip archive with ${name === undefined ? 'no' : 'more than one'} HAR`)
    const { chunks } = await begun(file, archive.stream(name))
    const folder = name.slice(0, name.lastIndexOf('/') + 1)
    return { chunks, attached: (one) => archive.read(folder + one) }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(
      `cannot read ${file}: ${code === 'ERR_OUT_OF_RANGE' ? 'it is a damaged zip archive' : message}`,
    )
  }
}

/** The requests of the service that are read from a HAR, in its order. */
export async function* recordedIn(
  chunks: AsyncIterable<Buffer>,
  reader: EntryReader,
): AsyncGenerator<Recorded, undefined> {
  for await (const text of entriesIn(chunks)) {
    const entry = reader.read(text)
    if (entry) yield entry
  }
}

const gzip = Buffer.from([0x1f, 0x8b])
const zip = Buffer.from('PK')

interface Begun {
  readonly first: Buffer
  /** All of it, the first chunk included. */
  readonly chunks: AsyncIterable<Buffer>
}

async function opened({ first, chunks }: Begun): Promise<RecordingFile> {
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

/** Reads until there is something to tell the format by. */
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
