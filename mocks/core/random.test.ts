/** Random streams are reproducible for a seed and scope, and independent of each other. */
import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

test('ids do not repeat', () => {
  const chance = createRandom('s', 'ids')
  const ids = Array.from({ length: 100_000 }, () => chance.id('task'))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toMatch(/^task_[0-9a-z]{16}$/)
})

test('a stream tells what it was after fewer words, also once it was restored', () => {
  const random = createRandom('seed', 'earlier')
  for (const count of [0, 700, 1_000]) {
    const drawn = Array.from({ length: count }, () => random.word())
    const earlier = createRandom()
    earlier.restore(random.dump(300))
    expect(Array.from({ length: Math.max(0, count - 300) }, () => earlier.word())).toEqual(drawn.slice(300))
    random.restore(random.dump())
    expect(random.drawn).toBe(0)
  }
})
