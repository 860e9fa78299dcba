/** The interval that holds a share with 95% certainty, after so many tries (Wilson's). */
export function wilson(successes: number, tries: number, z = 1.96): [low: number, high: number] {
  if (tries === 0) return [0, 1]
  const p = successes / tries
  const scale = 1 + z ** 2 / tries
  const middle = p + z ** 2 / (2 * tries)
  const spread = z * Math.sqrt((p * (1 - p)) / tries + z ** 2 / (4 * tries ** 2))
  return [(middle - spread) / scale, (middle + spread) / scale]
}
