/** Draws combinations of variations that go together. The same seed draws the same. */

import { createRandom } from '#mocks/core/random.ts'
import type { Variation } from './legal-variations/variation.ts'

const fewest = 3
const most = 8

/** Some variations at once, at most one of each group, in the order in which they stand. */
export function drawVariations(all: readonly Variation[], seed: string): Variation[] {
  const chance = createRandom(`variations\u0000${seed}`)
  const wanted = fewest + (chance.word() % (most - fewest + 1))
  const drawn = new Set<Variation>()
  const candidates = all.filter(({ wire }) => !wire)
  for (let tries = 0; drawn.size < wanted && tries < 100; tries++) {
    const one = candidates[chance.word() % candidates.length]
    const taken = [...drawn].some(({ group }) => group !== undefined && group === one?.group)
    if (one && !taken) drawn.add(one)
  }
  return candidates.filter((one) => drawn.has(one))
}
