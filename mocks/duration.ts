/** Durations as people write them. */

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** ms from `2s`, `150ms`, `1m`, `1h`, or a number of ms; undefined where it is neither. */
export function milliseconds(value: string | number): number | undefined {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value) ? value : undefined
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(value) ?? []
  return amount === undefined ? undefined : Number(amount) * units[unit as keyof typeof units]
}
