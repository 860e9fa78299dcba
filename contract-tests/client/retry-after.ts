/** `Retry-After` in both forms of RFC 9110 §10.2.3. */

/**
 * ms to wait; undefined if the header is missing or has neither form. A date is compared with the `Date`
 * header of the same response if there is one, since the clock of the service may differ from ours.
 */
export function waitOf(value: string | undefined, date: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const until = instantOf(value)
  if (until === undefined) return undefined
  return Math.max(0, until - (instantOf(date ?? '') ?? Date.now()))
}

/** IMF-fixdate, RFC 850 or asctime; all are in GMT, although asctime does not say so. */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/** ms since the epoch. */
function instantOf(text: string): number | undefined {
  if (!httpDate.test(text)) return undefined
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(instant) ? undefined : instant
}
