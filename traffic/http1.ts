/** Follows the messages of one direction of an HTTP/1.1 connection while their bytes pass. Pure. */

/** The beginning of a message. */
export interface Head {
  /** Its first line. */
  readonly start: string
  /** Names and values in turn, as sent. */
  readonly headers: readonly string[]
}

/** What comes behind a head: what its headers say, nothing, another head of the same message, or no HTTP any more. */
type Behind = 'body' | 'nothing' | 'head' | 'tunnel'

interface MessageListener {
  /** A head, and its bytes; they pass as they are returned. */
  head(head: Head, bytes: Buffer): { readonly behind: Behind; readonly bytes: Buffer }
  /** A part of the body, without the frames of chunks. */
  body(part: Buffer): void
  end(): void
}

/** A longer head is not followed, bytes. */
const longestHead = 65_536

const headEnd = '\r\n\r\n'
const lineEnd = '\r\n'

export class Messages {
  readonly #listener: MessageListener
  /** Whether a body of unknown length goes on until the connection ends, as that of an answer does. */
  readonly #mayEndWithConnection: boolean
  /** What is read next; `lost`: something that is not understood, so nothing is followed any more. */
  #next: 'head' | 'length' | 'rest' | 'chunk' | 'chunk size' | 'chunk end' | 'trailer' | 'lost' = 'head'
  /** Bytes of the body or the chunk that are still to come. */
  #left = 0
  /** The beginning of a head or a line that has not come whole. */
  #held: Buffer = Buffer.alloc(0)

  constructor(listener: MessageListener, kind: 'requests' | 'answers') {
    this.#listener = listener
    this.#mayEndWithConnection = kind === 'answers'
  }

  /** Takes in bytes; returns those that may pass: the start of a head is held until the head is whole. */
  feed(chunk: Buffer): Buffer[] {
    const passing: Buffer[] = []
    let rest = chunk
    while (rest.length > 0) rest = this.#step(rest, passing)
    return passing
  }

  /** What passes is HTTP no more; returns the bytes that were held. */
  unfollow(): Buffer {
    const held = this.#next === 'head' ? this.#held : Buffer.alloc(0)
    this.#next = 'lost'
    return held
  }

  /** The connection has ended: so has a body of unknown length. */
  end(): void {
    if (this.#next === 'rest') this.#listener.end()
    this.#next = 'lost'
  }

  /** Reads one thing; returns the bytes behind it. */
  #step(bytes: Buffer, passing: Buffer[]): Buffer {
    switch (this.#next) {
      case 'head':
        return this.#readHead(bytes, passing)
      case 'length':
      case 'chunk':
      case 'rest': {
        const part = this.#next === 'rest' ? bytes : bytes.subarray(0, this.#left)
        passing.push(part)
        this.#listener.body(part)
        this.#left -= part.length
        if (this.#next === 'length' && this.#left === 0) this.#endMessage()
        if (this.#next === 'chunk' && this.#left === 0) this.#next = 'chunk end'
        return bytes.subarray(part.length)
      }
      case 'lost':
        passing.push(bytes)
        return bytes.subarray(bytes.length)
      default:
        return this.#readLine(bytes, passing)
    }
  }

  /** A line of the frame around chunks. */
  #readLine(bytes: Buffer, passing: Buffer[]): Buffer {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes
    const known = all.length - bytes.length
    const end = all.indexOf(lineEnd)
    if (end < 0) {
      passing.push(bytes)
      this.#held = Buffer.from(all)
      if (all.length > longestHead) this.#next = 'lost'
      return bytes.subarray(bytes.length)
    }
    this.#held = Buffer.alloc(0)
    const line = all.toString('latin1', 0, end)
    const used = end + lineEnd.length - known
    passing.push(bytes.subarray(0, used))
    if (this.#next === 'chunk end') this.#next = line === '' ? 'chunk size' : 'lost'
    else if (this.#next === 'trailer') {
      if (line === '') this.#endMessage()
    } else {
      const [, size] = /^([\da-f]{1,12})\s*(?:;|$)/i.exec(line) ?? []
      this.#left = Number.parseInt(size ?? '', 16)
      this.#next = size === undefined ? 'lost' : this.#left === 0 ? 'trailer' : 'chunk'
    }
    return bytes.subarray(used)
  }

  #readHead(bytes: Buffer, passing: Buffer[]): Buffer {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes
    const end = all.indexOf(headEnd)
    if (end < 0 && all.length <= longestHead) {
      this.#held = Buffer.from(all)
      return bytes.subarray(bytes.length)
    }
    this.#held = Buffer.alloc(0)
    const raw = all.subarray(0, end + headEnd.length)
    const head = end < 0 ? undefined : parsed(raw.toString('latin1', 0, end))
    const framing = head && framingOf(head)
    if (!head || !framing) {
      this.#next = 'lost'
      return all
    }
    const { behind, bytes: changed } = this.#listener.head(head, raw)
    passing.push(changed)
    if (behind === 'tunnel') this.#next = 'lost'
    else if (behind === 'nothing') this.#endMessage()
    else if (behind === 'body') this.#begin(framing)
    return all.subarray(raw.length)
  }

  #begin({ isChunked, length }: Framing): void {
    this.#left = length ?? 0
    if (isChunked) this.#next = 'chunk size'
    else if (length !== undefined && length > 0) this.#next = 'length'
    else if (length === undefined && this.#mayEndWithConnection) this.#next = 'rest'
    else this.#endMessage()
  }

  #endMessage(): void {
    this.#next = 'head'
    this.#listener.end()
  }
}

/** How the end of a body is told. */
interface Framing {
  readonly isChunked: boolean
  /** Undefined: it is not told. */
  readonly length: number | undefined
}

/** Undefined: in a way that two readers may understand differently. */
function framingOf({ headers }: Head): Framing | undefined {
  const codings = valuesOf(headers, 'transfer-encoding')
  const [length, ...others] = new Set(valuesOf(headers, 'content-length'))
  if (others.length > 0 || (length !== undefined && !/^\d{1,15}$/.test(length))) return undefined
  if (codings.length === 0)
    return { isChunked: false, length: length === undefined ? length : Number(length) }
  const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked'
  return isChunked && length === undefined ? { isChunked, length } : undefined
}

/** The values of a header; the name in lower case. */
export const valuesOf = (headers: readonly string[], name: string): string[] =>
  headers.flatMap((one, i) => (i % 2 === 0 && one.toLowerCase() === name ? [headers[i + 1] ?? ''] : []))

/** Undefined: it is no head. */
function parsed(text: string): Head | undefined {
  const [start = '', ...lines] = text.replace(/^(?:\r\n)+/, '').split(lineEnd)
  if (!/^HTTP\/1\.\d \d{3}\b|^\S+ \S+ HTTP\/1\.\d$/.test(start)) return undefined
  const headers: string[] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1 || /\s/.test(line.slice(0, colon))) return undefined
    headers.push(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return { start, headers }
}
