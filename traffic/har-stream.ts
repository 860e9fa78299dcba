/** The entries of a HAR as its bytes come, so that no file is too large. */

/** A deeper text is no HAR. */
const deepest = 500
/** Longest entry, bytes, and most values in one; a larger entry holds no answer of this API. */
const [longest, mostValues] = [32_000_000, 1_000_000]

const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]
const [braceOpen, braceClose, listOpen, listClose] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The steps from the outside of a HAR to its entries, each a name and the bracket behind it. */
const way = [
  { name: '', bracket: braceOpen },
  { name: 'log', bracket: braceOpen },
  { name: 'entries', bracket: listOpen },
]

/** Bytes that JSON may begin with, and those of a mark before it. */
const beginnings = Buffer.from('{["-0123456789tfn}]')
const byteOrderMark = Buffer.from('\ufeff')

/** An error that says why a file is no HAR, and how to get one. */
const noHarError = (reason: string) =>
  new Error(`it is no HAR: ${reason}; \`proxy\` in front of the service records one`)

/** The jq filter that makes a HAR of entries that stand in a file alone. */
const wrapping = '{log: {entries: .}}'

/**
 * Reads a HAR as a stream and yields its entries as texts, in their order; undefined for an entry that is too large.
 * @throws Error that says why it is no HAR.
 */
export async function* streamHarEntries(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string | undefined> {
  let depth = 0
  /** The number of steps of `way` that lead to the current place. */
  let steps = 0
  let [hasBegun, isList, wasThere] = [false, false, false]
  /** True once the JSON value has ended. */
  let isWhole = false
  let [isInString, isEscaped] = [false, false]
  /** The start of the last string outside of entries; the name of a field, if a colon follows. */
  let [text, name] = ['', '']
  /** The current entry, as far as it was read; undefined: between entries. */
  let entry: { parts: Uint8Array[]; bytes: number; values: number } | undefined
  for await (const chunk of chunks) {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      if (isInString) {
        at = endOfString(chunk, at)
        continue
      }
      const byte = chunk[at] ?? space
      if (byte <= space) continue
      if (!hasBegun && !beginnings.includes(byte) && !byteOrderMark.includes(byte))
        throw noHarError('it is not JSON')
      isList ||= !hasBegun && byte === listOpen
      hasBegun ||= !byteOrderMark.includes(byte)
      if (isWhole)
        throw wasThere
          ? new Error('something follows the end of the HAR: of several recordings, judge each by itself')
          : noHarError(`it is several values; if they are entries, \`jq -s '${wrapping}'\` makes one of them`)
      const isBetween = !entry && depth === way.length && steps === way.length
      if (isBetween && byte !== comma && byte !== listClose) {
        if (byte !== braceOpen) throw new Error('log.entries holds something that is no object')
        entry = { parts: [], bytes: 0, values: 0 }
        start = at
      }
      if (byte === quote) {
        isInString = true
        if (!entry) text = ''
      } else if (byte === colon) name = text
      else if (byte === comma) count()
      else if (byte === braceOpen || byte === listOpen) open(byte)
      else if (byte === braceClose || byte === listClose) {
        steps = Math.min(steps, --depth)
        if (depth < 0) throw new Error('it is not JSON')
        isWhole = depth === 0
        if (!entry || depth !== way.length) continue
        take(chunk.subarray(start, at + 1))
        const { parts, bytes, values } = entry
        entry = undefined
        yield bytes > longest || values > mostValues ? undefined : Buffer.concat(parts).toString()
      }
    }
    if (entry) take(chunk.slice(start))
  }
  if (depth > 0 || isInString) throw new Error('it is cut off: its JSON does not end')
  if (!wasThere)
    throw isList
      ? noHarError(`it is a list; if it is one of entries, \`jq '${wrapping}'\` makes one of it`)
      : noHarError(hasBegun ? 'there is no log.entries' : 'it is empty')

  /** The place of the quote that ends a string, or the end of the chunk. */
  function endOfString(chunk: Uint8Array, from: number): number {
    let at = from
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (isEscaped) isEscaped = false
      else if (byte === quote) break
      else isEscaped = byte === backslash
    }
    isInString = at === chunk.length
    // An escaped name is none of those that lead to the entries.
    if (!entry && text.length < 9)
      text += String.fromCharCode(...chunk.subarray(from, Math.min(at, from + 9)))
    return at
  }

  function open(byte: number): void {
    const next = way[steps]
    if (depth === steps && next?.name === name && next.bracket === byte) steps++
    wasThere ||= steps === way.length
    if (++depth > deepest) throw new Error(`it is nested deeper than ${deepest} levels`)
    count()
  }

  function count(): void {
    if (entry && ++entry.values > mostValues) entry.parts = []
  }

  function take(part: Uint8Array): void {
    if (!entry) return
    entry.bytes += part.length
    if (entry.bytes > longest || entry.values > mostValues) entry.parts = []
    else entry.parts.push(part)
  }
}
