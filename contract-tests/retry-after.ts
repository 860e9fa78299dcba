/** `Retry-After` in both forms of RFC 9110 §10.2.3. */

/**
 * ms to wait, or undefined where the header is missing or of neither form. A date is read against the
 * `Date` of the same answer where there is one: the service's clock need not be ours.
 */
export function waitOf(value: string | undefined, date: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  if (!isHttpDate(value)) return undefined
  const now = date !== undefined && isHttpDate(date) ? Date.parse(date) : Date.now()
  return Math.max(0, Date.parse(value) - now)
}

/** IMF-fixdate, RFC 850 or asctime. */
function isHttpDate(text: string): boolean {
  const form =
    /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4}|[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2}|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d) \d{2}:\d{2}:\d{2}(?: GMT| \d{4})$/
  return form.test(text) && !Number.isNaN(Date.parse(text))
}
