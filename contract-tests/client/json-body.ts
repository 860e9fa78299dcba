/** Reads JSON bodies without losing digits. */

/** The JSON value of a text; undefined if it is not JSON. */
export function parseBody(text: string): unknown {
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Keeps a whole number that a double cannot hold as text: it may be an id. */
function exact(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  return typeof value === 'number' && /^\d{16,}$/.test(source) && !Number.isSafeInteger(value)
    ? source
    : value
}
