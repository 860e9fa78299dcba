/** Takes secrets out of what the mock shows: keys, sessions, and whatever else a client sent to say who it is. */
import type { JournalEntry } from './journal-entry.ts'

/** What stands in the place of a secret. */
export const redacted = '[redacted]'

/** Headers whose value says who somebody is; in lower case. */
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

/** Keys and session tokens, also with their underscores percent-encoded; known by how they begin. */
const credential = /\b(?:wak(?:_|%5f)|was(?:_|%5f)test(?:_|%5f))[\w.~%=+:,;@-]+/gi

/** A string field of JSON, whole or cut off. */
const stringField = (name: string) => new RegExp(`("${name}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'g')
const secretField = stringField('secret')
const keyField = stringField('key')

/** Shortest secret that is looked for inside words: a shorter one would take innocent letters with it. */
const longEnough = 8

/** Takes secrets out of texts. */
export class Redaction {
  readonly #exact: RegExp | undefined

  /** `secrets`: further ones, looked for as they are, and as a URL or JSON would spell them. */
  constructor(secrets: Iterable<string>) {
    const patterns = [...new Set(secrets)].filter(Boolean).flatMap(patternsOf)
    this.#exact = patterns.length > 0 ? new RegExp(patterns.join('|'), 'g') : undefined
  }

  /** A text without secrets. */
  text(text: string): string {
    const known = this.#exact ? text.replace(this.#exact, redacted) : text
    return known
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

/** What an `Authorization` or `Cookie` header says, piece by piece. */
export function secretsIn(name: string, value: string): string[] {
  if (name.toLowerCase() === 'authorization') return [value.replace(/^\S+\s+/, '').trim()]
  if (name.toLowerCase() !== 'cookie') return []
  return value.split(';').flatMap((pair) => {
    const token = pair.slice(pair.indexOf('=') + 1).trim()
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

function patternsOf(secret: string): string[] {
  const spellings = new Set([
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ])
  return [...spellings].map((spelling) => {
    const literal = spelling.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
    return secret.length < longEnough ? `(?<!\\w)${literal}(?!\\w)` : literal
  })
}

/** Names and values in turn, as pairs. */
export function pairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? ''])
  return pairs
}

/** What takes the secrets out of an entry: those that it carries itself, and the keys that a mock was given. */
export function redactionOf({ headers }: JournalEntry, keys: readonly string[] = []): Redaction {
  return new Redaction([...keys, ...pairsOf(headers).flatMap(([name, value]) => secretsIn(name, value))])
}
