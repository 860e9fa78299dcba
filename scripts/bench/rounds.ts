/** Two sides measured in turn, so that what the machine does meanwhile meets both; then median and spread. */

/** The middle of what was measured, and its ends. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return { median: at(0.5), low: at(0), high: at(1) }
}

/** Measures both sides once in each round, the first to go changing from round to round. */
export async function alternate<T>(
  rounds: number,
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
): Promise<{ ours: T; theirs: T }[]> {
  const results: { ours: T; theirs: T }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await ours()
      results.push({ ours: first, theirs: await theirs() })
    } else {
      const first = await theirs()
      results.push({ ours: await ours(), theirs: first })
    }
  }
  return results
}
