/** The ways in which a text can be read: as it is, unescaped, and as base64, hex or bytes; with where each letter stands. */

/** A reading: letter i of `text` stands in the original from `from[i]` to before `to[i]`. */
export interface Reading {
  readonly text: string
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** Escapes inside escapes are undone so many times. */
const depth = 3

/** Every reading of a text in which something could be found. */
export function readingsOf(text: string): Reading[] {
  const escaped = layersOf(wholly(text), depth)
  const coded = escaped.flatMap((reading) => codings.flatMap((decode) => decode(reading)))
  return [...escaped, ...coded.flatMap((reading) => layersOf(reading, 1))]
}

/** A text as it is. */
export function wholly(text: string): Reading {
  const places = Array.from({ length: text.length + 1 }, (_, i) => i)
  return { text, from: places.slice(0, -1), to: places.slice(1) }
}

/** A reading, and what it becomes as its escapes are undone once, twice, and so on. */
export function layersOf(reading: Reading, times: number): Reading[] {
  if (times === 0 || reading.text.search(escaping) < 0) return [reading]
  return [reading, ...layersOf(unescaped(reading), times - 1)]
}

/** Percent-encoding, HTML entities, escapes of JSON and JavaScript; and what is left of one where a text was cut. */
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

function unescaped({ text, from, to }: Reading): Reading {
  const builder = new Builder()
  let at = 0
  for (const match of text.matchAll(new RegExp(escaping, 'gi'))) {
    for (; at < match.index; at++) builder.add(text[at] ?? '', from[at], to[at])
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
    for (const unit of read.split('')) builder.add(unit, from[match.index], to[at - 1])
  }
  for (; at < text.length; at++) builder.add(text[at] ?? '', from[at], to[at])
  return builder.reading
}

const character = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** A text in the making, letter by letter. */
class Builder {
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #text: string[] = []

  add(letter: string, from = 0, to = 0): void {
    this.#text.push(letter)
    this.#from.push(from)
    this.#to.push(to)
  }

  get reading(): Reading {
    return { text: this.#text.join(''), from: this.#from, to: this.#to }
  }
}

/** Finds runs of an alphabet and reads them as bytes; each run ends as the text goes on, cut (`…`) or otherwise. */
function coding(run: RegExp, skips: readonly number[], read: (run: Reading, into: Builder) => void) {
  return (reading: Reading): Reading[] => {
    const runs = [...reading.text.matchAll(run)]
    if (runs.length === 0) return []
    return skips.map((skip) => {
      const bytes = new Builder()
      for (const { index, 0: whole } of runs) {
        const [start, end] = [index + skip, index + whole.length]
        read(
          {
            text: reading.text.slice(start, end),
            from: reading.from.slice(start, end),
            to: reading.to.slice(start, end),
          },
          bytes,
        )
        bytes.add(reading.text[end] === '…' ? '…' : '\n', reading.to[end - 1], reading.to[end - 1])
      }
      return bytes.reading
    })
  }
}

/** Reads digits of a base into bytes; what is no digit is passed over. */
function digits(alphabet: string, bitsEach: number) {
  const values = new Map([...alphabet].map((letter, i) => [letter, i % 2 ** bitsEach]))
  return ({ text, from, to }: Reading, into: Builder) => {
    let [held, bits, begun] = [0, 0, 0]
    for (let i = 0; i < text.length; i++) {
      const value = values.get(text[i] ?? '')
      if (value === undefined) continue
      if (bits === 0) begun = from[i] ?? 0
      held = ((held << bitsEach) | value) & 0xffff
      bits += bitsEach
      if (bits < 8) continue
      bits -= 8
      into.add(String.fromCharCode((held >> bits) & 0xff), begun, to[i])
      begun = from[i] ?? 0
    }
  }
}

function decimals({ text, from, to }: Reading, into: Builder): void {
  for (const { index, 0: number } of text.matchAll(/\d+/g))
    into.add(String.fromCharCode(Number(number)), from[index], to[index + number.length - 1])
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const codings = [
  coding(/[\w+/-]{6,}(?:[\r\n]+[\w+/-]+)*/g, [0, 1, 2, 3], digits(`${letters}+/${letters}-_`, 6)),
  coding(/(?:[0-9a-f]{2}[\s:-]?){4,}/gi, [0, 1], digits('0123456789abcdef0123456789ABCDEF', 4)),
  coding(/(?:\d{1,3}[\s,]+){3,}\d{1,3}/g, [0], decimals),
]
