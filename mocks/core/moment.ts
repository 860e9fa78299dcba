/** Parses moments such as `2026-03-01T09:00:00Z`. */

/** A moment: ISO 8601, a Date, or ms since the epoch. */
export type MomentInput = string | number | Date

/** What to write instead of an invalid moment. */
export const momentAdvice = 'takes an ISO 8601 date such as 2026-03-01T09:00:00Z'

const iso = /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/** Returns ms since the epoch; undefined if the value is invalid or beyond the range of a Date. */
export function instant(value: MomentInput): number | undefined {
  const at = typeof value === 'string' ? read(value) : new Date(value).getTime()
  return Number.isNaN(at) ? undefined : at
}

/** Returns ISO 8601; null: there is no such moment. */
export function isoOf(at: number | null | undefined): string | null {
  return at !== null && at !== undefined && Number.isFinite(at) ? new Date(at).toISOString() : null
}

/** A time without a zone is UTC, so that it is the same on every machine. */
function read(text: string): number {
  const [, date = '', time, zone = 'Z'] = iso.exec(text) ?? []
  return Date.parse(time === undefined ? date : date + time + zone)
}
