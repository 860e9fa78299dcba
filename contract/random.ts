/** Seeded random numbers: the only wrapper of the generator. Equal seeds draw equal numbers. */
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/** Creates a generator of random whole numbers from 0 to 2^32 - 1, from a seed or a saved state. */
export function createRandomUint32Generator(start: number | readonly number[]) {
  const generator = typeof start === 'number' ? xoroshiro128plus(start) : xoroshiro128plusFromState(start)
  return { next: (): number => generator.next() >>> 0, getState: () => generator.getState() }
}

/** Functions that draw random fractions, whole numbers, booleans with a probability, and choices, also by weight. */
export type RandomSampler = ReturnType<typeof createSamplerFromWords>

/**
 * Creates functions that draw random numbers and choices. `word`: returns the next random whole number, 0 to 2^32 - 1.
 */
export function createSamplerFromWords(word: () => number) {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  const fraction = (): number => word() / 0x1_0000_0000
  /** A whole number from 0 to `limit` - 1. */
  const below = (limit: number): number => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    /** True with a chance of 0 to 1. */
    withProbability: (probability: number): boolean => fraction() < probability,
    /** One of several; undefined if there is none. */
    pick: <T>(from: readonly T[]): T | undefined => from[below(from.length)],
    /** One of several, by weight; undefined if none has a weight above 0. */
    pickWeighted<T>(from: readonly T[], weightOf: (one: T) => number): T | undefined {
      let left = fraction() * from.reduce((sum, one) => sum + weightOf(one), 0)
      return from.find((one) => {
        left -= weightOf(one)
        return left < 0
      })
    },
  }
}

/** Creates a sampler (functions that draw random values) whose draws are the same for the same seed. */
export const createSeededSampler = (seed: number): RandomSampler =>
  createSamplerFromWords(createRandomUint32Generator(seed).next)
