/** The greatest depth and size of foreign JSON, so that a walk through it ends and fits into memory. Pure. */

/** Limits on a JSON text that is read: its levels of nesting and its number of values. */
export const jsonBounds = { depth: 500, values: 1_000_000 }

/**
 * Says how a JSON text exceeds the bounds, such as `is nested deeper than 500 levels`; undefined if it does not. Takes
 * linear time.
 */
export function jsonBoundsProblem(text: string, most = jsonBounds): string | undefined {
  if (text.length <= most.values && !opensMore(text, most.depth)) return undefined
  const [quote, backslash, comma, array, object, endOfArray, endOfObject] = [...'"\\,[{]}'].map((one) =>
    one.charCodeAt(0),
  )
  let [depth, values, inString] = [0, 1, false]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === backslash) i++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === array || code === object) {
      values++
      if (++depth > most.depth) return `is nested deeper than ${most.depth} levels`
    } else if (code === endOfArray || code === endOfObject) depth--
    else if (code === comma && ++values > most.values)
      return `holds more than ${most.values.toLocaleString('en')} values`
  }
  return undefined
}

/**
 * True if a text has more than `number` opening brackets: few texts have, and counting takes less time than parsing.
 */
function opensMore(text: string, number: number): boolean {
  let count = 0
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++count > number) return true
  return false
}

/** Parses a JSON text; undefined if it is not valid. */
export function parseJson(text: string | null | undefined): unknown {
  // An error costs more than the reading of a page.
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
