/** Ids that nobody has, of the same form as one that somebody has. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'

const huge = '2147483646'

/**
 * An id like the given one that should be nobody's: numbers and counters become huge, anything else has its
 * last letters and digits turned (hex stays hex, case and separators stay).
 */
export function unknownLike(id: string, turn = 1): string {
  const [, head, digits] = /^(.*?)(\d{1,9})$/.exec(id) ?? []
  if (
    head !== undefined &&
    digits !== undefined &&
    !/[0-9a-f]$/i.test(head) &&
    head.length + digits.length < 16
  ) {
    return head + String(Number(huge) - turn)
  }
  return id.replace(
    /[0-9a-z][^0-9a-z]*(?=(?:[^0-9a-z]*[0-9a-z]){0,5}[^0-9a-z]*$)/gi,
    (match) => turned(match[0] ?? '', turn) + match.slice(1),
  )
}

const rings = ['0123456789', 'abcdef', 'ghjkmnpqrstvwxyz', 'ABCDEF', 'GHJKMNPQRSTVWXYZ']

function turned(character: string, by: number): string {
  const ring = rings.find((one) => one.includes(character))
  return ring ? (ring[(ring.indexOf(character) + by) % ring.length] ?? character) : character
}

/**
 * Asks with an id that should be nobody's, and once more with another where the first was accepted after all:
 * it may have been somebody's.
 */
export async function askUnknown(known: string, ask: (id: string) => Promise<Exchange>): Promise<Exchange> {
  const first = await ask(unknownLike(known, 1))
  return isAccepted(first) ? ask(unknownLike(known, 3)) : first
}
