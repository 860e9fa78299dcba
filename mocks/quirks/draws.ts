/** Words for drawing from a stream of chance. */
import type { SeededRandom } from '../core/random.ts'

/** One of a list. */
export function pick<const L extends readonly [unknown, ...unknown[]]>(
  random: SeededRandom,
  list: L,
): L[number] {
  return list[Math.floor(random.fraction() * list.length)]
}

/** True so often, 0 to 1. */
export function happens(random: SeededRandom, share: number): boolean {
  return random.fraction() < share
}

/** A list in another order. */
export function shuffled<T>(random: SeededRandom, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: random.word() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}
