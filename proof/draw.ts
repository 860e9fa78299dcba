/** Draws combinations of variations: the same for the same seed. */

import { createRandom } from '#mocks/core/random.ts'
import type { Variation } from './legal-variations/variation.ts'

const fewest = 3
const most = 8

/** Several variations, at most one of each group, in the order of the table. */
export function drawVariations(all: readonly Variation[], seed: string): Variation[] {
  const random = createRandom(`variations\u0000${seed}`)
  const wanted = fewest + (random.word() % (most - fewest + 1))
  const drawn = new Set<Variation>()
  const candidates = all.filter(({ wire }) => !wire)
  for (let tries = 0; drawn.size < wanted && tries < 100; tries++) {
    const one = candidates[random.word() % candidates.length]
    const taken = [...drawn].some(({ group }) => group !== undefined && group === one?.group)
    if (one && !taken) drawn.add(one)
  }
  return candidates.filter((one) => drawn.has(one))
}
