/** Recognizes requests that a gateway between client and service has sent again by itself. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { isSameRequest, longestPossibleGapMs, requestHeaderOf } from './entries.ts'
import type { RuleSituation } from './rule.ts'

/**
 * Headers in which a gateway numbers the requests that it receives: those with one number are one request of the
 * client.
 */
const numbering = ['x-varnish', 'cf-ray', 'x-amz-cf-id'] as const

/** Headers that a gateway adds, and clients do not send. */
const passedOn = [
  ...numbering,
  'via',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-real-ip',
] as const

/** The number that a gateway gave to a request; undefined if there is none. */
function numberOf(entry: JournalEntry): string | undefined {
  const name = numbering.find((one) => requestHeaderOf(entry, one) !== undefined)
  return name && `${name} ${requestHeaderOf(entry, name)}`
}

/**
 * Removes the repeats that a gateway sent by itself. It gave them the same number in a header; only the last one is
 * kept, whose answer the client got.
 */
export function withoutGatewayRepeats(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const last = new Map<string, JournalEntry>()
  for (const entry of entries) {
    const number = numberOf(entry)
    if (number !== undefined) last.set(`${number} ${entry.method} ${entry.url}`, entry)
  }
  if (last.size === 0) return entries
  return entries.filter((entry) => {
    const number = numberOf(entry)
    return number === undefined || last.get(`${number} ${entry.method} ${entry.url}`) === entry
  })
}

/** A gateway that sends a request again by itself does so at once, ms. */
const atOnce = 100

/**
 * True if the requests that show a violation are equal and so close together that a gateway, not the client, may have
 * sent the second.
 */
export function mayBeGatewayRepeat({ violation, evidence }: RuleSituation): boolean {
  if (violation === undefined) return false
  return evidence.some((entry, i) => {
    const before = evidence[i - 1]
    // Requests to which a gateway gave different numbers were sent separately.
    if (
      !before ||
      !isSameRequest(entry, before) ||
      longestPossibleGapMs(before, entry) > atOnce ||
      numberOf(entry)
    )
      return false
    return [before, entry].every((one) => passedOn.some((name) => requestHeaderOf(one, name) !== undefined))
  })
}
