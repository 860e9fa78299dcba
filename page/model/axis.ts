/** An axis of mock time on which gaps are as long as their logarithm: seconds stay visible beside months. */

/** Returns the place of a moment on the axis, 0 to 1. */
export type Axis = (moment: number) => number

/** Returns the axis of some moments, ms since the epoch. */
export function axisOf(moments: readonly number[]): Axis {
  const sorted = [...new Set(moments)].sort((a, b) => a - b)
  const gaps = sorted.slice(1).map((moment, place) => moment - (sorted[place] ?? 0))
  const shortest = Math.min(...gaps)
  const places = [0]
  for (const gap of gaps) places.push((places.at(-1) ?? 0) + 1 + Math.log10(gap / shortest))
  const whole = places.at(-1) || 1
  return (moment) => {
    const after = sorted.findIndex((one) => one >= moment)
    if (after <= 0) return after === 0 ? 0 : 1
    const [from = 0, to = 1] = [sorted[after - 1], sorted[after]]
    const [start = 0, end = 0] = [places[after - 1], places[after]]
    return (start + ((moment - from) / (to - from)) * (end - start)) / whole
  }
}
