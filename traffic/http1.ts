/** Follows the messages of one direction of an HTTP/1.1 connection while their bytes pass. Pure. */

/** The start line and the headers of an HTTP/1.1 message. */
export interface MessageHead {
  /** Its first line. */
  readonly start: string
  /** Names and values in turn, as sent. */
  readonly headers: readonly string[]
}

/**
 * The part that follows a head: the body that its headers announce, nothing, another head of the same message, or bytes
 * that are no longer HTTP.
 */
type Behind = 'body' | 'nothing' | 'head' | 'tunnel'

interface MessageListener {
  /** Takes a head and its bytes; returns the bytes to pass on, and what follows them. */
  head(head: MessageHead, bytes: Buffer): { readonly behind: Behind; readonly bytes: Buffer }
  /** A part of the body, without the frames of chunks. */
  body(part: Buffer): void
  end(): void
}

/** Longest head that is followed, bytes. */
const longestHead = 65_536

const headEnd = '\r\n\r\n'
const lineEnd = '\r\n'

/**
 * Creates a parser for the bytes of one direction of an HTTP/1.1 connection, which passes each message to the listener.
 * `kind`: whether the messages are requests or answers.
 */
export function createHttpMessageParser(listener: MessageListener, kind: 'requests' | 'answers') {
  /** The part that is read next; `lost`: the bytes were not understood, and are passed on unread from then on. */
  let next: 'head' | 'length' | 'rest' | 'chunk' | 'chunk size' | 'chunk end' | 'trailer' | 'lost' = 'head'
  /** Bytes of the body or the chunk that are still to come. */
  let left = 0
  /** The start of a head or a line whose end has not arrived. */
  let held: Buffer = Buffer.alloc(0)

  return { feed, unfollow, end }

  /** Takes in bytes; returns those to pass on. The start of a head is held until the head is whole. */
  function feed(chunk: Buffer): Buffer[] {
    const passing: Buffer[] = []
    let rest = chunk
    while (rest.length > 0) rest = step(rest, passing)
    return passing
  }

  /** Passes all further bytes on unread, since they are no longer HTTP; returns the bytes that were held. */
  function unfollow(): Buffer {
    const start = next === 'head' ? held : Buffer.alloc(0)
    next = 'lost'
    return start
  }

  /** Notes that the connection has ended, and with it a body of unknown length. */
  function end(): void {
    if (next === 'rest') listener.end()
    next = 'lost'
  }

  /** Reads the next part of a message; returns the bytes behind it. */
  function step(bytes: Buffer, passing: Buffer[]): Buffer {
    switch (next) {
      case 'head':
        return readHead(bytes, passing)
      case 'length':
      case 'chunk':
      case 'rest': {
        const part = next === 'rest' ? bytes : bytes.subarray(0, left)
        passing.push(part)
        listener.body(part)
        left -= part.length
        if (next === 'length' && left === 0) endMessage()
        if (next === 'chunk' && left === 0) next = 'chunk end'
        return bytes.subarray(part.length)
      }
      case 'lost':
        passing.push(bytes)
        return bytes.subarray(bytes.length)
      default:
        return readLine(bytes, passing)
    }
  }

  /** Reads a line around a chunk, such as its size; returns the bytes behind it. */
  function readLine(bytes: Buffer, passing: Buffer[]): Buffer {
    const all = held.length > 0 ? Buffer.concat([held, bytes]) : bytes
    const known = all.length - bytes.length
    const end = all.indexOf(lineEnd)
    if (end < 0) {
      passing.push(bytes)
      held = Buffer.from(all)
      if (all.length > longestHead) next = 'lost'
      return bytes.subarray(bytes.length)
    }
    held = Buffer.alloc(0)
    const line = all.toString('latin1', 0, end)
    const used = end + lineEnd.length - known
    passing.push(bytes.subarray(0, used))
    if (next === 'chunk end') next = line === '' ? 'chunk size' : 'lost'
    else if (next === 'trailer') {
      if (line === '') endMessage()
    } else {
      const [, size] = /^([\da-f]{1,12})\s*(?:;|$)/i.exec(line) ?? []
      left = Number.parseInt(size ?? '', 16)
      next = size === undefined ? 'lost' : left === 0 ? 'trailer' : 'chunk'
    }
    return bytes.subarray(used)
  }

  function readHead(bytes: Buffer, passing: Buffer[]): Buffer {
    const all = held.length > 0 ? Buffer.concat([held, bytes]) : bytes
    const end = all.indexOf(headEnd)
    if (end < 0 && all.length <= longestHead) {
      held = Buffer.from(all)
      return bytes.subarray(bytes.length)
    }
    held = Buffer.alloc(0)
    const raw = all.subarray(0, end + headEnd.length)
    const head = end < 0 ? undefined : parsed(raw.toString('latin1', 0, end))
    const framing = head && framingOf(head)
    if (!head || !framing) {
      next = 'lost'
      return all
    }
    const { behind, bytes: changed } = listener.head(head, raw)
    passing.push(changed)
    if (behind === 'tunnel') next = 'lost'
    else if (behind === 'nothing') endMessage()
    else if (behind === 'body') begin(framing)
    return all.subarray(raw.length)
  }

  function begin({ isChunked, length }: Framing): void {
    left = length ?? 0
    if (isChunked) next = 'chunk size'
    else if (length !== undefined && length > 0) next = 'length'
    else if (length === undefined && kind === 'answers') next = 'rest'
    else endMessage()
  }

  function endMessage(): void {
    next = 'head'
    listener.end()
  }
}

type Framing = NonNullable<ReturnType<typeof framingOf>>

/**
 * The framing of a body, which marks its end: by chunks, by its length, or by the end of the connection (no length).
 * Undefined for headers that two readers may understand differently.
 */
function framingOf({ headers }: MessageHead) {
  const codings = headerValues(headers, 'transfer-encoding')
  const [length, ...others] = new Set(headerValues(headers, 'content-length'))
  if (others.length > 0 || (length !== undefined && !/^\d{1,15}$/.test(length))) return undefined
  if (codings.length === 0)
    return { isChunked: false, length: length === undefined ? length : Number(length) }
  const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked'
  return isChunked && length === undefined ? { isChunked, length } : undefined
}

/** The values of a header in a message; the name in lower case. */
export const headerValues = (headers: readonly string[], name: string): string[] =>
  headers.flatMap((one, i) => (i % 2 === 0 && one.toLowerCase() === name ? [headers[i + 1] ?? ''] : []))

/** The head in a text; undefined if it is no head. */
function parsed(text: string): MessageHead | undefined {
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
