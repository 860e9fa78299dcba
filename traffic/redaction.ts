/** Replaces secrets in everything that is shown: keys, sessions, and whatever else was sent to authenticate. */
import type { JournalEntry } from './journal-entry.ts'
import { allReadings, endOf, layersOf, type Reading, startOf, unescapedReadings } from './readings.ts'

/** What stands in the place of a secret that has no name. */
export const redacted = '[redacted]'

/** A secret and what is shown in its place. */
export interface Secret {
  readonly value: string
  readonly name: string
}

/** Headers whose value authenticates; in lower case. */
const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-admin-token',
])

/** Parameters of a URL that carry a secret by their name. */
const secretParameter =
  /([?&](?:api[-_]?key|key|token|access[-_]?token|admin[-_]?token|secret|password|authorization|auth)=)[^&#\s"]+/gi

/** Keys and session tokens of the mock by their prefix, also with percent-encoded underscores. */
const credential = /\b(?:wak(?:_|%5f)|was(?:_|%5f)test(?:_|%5f))[\w.~%=+:,;@-]+/gi

/** A string field of JSON, whole or cut off. */
const stringField = (name: string) => new RegExp(`("${name}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'g')
const secretField = stringField('secret')
const keyField = stringField('key')

/** Shorter secrets are looked for as words only: they may stand inside other words by chance. */
const telling = 4

/** Replaces secrets in texts. */
export class Redaction {
  /** What each secret looks like in a reading. */
  readonly #needles: Needles = new Map()
  readonly #readings: (text: string) => Reading[]
  readonly #known = new Map<string, string>()

  /**
   * `secrets`: what to look for, escaped in any way; a string is replaced by `[redacted]`.
   * `decode`: whether to look into base64, hex and lists of bytes too, which takes about 30 times as long.
   */
  constructor(secrets: Iterable<string | Secret>, { decode = false } = {}) {
    this.#readings = decode ? allReadings : unescapedReadings
    for (const secret of secrets) {
      const { value, name } = typeof secret === 'string' ? { value: secret, name: redacted } : secret
      const read = layersOf({ text: value }, 1).map(({ text }) => text)
      for (const text of new Set([...read, ...read.map(bytewise)])) {
        const needle = lowered(text)
        const names = this.#needles.get(needle) ?? new Map<string, string>()
        if (needle !== '') this.#needles.set(needle, names)
        if (!names.has(text)) names.set(text, name)
      }
    }
  }

  /** A text with each of the secrets replaced, whole or cut off by `…`; of two that overlap the first counts. */
  known(text: string): string {
    if (this.#needles.size === 0) return text
    const before = this.#known.get(text)
    if (before !== undefined) return before
    const places = this.#readings(text).flatMap((reading) => placesIn(reading, this.#needles))
    const parts: string[] = []
    let at = 0
    for (const { from, to, name } of places.sort((a, b) => a.from - b.from || b.to - a.to)) {
      if (from >= at) parts.push(text.slice(at, from), name)
      at = Math.max(at, to)
    }
    const safe = parts.join('') + text.slice(at)
    this.#known.set(text, safe)
    return safe
  }

  /** A text without these secrets, and without what looks like a secret. */
  text(text: string): string {
    return this.known(text)
      .replace(credential, redacted)
      .replace(secretParameter, `$1${redacted}`)
      .replace(secretField, `$1"${redacted}"`)
  }

  /** The text of an answer that shows a new key: also its `key`, where that is a string. */
  newKey(text: string): string {
    return this.text(text.replace(keyField, `$1"${redacted}"`))
  }

  /** The value of a header; of `Authorization` the scheme stays. */
  header(name: string, value: string): string {
    if (!secretHeaders.has(name.toLowerCase())) return this.text(value)
    const [, scheme] = /^(bearer|basic)\s/i.exec(value) ?? []
    return scheme === undefined ? redacted : `${scheme} ${redacted}`
  }
}

/** A stretch of a text that shows a secret. */
interface Place {
  readonly from: number
  readonly to: number
  readonly name: string
}

/** The names of secrets as they are, by what they look like without the differences of forms. */
type Needles = Map<string, Map<string, string>>

function placesIn(reading: Reading, needles: Needles): Place[] {
  const haystack = lowered(reading.text)
  const places: Place[] = []
  for (const [needle, names] of needles) {
    const add = (start: number, end: number) => {
      const [first = redacted] = names.values()
      const name = names.get(reading.text.slice(start, end)) ?? first
      places.push({ from: startOf(reading, start), to: endOf(reading, end - 1), name })
    }
    for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1))
      if (needle.length >= telling || isWord(haystack, at, at + needle.length)) add(at, at + needle.length)
    for (let end = haystack.indexOf('…'); end >= 0; end = haystack.indexOf('…', end + 1)) {
      const length = beginningBefore(haystack, end, needle)
      if (length > 0) add(end - length, end)
    }
  }
  return places
}

const isWord = (text: string, from: number, to: number) =>
  !/\w/.test((text[from - 1] ?? '') + (text[to] ?? ''))

/** How much of a secret stands before the place where a text was cut; 0: too little. */
function beginningBefore(text: string, end: number, needle: string): number {
  for (let length = Math.min(needle.length - 1, end); length >= telling; length--)
    if (text.endsWith(needle.slice(0, length), end)) return length
  return 0
}

/** A letter for each byte: as a text is read that was percent-encoded or coded as bytes. */
const bytewise = (text: string) => String.fromCharCode(...new TextEncoder().encode(text))

/** Without what forms differ in, letter for letter: case, and the plus that may be a space. */
function lowered(text: string): string {
  return text.replace(/\p{Lu}|\+/gu, (letter) => {
    const lower = letter === '+' ? ' ' : letter.toLowerCase()
    return lower.length === letter.length ? lower : letter
  })
}

/** The credentials in an `Authorization` or `Cookie` header; each cookie as it is sent and as a service reads it. */
export function secretsIn(name: string, value: string): string[] {
  if (name.toLowerCase() === 'authorization') return [value.replace(/^\S+\s+/, '').trim()]
  if (name.toLowerCase() !== 'cookie') return []
  return value.split(';').flatMap((pair) => {
    const token = pair
      .slice(pair.indexOf('=') + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    return [token, decoded(token)]
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Names and values in turn, as pairs. */
export function pairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? ''])
  return pairs
}

/** What redacts an entry: the secrets that it carries itself, and the keys that a mock was given. */
export function redactionOf({ headers }: JournalEntry, keys: readonly string[] = []): Redaction {
  return new Redaction([...keys, ...pairsOf(headers).flatMap(([name, value]) => secretsIn(name, value))])
}
