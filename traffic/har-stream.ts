/** The entries of a HAR as its bytes come, so that no file is too large. */

/** A deeper text is no HAR. */
const deepest = 500
/** A longer entry holds no answer of this API, bytes; nor does one with more values. */
const [longest, mostValues] = [32_000_000, 1_000_000]

const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]
const [braceOpen, braceClose, listOpen, listClose] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The entries as text, in their order; undefined for one that is too large. @throws Error that says why it is no HAR. */
export async function* entriesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const scanner = new Scanner()
  for await (const chunk of chunks) yield* scanner.scan(chunk)
  scanner.end()
}

/** What leads to the entries, by depth: a name, and the bracket behind it. */
const way = [
  { name: '', bracket: braceOpen },
  { name: 'log', bracket: braceOpen },
  { name: 'entries', bracket: listOpen },
]

class Scanner {
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The last string outside of entries, cut: a name, if a colon follows. */
  #text = ''
  #name = ''
  /** How far the scanner is on its way. */
  #steps = 0
  #wasThere = false
  /** The text is a whole value. */
  #isWhole = false
  /** The current entry, as far as it was read; undefined: the scanner is in none. */
  #entry: { parts: Uint8Array[]; bytes: number; values: number } | undefined;

  *scan(chunk: Uint8Array): Generator<string | undefined> {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#isInString) {
        at = this.#endOfString(chunk, at)
        continue
      }
      const byte = chunk[at] ?? space
      if (byte <= space) continue
      if (this.#isWhole)
        throw new Error('something follows the end of the HAR: of several recordings, judge each by itself')
      const isBetween = !this.#entry && this.#depth === way.length && this.#steps === way.length
      if (isBetween && byte !== comma && byte !== listClose) {
        if (byte !== braceOpen) throw new Error('log.entries holds something that is no object')
        this.#entry = { parts: [], bytes: 0, values: 0 }
        start = at
      }
      if (byte === quote) {
        this.#isInString = true
        if (!this.#entry) this.#text = ''
      } else if (byte === colon) this.#name = this.#text
      else if (byte === comma) this.#count()
      else if (byte === braceOpen || byte === listOpen) this.#open(byte)
      else if (byte === braceClose || byte === listClose) {
        this.#close()
        if (this.#entry && this.#depth === way.length) {
          this.#take(chunk.subarray(start, at + 1))
          yield this.#taken()
        }
      }
    }
    if (this.#entry) this.#take(chunk.slice(start))
  }

  /** @throws Error where the text is no whole HAR. */
  end(): void {
    if (this.#depth > 0 || this.#isInString) throw new Error('Unexpected end of JSON input')
    if (!this.#wasThere) throw new Error('it is no HAR: there is no log.entries')
  }

  /** The place of the quote that ends a string, or the end of the chunk. */
  #endOfString(chunk: Uint8Array, from: number): number {
    let [at, isEscaped] = [from, this.#isEscaped]
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (isEscaped) isEscaped = false
      else if (byte === quote) break
      else isEscaped = byte === backslash
    }
    this.#isInString = at === chunk.length
    this.#isEscaped = isEscaped
    // An escaped name is none of those that lead to the entries.
    if (!this.#entry && this.#text.length < 9)
      this.#text += String.fromCharCode(...chunk.subarray(from, Math.min(at, from + 9)))
    return at
  }

  #open(byte: number): void {
    const next = way[this.#steps]
    if (this.#depth === this.#steps && next?.name === this.#name && next.bracket === byte) this.#steps++
    this.#wasThere ||= this.#steps === way.length
    if (++this.#depth > deepest) throw new Error(`it is nested deeper than ${deepest} levels`)
    this.#count()
  }

  #close(): void {
    this.#steps = Math.min(this.#steps, --this.#depth)
    if (this.#depth < 0) throw new Error('it is not JSON')
    this.#isWhole = this.#depth === 0
  }

  #count(): void {
    if (this.#entry && ++this.#entry.values > mostValues) this.#entry.parts = []
  }

  #take(part: Uint8Array): void {
    if (!this.#entry) return
    this.#entry.bytes += part.length
    if (this.#entry.bytes > longest || this.#entry.values > mostValues) this.#entry.parts = []
    else this.#entry.parts.push(part)
  }

  #taken(): string | undefined {
    const { parts, bytes, values } = this.#entry ?? { parts: [], bytes: 0, values: 0 }
    this.#entry = undefined
    return bytes > longest || values > mostValues ? undefined : Buffer.concat(parts).toString()
  }
}
