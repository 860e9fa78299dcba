/** Reads the body of an answer within bounds of size, depth and time. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Exchange } from '#traffic/exchange.ts'
import { jsonBounds, jsonBoundsProblem } from '#traffic/json-bounds.ts'
import { Unreachable, Violation } from './check-errors.ts'
import type { Recorder } from './recorder.ts'

/**
 * The JSON value of a text, in which integers that no double holds exactly become strings; undefined if it is not JSON.
 */
export function parseJsonBody(text: string): unknown {
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Keeps a whole number that a double cannot hold as text: it may be an id. */
function exact(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  return typeof value === 'number' && /^\d{16,}$/.test(source) && !Number.isSafeInteger(value)
    ? source
    : value
}

/** Longest body that is read, decompressed, bytes. */
const mostBytes = 16 * 2 ** 20
const megabytes = (bytes: number) => `${bytes / 2 ** 20} MB`
/** The end of an error message that begins with "the answer to …", for a body that did not end in time. */
export const bodyTooSlowText = 'began and did not end in time'
/** Bytes that are kept of a body that is too large, to be shown. */
const shownBytes = 4_096
/** Bytes beyond which a body is kept compressed, and decompressed when it is needed. */
const longBytes = 32 * 2 ** 10
/** Memory for the long bodies of a run, bytes. */
const mostKept = 256 * 2 ** 20

/** The body of an answer. */
interface Body extends Pick<Exchange, 'text' | 'json' | 'excess'> {
  /** Memory that the body takes, bytes; at least a quarter of its length, since decompressing it takes time. */
  readonly kept: number
}

/** Reads a body until it ends, is too large, or takes too long. Rejects if it breaks off. */
export async function readResponseBody(response: Response): Promise<Body> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // Breaking out of the loop cancels the rest.
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      length += chunk.length
      if (length > mostBytes)
        return refused(chunks, `is larger than ${megabytes(mostBytes)}; the rest was not read`)
    }
  } catch (error) {
    if (requestFailureReason(error) !== timeoutReason) throw error
    return refused(chunks, bodyTooSlowText)
  }
  const bytes = Buffer.concat(chunks)
  const text = decoded(bytes)
  const excess = jsonBoundsProblem(text)
  if (excess !== undefined) return refused([bytes], excess)
  if (length > longBytes) return new LongBody(bytes)
  return { text, json: parseJsonBody(text), kept: 0 }
}

/** The text of bytes, with the byte order mark if there is one: JSON must not begin with it (RFC 8259 §8.1). */
const decoded = (bytes: Buffer) => bytes.toString()

const refused = (chunks: readonly Uint8Array[], excess: string): Body => ({
  text: `${decoded(Buffer.concat(chunks).subarray(0, shownBytes))}…`,
  json: undefined,
  excess,
  kept: 0,
})

/**
 * Checks that the body of an answer is within the bounds of the suite, and that there is memory for more. @throws
 * Violation if it was too large, too deep or too slow; Unreachable if the run has kept too much.
 */
export function checkBodyBounds(exchange: Exchange, { keptBytes }: Pick<Recorder, 'keptBytes'>): void {
  const { excess, method, url } = exchange
  if (excess !== undefined) {
    const { depth, values } = jsonBounds
    const bounds = `${megabytes(mostBytes)}, ${depth} levels and ${values.toLocaleString('en')} values`
    throw new Violation(
      `an answer that ends in time, of at most ${bounds}`,
      `the answer to ${method} ${new URL(url).pathname} ${excess}`,
      exchange,
    )
  }
  if (keptBytes > mostKept)
    throw new Unreachable(
      `the answers of the service are too large to be kept, ${megabytes(mostKept)} together`,
    )
}

/** Bodies that were read last, the latest at the end. A WeakRef would keep all of them as long as a loop lasts. */
const readLast = new Map<LongBody, Pick<Body, 'text' | 'json'>>()
/** Characters that these bodies may have together. */
const mostReadLast = 32 * 2 ** 20

/** A body that is decoded and parsed when it is looked at. */
class LongBody implements Body {
  readonly kept: number
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = deflateRawSync(bytes, { level: 1 })
    this.kept = Math.max(this.#bytes.length, bytes.length / 4)
  }

  get text(): string {
    return this.#read().text
  }

  get json(): unknown {
    return this.#read().json
  }

  #read(): Pick<Body, 'text' | 'json'> {
    const known = readLast.get(this)
    if (known) return known
    const text = decoded(inflateRawSync(this.#bytes))
    let room = mostReadLast - text.length
    for (const one of readLast.values()) room -= one.text.length
    for (const [body, one] of readLast) {
      if (room >= 0) break
      readLast.delete(body)
      room += one.text.length
    }
    const read = { text, json: parseJsonBody(text) }
    readLast.set(this, read)
    return read
  }
}

/** The failure reason of a request that was aborted by its timeout. */
export const timeoutReason = 'no answer in time'

/** The failure reason of a request that was not sent, since its address refused the connection. */
export const connectionRefusedReason = 'ECONNREFUSED'

/** True if a connection was closed before the answer came. */
export const isConnectionReset = (error: unknown) =>
  ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(requestFailureReason(error))

/** The innermost reason of a failed request, such as `ECONNREFUSED`. */
export function requestFailureReason(error: unknown): string {
  let at = error as Error & { code?: string }
  while (at.name !== 'TimeoutError' && at.cause) at = at.cause as typeof at
  return at.name === 'TimeoutError' ? timeoutReason : (at.code ?? at.message)
}
