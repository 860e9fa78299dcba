/** The text of a body in a recording, which may be stored as it came over the wire, such as compressed. Pure. */
import type { HarBody, HarEntry, Headers } from './har-entry.ts'
import { parseJson } from './json-bounds.ts'
import { isReplacedBody } from './placeholder.ts'

/** Undoes a content coding of HTTP, such as `gzip`; undefined where the bytes do not have it. */
type Decompress = (bytes: Uint8Array, coding: string) => Uint8Array | undefined

/** Reads a body that stands in a file of its own. */
type Attached = (name: string) => Uint8Array | undefined

/**
 * Functions that read bodies which a recording does not hold as plain text: compressed ones, and those in separate
 * files.
 */
export interface RecordedBodyReader {
  readonly attached: Attached
  readonly decompress: Decompress
}

/** Matches the end of a text that its recorder cut, and says so: the number of its characters, or a word. */
const cut = /… \(\d+ characters\)$|[[(<…]\s*truncated[^"]{0,40}$/i

/** The text of a recorded answer; undefined if it was not recorded, or only its start. */
export function recordedAnswerText(
  { body, bodySize = 0, headers, hasFailed }: Pick<HarEntry, 'body' | 'bodySize' | 'headers' | 'hasFailed'>,
  reader: RecordedBodyReader,
): string | undefined {
  const { text: given, encoding, size, file } = body
  if (file !== undefined && !given) return fileTextOf(file, headers, reader)
  const announced = announcedLength(headers)
  if (given === undefined) return size === 0 && !hasFailed && !(announced > 0) ? '' : undefined
  // A recorder that leaves bodies out may write an empty text, and that it does not know how long the body was.
  if (given === '' && bodySize < 0 && headers['content-length'] === undefined) return undefined
  const text = plainTextOf(given, encoding, size, headers, reader)
  if (text === undefined || cut.test(text) || isReplacedBody(text)) return undefined
  return (hasFailed && parseJson(text) === undefined) || isCut(text, size, announced, bodySize)
    ? undefined
    : text
}

/** The body of a recorded request. */
interface SentBody {
  /** Undefined: none was sent, or it is not known. */
  readonly text: string | undefined
  /** True if there was one that the recording does not have. */
  readonly isMissing: boolean
}

/** The body of a recorded request. The recording may have an empty text and name a file that holds the body. */
export function recordedRequestBody(
  { text: given, encoding, size, file }: HarBody,
  headers: Headers,
  reader: RecordedBodyReader,
): SentBody {
  const announced = announcedLength(headers)
  if (!given && file === undefined) {
    const length = size === undefined || size < 0 ? announced : size
    return { text: given, isMissing: length > 0 }
  }
  const text = given
    ? plainTextOf(given, encoding, size, headers, reader)
    : fileTextOf(file ?? '', headers, reader)
  const isKnown =
    text !== undefined && !isCut(text, size, announced) && !cut.test(text) && !isReplacedBody(text)
  return { text: isKnown ? text : undefined, isMissing: !isKnown }
}

function fileTextOf(name: string, headers: Headers, reader: RecordedBodyReader): string | undefined {
  const bytes = reader.attached(name)
  return bytes && textOfBytes(bytes, headers, reader)
}

function plainTextOf(
  text: string,
  encoding: string | undefined,
  size: number | undefined,
  headers: Headers,
  reader: RecordedBodyReader,
): string | undefined {
  if (encoding?.toLowerCase() === 'base64') {
    const bytes = base64.test(text) ? bytesOfBase64(text) : undefined
    if (bytes) return textOfBytes(bytes, headers, reader)
    // Some recorders name base64 beside a text that is not encoded.
    return parseJson(text) === undefined ? undefined : text
  }
  if (!isOpen.test(text)) return text
  const bytes = bytewise(text)
  if (hasBytes.test(text) && parseJson(text) === undefined) {
    const plain = bytes && decodedOf(bytes, headers, reader)
    return plain ?? (beginning.test(text) ? text : undefined)
  }
  // If each byte became one letter, the text is as long as the body.
  return (bytes && size === text.length ? utf8Of(bytes) : undefined) ?? text
}

/** The text of bytes; undefined where they are in a coding that cannot be undone. */
function textOfBytes(bytes: Uint8Array, headers: Headers, reader: RecordedBodyReader): string | undefined {
  const text = lenient.decode(bytes)
  if (!hasBytes.test(text) || parseJson(text) !== undefined) return text
  return decodedOf(bytes, headers, reader) ?? (beginning.test(text) ? text : undefined)
}

/** The text of bytes in a coding; undefined: they are in none, or in one that cannot be undone. */
function decodedOf(bytes: Uint8Array, headers: Headers, reader: RecordedBodyReader): string | undefined {
  const named = headers['content-encoding']?.toLowerCase().split(/\s*,\s*/) ?? []
  for (const coding of new Set([...named, ...codingsOf(bytes)])) {
    const plain = reader.decompress(bytes, coding)
    const found = plain && lenient.decode(plain)
    if (found !== undefined && (!hasBytes.test(found) || parseJson(found) !== undefined)) return found
  }
  return undefined
}

/** The content codings that the first bytes may belong to. */
function codingsOf([first, second]: Uint8Array): readonly string[] {
  if (first === 0x1f && second === 0x8b) return ['gzip']
  if (first === 0x28 && second === 0xb5) return ['zstd']
  return first === 0x78 ? ['deflate', 'br'] : ['br']
}

const base64 = /^[\w+/\s-]*=*\s*$/

/** Matches a text that may be bytes read as letters, or that has letters outside of ASCII. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes show as control characters.
const isOpen = /[\u0000-\u0008\u000e-\u001f\u007f-\u00ff\ufffd]/

/** Matches a text that is certainly bytes: it has characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes show as control characters.
const hasBytes = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffd]/

/** Matches the beginnings of usual answers: JSON or HTML. */
const beginning = /^\s*(?:\{\s*["}]|\[\s*["\d{[\]]|"|<)/

/** The bytes of a text that has a letter for each byte; undefined: it has other letters. */
function bytewise(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0xff) return undefined
    bytes[i] = code
  }
  return bytes
}

/** The bytes of base64, in either alphabet; undefined if it is none. */
function bytesOfBase64(text: string): Uint8Array | undefined {
  try {
    return bytewise(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of bytes; undefined: they are no UTF-8. */
function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

const encoder = new TextEncoder()

/** The bytes of a body as its sender announced them; 0 if it did not. */
const announcedLength = (headers: Headers): number => Number(headers['content-length'] ?? 0)

/** True if a text is only the start of a body: no whole JSON, and shorter than it should be, or of a round length. */
const isCut = (text: string, ...sizes: readonly (number | undefined)[]): boolean =>
  (isShorter(text, ...sizes) || isCutAtRoundLength(text)) && parseJson(text) === undefined

/** True if a text begins as JSON and has a length, in characters, at which recorders cut bodies without saying so. */
const isCutAtRoundLength = (text: string): boolean =>
  text.length >= 256 &&
  [1_000, 1_024, 2 ** Math.floor(Math.log2(text.length))].some((round) => text.length % round === 0) &&
  /^\s*[{[]/.test(text)

/** True if a text has fewer bytes than its recorder or its sender counted: only its start was kept. */
function isShorter(text: string, ...sizes: readonly (number | undefined)[]): boolean {
  const size = Math.max(...sizes.filter((one) => one !== undefined))
  return text.length < size && encoder.encode(text).length < size
}
