/** Parses durations such as `2s`. */

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
  const ms = typeof value === 'number' ? value : read(value)
  return ms >= 0 && ms <= longest ? ms : undefined
}

function read(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?(?:e-\d{1,3})?)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined ? Number.NaN : Number(amount) * units[unit as keyof typeof units]
}
