/** Draws follow from their seed. */
import { expect, test } from 'vitest'
import { createSeededSampler } from './random.ts'

test('the same seed draws the same numbers, another seed draws others', () => {
  const draw = (seed: number) => {
    const random = createSeededSampler(seed)
    return Array.from({ length: 8 }, () => random.below(1_000))
  }
  expect(draw(1)).toEqual(draw(1))
  expect(draw(1)).not.toEqual(draw(2))
})
