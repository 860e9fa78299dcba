/** Measures in turn, so that other work on the machine affects every side; then medians and spreads. */

/** Median, lowest and highest; only the median where the others are not known. */
export type Spread = readonly [median: number, low?: number, high?: number]

/** What was measured, by name of the side: one reading a round, each by row. */
export type Readings = Map<string, Readonly<Record<string, number>>[]>

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return [at(0.5), at(0), at(1)]
}

/** Measures each side once a round, forwards and backwards in turn, and adds to the readings. */
export async function takeTurns<S extends { readonly name: string }>(
  readings: Readings,
  rounds: number,
  sides: readonly S[],
  measure: (side: S) => Promise<Readonly<Record<string, number>>>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      console.error(`round ${round + 1} of ${rounds}: ${side.name}`)
      const reading = await measure(side)
      readings.set(side.name, [...(readings.get(side.name) ?? []), reading])
    }
  }
}
