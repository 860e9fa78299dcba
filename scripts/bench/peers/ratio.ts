/** Ratios of what two sides did in the same rounds. */
import { type Spread, spreadOf } from '../rounds.ts'

export function median(values: readonly number[]): number {
  return spreadOf(values).median
}

/** The first divided by the second, round by round. */
export function ratioOf(one: readonly number[], other: readonly number[]): Spread {
  return spreadOf(one.map((value, round) => value / (other[round] ?? Number.NaN)))
}
