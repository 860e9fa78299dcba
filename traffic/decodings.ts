/** The ways to read a text: as it is, unescaped, and decoded from base64, hex or a list of bytes. */

/**
 * A text after some decoding, such as percent-decoding, with a map back to the original: letter i comes from the
 * letters `from[i]` to before `to[i]` of the original or, if these are unset, from letter i.
 */
export interface DecodedText {
  readonly text: string
  readonly from?: readonly number[]
  readonly to?: readonly number[]
}

/** The position in the original text at which letter i of a decoding starts. */
export const originalStartOfLetter = ({ from }: DecodedText, i: number): number => (from ? (from[i] ?? 0) : i)

/** The position in the original text before which letter i of a decoding ends. */
export const originalEndOfLetter = ({ to }: DecodedText, i: number): number => (to ? (to[i] ?? 0) : i + 1)

/** The number of layers of escapes inside escapes that are undone. */
const depth = 3

/**
 * Decodes a text by undoing escapes only: returns the text itself and the text without its escapes, each also with its
 * lines joined.
 */
export function unescapedDecodings(text: string): DecodedText[] {
  return unescapedLayersOf({ text }, depth).flatMap((reading) => [reading, ...joined(reading)])
}

/** Decodes a text in every way in which it may hide a secret, such as base64 and hex; the text itself is included. */
export function allDecodings(text: string): DecodedText[] {
  const coded = unescapedLayersOf({ text }, depth).flatMap((reading) =>
    codings.flatMap((decode) => decode(reading)),
  )
  return [...unescapedDecodings(text), ...coded.flatMap((reading) => unescapedLayersOf(reading, 1))]
}

/** Undoes the escapes of a text again and again, up to `times` times; returns the text and each result. */
export function unescapedLayersOf(reading: DecodedText, times: number): DecodedText[] {
  if (times === 0 || reading.text.search(escaping) < 0) return [reading]
  return [reading, ...unescapedLayersOf(unescaped(reading), times - 1)]
}

/**
 * Percent-encoding, HTML entities, escapes of JSON and JavaScript, and the start of one before `…`, where a text was
 * cut.
 */
const escaping = new RegExp(
  [
    '%([0-9a-f]{2})',
    String.raw`\\+(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([^ux…]))`,
    '&#x([0-9a-f]+);|&#(\\d+);|&(amp|lt|gt|quot|apos);',
    String.raw`(?:%[0-9a-f]?|\\+(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&#?\w{0,6})(?=…)`,
  ].join('|'),
  'i',
)
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const lineEnds: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** A reading without its line ends and indents, by which a secret may be split; empty if it has none. */
function joined(reading: DecodedText): DecodedText[] {
  const { text } = reading
  if (!/[\r\n]/.test(text)) return []
  const builder = new Builder()
  let at = 0
  for (const { index, 0: whole } of text.matchAll(/[\r\n]\s*/g)) {
    for (; at < index; at++) builder.copy(reading, at)
    at += whole.length
  }
  for (; at < text.length; at++) builder.copy(reading, at)
  return [builder.reading]
}

function unescaped(reading: DecodedText): DecodedText {
  const { text } = reading
  const builder = new Builder()
  let at = 0
  for (const match of text.matchAll(new RegExp(escaping, 'gi'))) {
    for (; at < match.index; at++) builder.copy(reading, at)
    const [whole, percent, unicode, hex, letter, hexEntity, entity, name] = match
    const code = percent ?? unicode ?? hex ?? hexEntity
    const read =
      code !== undefined
        ? character(Number.parseInt(code, 16))
        : entity !== undefined
          ? character(Number(entity))
          : name !== undefined
            ? (named[name.toLowerCase()] ?? '')
            : (lineEnds[letter ?? ''] ?? letter ?? '')
    at += whole.length
    for (const unit of read.split(''))
      builder.add(unit, originalStartOfLetter(reading, match.index), originalEndOfLetter(reading, at - 1))
  }
  for (; at < text.length; at++) builder.copy(reading, at)
  return builder.reading
}

const character = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** Builds a reading letter by letter. */
class Builder {
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #text: string[] = []

  copy(reading: DecodedText, i: number): void {
    this.add(reading.text[i] ?? '', originalStartOfLetter(reading, i), originalEndOfLetter(reading, i))
  }

  add(letter: string, from: number, to: number): void {
    this.#text.push(letter)
    this.#from.push(from)
    this.#to.push(to)
  }

  get reading(): DecodedText {
    return { text: this.#text.join(''), from: this.#from, to: this.#to }
  }
}

/** Decodes a reading from `start` to before `end`. */
type Decoder = (reading: DecodedText, start: number, end: number, into: Builder) => void

/**
 * Creates a decoder that reads each run of an alphabet as bytes, once for each number of first characters to skip. A
 * run ends with `…` where the text was cut, else with a line end.
 */
function coding(run: RegExp, skips: readonly number[], read: Decoder) {
  return (reading: DecodedText): DecodedText[] => {
    const runs = [...reading.text.matchAll(run)]
    if (runs.length === 0) return []
    return skips.map((skip) => {
      const bytes = new Builder()
      for (const { index, 0: whole } of runs) {
        const [start, end] = [index + skip, index + whole.length]
        read(reading, start, end, bytes)
        const edge = originalEndOfLetter(reading, end - 1)
        bytes.add(reading.text[end] === '…' ? '…' : '\n', edge, edge)
      }
      return bytes.reading
    })
  }
}

/** Creates a decoder that reads digits of `bitsEach` bits into bytes and skips other characters. */
function digits(alphabet: string, bitsEach: number): Decoder {
  const values = new Map([...alphabet].map((letter, i) => [letter, i % 2 ** bitsEach]))
  return (reading, start, end, into) => {
    let [held, bits, begun] = [0, 0, 0]
    for (let i = start; i < end; i++) {
      const value = values.get(reading.text[i] ?? '')
      if (value === undefined) continue
      if (bits === 0) begun = originalStartOfLetter(reading, i)
      held = ((held << bitsEach) | value) & 0xffff
      bits += bitsEach
      if (bits < 8) continue
      bits -= 8
      into.add(String.fromCharCode((held >> bits) & 0xff), begun, originalEndOfLetter(reading, i))
      begun = originalStartOfLetter(reading, i)
    }
  }
}

const decimals: Decoder = (reading, start, end, into) => {
  for (const { index, 0: number } of reading.text.slice(start, end).matchAll(/\d+/g)) {
    const at = start + index
    into.add(
      String.fromCharCode(Number(number)),
      originalStartOfLetter(reading, at),
      originalEndOfLetter(reading, at + number.length - 1),
    )
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const codings = [
  coding(/[\w+/-]{6,}(?:[\r\n]+[\w+/-]+)*/g, [0, 1, 2, 3], digits(`${letters}+/${letters}-_`, 6)),
  coding(/(?:[0-9a-f]{2}[\s:-]?){4,}/gi, [0, 1], digits('0123456789abcdef0123456789ABCDEF', 4)),
  coding(/(?:\d{1,3}[\s,]+){3,}\d{1,3}/g, [0], decimals),
]
