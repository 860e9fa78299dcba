/** Draws from seeded random values. */
import type { SeededRandom } from '../core/random.ts'
import type { Quirk } from './quirk.ts'

/** One of a list. */
export function pick<const L extends readonly [unknown, ...unknown[]]>(
  random: SeededRandom,
  list: L,
): L[number] {
  return list[Math.floor(random.fraction() * list.length)]
}

/** A list in another order. */
export function shuffled<T>(random: SeededRandom, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: random.word() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}

/** Draws quirks by their shares, at most one of each group. */
export function drawQuirks(random: SeededRandom, quirks: readonly Quirk[]): Quirk[] {
  const lots = new Map<string, number>()
  return quirks.filter(({ id, group = id, share = 0 }) => {
    const lot = lots.get(group) ?? random.fraction()
    lots.set(group, lot - share)
    return lot >= 0 && lot < share
  })
}
