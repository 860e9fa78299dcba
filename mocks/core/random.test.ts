/** Random streams are reproducible for a seed and scope, and independent of each other. */
import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

test('the same seed and scope produce the same ids', () => {
  const draw = () => {
    const chance = createRandom('s', 'demo', 'ids')
    return [chance.id('task'), chance.word(), chance.fraction(), chance.id('run')]
  }
  expect(draw()).toEqual(draw())
})

test('another seed or scope produces other ids', () => {
  const first = createRandom('s', 'demo', 'ids').id('task')
  expect(createRandom('t', 'demo', 'ids').id('task')).not.toBe(first)
  expect(createRandom('s', 'other', 'ids').id('task')).not.toBe(first)
})

test('drawing from one scope does not affect another', () => {
  const ids = createRandom('s', 'demo', 'ids')
  for (let i = 0; i < 100; i++) createRandom('s', 'demo', 'luck').word()
  expect(ids.id('task')).toBe(createRandom('s', 'demo', 'ids').id('task'))
})

test('ids do not repeat', () => {
  const chance = createRandom('s', 'ids')
  const ids = Array.from({ length: 100_000 }, () => chance.id('task'))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toMatch(/^task_[0-9a-z]{16}$/)
})

test('fractions are distributed from zero to below one', () => {
  const chance = createRandom('s', 'luck')
  const drawn = Array.from({ length: 10_000 }, () => chance.fraction())
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...drawn)).toBeLessThan(1)
  const mean = drawn.reduce((sum, x) => sum + x, 0) / drawn.length
  expect(mean).toBeCloseTo(0.5, 1)
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
