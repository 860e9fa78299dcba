/** An axis of mock time on which long gaps are short: what happened stays visible, however long nothing did. */

/** How many times the usual gap between two moments a gap takes at most. */
const longest = 6

/** Returns the place of a moment on the axis, 0 to 1. */
export type Axis = (moment: number) => number

/** Returns the axis of some moments, ms since the epoch. */
export function axisOf(moments: readonly number[]): Axis {
  const sorted = [...new Set(moments)].sort((a, b) => a - b)
  const gaps = sorted.slice(1).map((moment, place) => moment - (sorted[place] ?? 0))
  const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 1
  const places = [0]
  for (const gap of gaps) places.push((places.at(-1) ?? 0) + Math.min(gap, longest * usual))
  const whole = places.at(-1) || 1
  return (moment) => {
    const after = sorted.findIndex((one) => one >= moment)
    if (after <= 0) return after === 0 ? 0 : 1
    const [from = 0, to = 1] = [sorted[after - 1], sorted[after]]
    const [start = 0, end = 0] = [places[after - 1], places[after]]
    return (start + ((moment - from) / (to - from)) * (end - start)) / whole
  }
}
