/** Words for drawing from a stream of chance. */
import type { Chance } from '../world.ts'

/** One of a list. */
export function pick<const L extends readonly [unknown, ...unknown[]]>(chance: Chance, list: L): L[number] {
  return list[Math.floor(chance.fraction() * list.length)]
}

/** True so often, 0 to 1. */
export function happens(chance: Chance, share: number): boolean {
  return chance.fraction() < share
}

/** A list in another order. */
export function shuffled<T>(chance: Chance, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: chance.word() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}
