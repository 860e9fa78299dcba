/** The seeded world: the same seed and scope draw the same, and scopes do not move each other. */
import { expect, test } from 'vitest'
import { createChance } from './world.ts'

test('the same seed and scope draw the same ids', () => {
  const draw = () => {
    const chance = createChance('s', 'demo', 'ids')
    return [chance.id('task'), chance.word(), chance.fraction(), chance.id('run')]
  }
  expect(draw()).toEqual(draw())
})

test('another seed, or another scope, draws others', () => {
  const first = createChance('s', 'demo', 'ids').id('task')
  expect(createChance('t', 'demo', 'ids').id('task')).not.toBe(first)
  expect(createChance('s', 'other', 'ids').id('task')).not.toBe(first)
})

test('what one scope draws does not move another', () => {
  const ids = createChance('s', 'demo', 'ids')
  for (let i = 0; i < 100; i++) createChance('s', 'demo', 'luck').word()
  expect(ids.id('task')).toBe(createChance('s', 'demo', 'ids').id('task'))
})

test('ids do not repeat', () => {
  const chance = createChance('s', 'ids')
  const ids = Array.from({ length: 100_000 }, () => chance.id('task'))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toMatch(/^task_[0-9a-z]{16}$/)
})

test('fractions are spread from zero to below one', () => {
  const chance = createChance('s', 'luck')
  const drawn = Array.from({ length: 10_000 }, () => chance.fraction())
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...drawn)).toBeLessThan(1)
  const mean = drawn.reduce((sum, x) => sum + x, 0) / drawn.length
  expect(mean).toBeCloseTo(0.5, 1)
})
