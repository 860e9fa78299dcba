/** Replaces secrets in everything that is shown: keys, sessions, and whatever else was sent to authenticate. */

import {
  allDecodings,
  type DecodedText,
  originalEndOfLetter,
  originalStartOfLetter,
  unescapedDecodings,
  unescapedLayersOf,
} from './decodings.ts'
import type { JournalEntry } from './journal-entry.ts'
import { decodePercent } from './malformed-input.ts'
import { mayBeSecretPlaceholder } from './placeholder.ts'
import { createSecretSearch, type SecretMatch } from './secret-matches.ts'
import { isSecretName } from './secret-names.ts'

/** The minimum length of a key that is searched for in a text, characters: a shorter one may occur there by chance. */
export const minSearchedKeyLength = 8

/** The text that replaces a secret without a name. */
export const redactionPlaceholder = '[redacted]'

/** The text that replaces one of several secrets; its number tells them apart. */
export const numberedRedactionPlaceholder = (number: number): string => `[redacted-${number}]`

/** True if a text is nothing but a numbered placeholder, such as `[redacted-1]`. */
export const isNumberedRedactionPlaceholder = (text: string): boolean => /^\[redacted-\d+\]$/.test(text)

/** A secret, and the name that is shown in its place. */
export interface NamedSecret {
  readonly value: string
  readonly name: string
}

/** A parameter of a URL or a form. */
const parameter = /(^|[?&])([\w.%~-]{1,200})=([^&#\s"]+)/g

/**
 * Keys and session tokens of the mock by their prefix, also with percent-encoded underscores. A whole prefix may follow
 * anything, as the `n` of `\n`.
 */
const credential = /(?:\bwak(?:_|%5f)|wa[ks](?:_|%5f)(?:live|test)(?:_|%5f))[\w.~%=+:,;@-]+/gi

/** A field of JSON that is a string, whole or cut off. */
const stringField = /("([\w.-]{1,200})"\s*:\s*)"([^"\\]*(?:\\.[^"\\]*)*)"?/gs

/** Replaces a set of known secrets in texts, each by its name, and whatever else looks like a secret. */
export class SecretRedactor {
  /** The names of secrets as they are spelled, by their normalized form (see `lowered`). */
  readonly #names = new Map<string, Map<string, string>>()
  readonly #find: (text: string) => SecretMatch[]
  readonly #readings: (text: string) => DecodedText[]
  readonly #known = new Map<string, string>()

  /**
   * `secrets`: what to look for, escaped in any way; a string is replaced by `[redacted]`.
   * `decode`: whether to look into base64, hex and lists of bytes too, which takes about 30 times as long.
   */
  constructor(secrets: Iterable<string | NamedSecret>, { decode = false } = {}) {
    this.#readings = decode ? allDecodings : unescapedDecodings
    const read = new Set([''])
    for (const secret of secrets) {
      const { value, name } =
        typeof secret === 'string' ? { value: secret, name: redactionPlaceholder } : secret
      if (read.has(value)) continue
      read.add(value)
      const layers = unescapedLayersOf({ text: value }, 1).map(({ text }) => text)
      for (const text of new Set([...layers, ...layers.map(bytewise)])) {
        const needle = lowered(text)
        const names = this.#names.get(needle) ?? new Map<string, string>()
        if (needle !== '') this.#names.set(needle, names)
        if (!names.has(text)) names.set(text, name)
      }
    }
    this.#find = createSecretSearch([...this.#names.keys()])
  }

  /** Replaces each of the known secrets in a text, whole or cut off by `…`; of two that overlap, the first counts. */
  known(text: string): string {
    if (this.#names.size === 0) return text
    const before = this.#known.get(text)
    if (before !== undefined) return before
    const places = this.#readings(text).flatMap((reading) =>
      this.#find(lowered(reading.text)).map((stretch) => placeOf(reading, stretch)),
    )
    const parts: string[] = []
    let at = 0
    for (const place of places.sort((a, b) => a.from - b.from || b.to - a.to)) {
      if (place.from >= at) parts.push(text.slice(at, place.from), this.#nameOf(place))
      at = Math.max(at, place.to)
    }
    const safe = parts.join('') + text.slice(at)
    this.#known.set(text, safe)
    return safe
  }

  /** The name of the secret at a place; called only for places that are shown, since many may overlap. */
  #nameOf({ reading, stretch: { start, end, needle } }: Place): string {
    const names = this.#names.get(needle)
    const [first = redactionPlaceholder] = names?.values() ?? []
    return (end - start === needle.length && names?.get(reading.text.slice(start, end))) || first
  }

  /** Returns a text without these secrets, and without whatever else looks like one. */
  text(text: string): string {
    return this.#without(text, isSecretName)
  }

  /** Returns a text as `text` does, for an answer that shows a new key: its field `key` is replaced, too. */
  newKey(text: string): string {
    return this.#without(text, (name) => name === 'key' || isSecretName(name))
  }

  #without(text: string, isSecret: (field: string) => boolean): string {
    return this.known(text)
      .replace(credential, redactionPlaceholder)
      .replace(parameter, (whole, before: string, name: string, value: string) =>
        isSecretParameter(name, before) && !isNumberedRedactionPlaceholder(value)
          ? `${before}${name}=${redactionPlaceholder}`
          : whole,
      )
      .replace(stringField, (whole, before: string, name: string, value: string) =>
        isSecret(name) && !isNumberedRedactionPlaceholder(value)
          ? `${before}"${redactionPlaceholder}"`
          : whole,
      )
  }

  /** Returns a JSON value with each text in it as `text` returns it. */
  json<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((one) => this.json(one)) as T
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.json(one)])) as T
  }

  /** Returns the value of a header without its secret; the scheme of `Authorization` stays. */
  header(name: string, value: string): string {
    return isSecretName(name) ? headerWithoutSecret(value) : this.text(value)
  }
}

/** Replaces the secret in the value of a header by `shown`; the scheme of `Authorization` stays. */
export function headerWithoutSecret(value: string, shown = redactionPlaceholder): string {
  const [, scheme] = /^(bearer|basic)\s/i.exec(value) ?? []
  return scheme === undefined ? shown : `${scheme} ${shown}`
}

type Place = ReturnType<typeof placeOf>

/** The place of a secret in the original text, with the decoding in which it was found. */
const placeOf = (reading: DecodedText, stretch: SecretMatch) => ({
  ...{
    from: originalStartOfLetter(reading, stretch.start),
    to: originalEndOfLetter(reading, stretch.end - 1),
  },
  ...{ reading, stretch },
})

/**
 * True if a parameter is a secret by its name. `key` is one only in a URL: at the start of a text it may be anything.
 */
function isSecretParameter(name: string, before: string): boolean {
  const plain = decodePercent(name) ?? name
  return isSecretName(plain) || (before !== '' && plain.toLowerCase() === 'key')
}

/** The bytes of a text in UTF-8 as one letter each, as some decodings show it. */
const bytewise = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')

/** A text in lower case and with spaces for `+`, letter for letter, so that all spellings of a secret are equal. */
function lowered(text: string): string {
  return text.replace(/\p{Lu}|\+/gu, (letter) => {
    const lower = letter === '+' ? ' ' : letter.toLowerCase()
    return lower.length === letter.length ? lower : letter
  })
}

/** Extracts the credentials in a header, both as they were sent and as services decode them. */
export function secretsInHeader(name: string, value: string): string[] {
  if (name.toLowerCase() === 'cookie')
    return value.split(';').flatMap((pair) => {
      const token = pair
        .slice(pair.indexOf('=') + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1')
      return [token, decodePercent(token) ?? token]
    })
  if (!isSecretName(name)) return []
  const [user, ...password] = basicCredentials(value)?.split(':') ?? []
  return [value.replace(/^\S+\s+/, '').trim(), ...(user === undefined ? [] : [user, password.join(':')])]
}

/**
 * True if a credential is so long or so varied that it can be hidden wherever it occurs, unlike the `task` of a cookie
 * `lang=task` or a placeholder. `header`: the one that it was sent in.
 */
export function isDistinctiveSecret(credential: string, header = 'authorization'): boolean {
  const hasDigits = /\d/.test(credential)
  if (isNumberedRedactionPlaceholder(credential) || (mayBeSecretPlaceholder(credential) && !hasDigits))
    return false
  // Machines make the values of cookies that open something; people may choose a key.
  const [shortest, withDigits] = header.toLowerCase() === 'cookie' ? [16, 8] : [8, 4]
  return credential.length >= (hasDigits && /[a-z]/i.test(credential) ? withDigits : shortest)
}

/**
 * The `user:password` of Basic authentication that curl can send byte for byte (RFC 7617); undefined for anything else.
 */
export function basicCredentials(authorization: string): string | undefined {
  const [, coded = ''] =
    /^Basic ((?:[A-Z\d+/]{4})*(?:[A-Z\d+/]{2}==|[A-Z\d+/]{3}=)?)$/i.exec(authorization) ?? []
  const pair = atob(coded)
  return /^[ -~]*:[ -~]*$/.test(pair) && btoa(pair) === coded ? pair : undefined
}

/** Converts a flat list of header names and values to pairs. */
export function headerPairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? ''])
  return pairs
}

/**
 * Creates the redactor for a journal entry: it replaces the secrets that the entry itself carries, and the given keys
 * of a mock.
 */
export function redactorOf(
  { headers }: Pick<JournalEntry, 'headers'>,
  keys: readonly string[] = [],
): SecretRedactor {
  return new SecretRedactor([
    ...keys,
    ...headerPairsOf(headers).flatMap(([name, value]) =>
      secretsInHeader(name, value).filter((one) => isDistinctiveSecret(one, name)),
    ),
  ])
}
