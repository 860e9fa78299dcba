/** What was created, and ids that belong to nothing, with the same form as an existing one. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'

/** The accepted requests of an operation in the first organization, with any of its keys. */
export function acceptedIn({ recorder }: Pick<TestContext, 'recorder'>, operation: OperationId): Exchange[] {
  const isOwn = ({ caller }: Exchange) => caller === 'main' || caller === 'created key'
  return recorder.exchanges.filter((one) => one.operation === operation && isOwn(one) && isAccepted(one))
}

const huge = '2147483646'

/**
 * An id like the given one that should not exist: numbers and counters become huge; in any other id the last
 * letters and digits are rotated (hex stays hex, case and separators stay).
 */
export function unknownLike(id: string, by = 1): string {
  const [, head, digits] = /^(.*?)(\d{1,9})$/.exec(id) ?? []
  if (
    head !== undefined &&
    digits !== undefined &&
    !/[0-9a-f]$/i.test(head) &&
    head.length + digits.length < 16
  ) {
    return head + String(Number(huge) - by)
  }
  return id.replace(
    /[0-9a-z][^0-9a-z]*(?=(?:[^0-9a-z]*[0-9a-z]){0,5}[^0-9a-z]*$)/gi,
    (match) => rotated(match[0] ?? '', by) + match.slice(1),
  )
}

const rings = ['0123456789', 'abcdef', 'ghjkmnpqrstvwxyz', 'ABCDEF', 'GHJKMNPQRSTVWXYZ']

function rotated(character: string, by: number): string {
  const ring = rings.find((one) => one.includes(character))
  return ring ? (ring[(ring.indexOf(character) + by) % ring.length] ?? character) : character
}

/**
 * Sends a request with an id that should not exist, and if that is accepted, once more with another: the first
 * may have existed.
 */
export async function requestUnknown(
  known: string,
  request: (id: string) => Promise<Exchange>,
): Promise<Exchange> {
  const first = await request(unknownLike(known, 1))
  return isAccepted(first) ? request(unknownLike(known, 3)) : first
}
