/** Reads durations such as `2s` and moments such as `2026-03-01T09:00:00Z`. */

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A duration: `2s`, `150ms`, `1m`, `1h`, `1d`, or a number of ms. */
export type Duration = DurationText | number
/** A duration with its unit. */
export type DurationText = `${number}${keyof typeof units}`

/** What to write instead of an invalid duration. */
export const durationAdvice = 'takes a duration such as 2s or 150ms'

/** The longest duration accepted, ms: about 30,000 years. */
const longest = 1e15

/** Returns ms from a duration; undefined if the value is invalid or too long. */
export function milliseconds(value: string | number): number | undefined {
  const ms = typeof value === 'number' ? value : ofText(value)
  return ms >= 0 && ms <= longest ? ms : undefined
}

function ofText(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?(?:e-\d{1,3})?)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined ? Number.NaN : Number(amount) * units[unit as keyof typeof units]
}

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
