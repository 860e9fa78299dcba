/** Choices by seed: the same seed gives the same choices. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** A source of choices. */
export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number
  /** True with a chance of 0 to 1. */
  chance(of: number): boolean
  /** One of several; undefined: there is none. */
  pick<T>(from: readonly T[]): T | undefined
  /** One of several, by weight; undefined: none has a weight above 0. */
  weigh<T>(from: readonly T[], weightOf: (one: T) => number): T | undefined
}

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed)
  const fraction = () => (generator.next() >>> 0) / 0x1_0000_0000
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    below,
    chance: (of) => fraction() < of,
    pick: (from) => from[below(from.length)],
    weigh(from, weightOf) {
      let left = fraction() * from.reduce((sum, one) => sum + weightOf(one), 0)
      return from.find((one) => {
        left -= weightOf(one)
        return left < 0
      })
    },
  }
}
