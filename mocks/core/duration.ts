/** Parses durations such as `2s`. */

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** The longest duration accepted, ms: about 30,000 years. */
const longest = 1e15

/** Returns ms from `2s`, `150ms`, `1m`, `1h` or a number of ms; undefined if the value is invalid or too long. */
export function milliseconds(value: string | number): number | undefined {
  const ms = typeof value === 'number' ? value : read(value)
  return ms >= 0 && ms <= longest ? ms : undefined
}

function read(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? []
  return amount === undefined ? Number.NaN : Number(amount) * units[unit as keyof typeof units]
}
