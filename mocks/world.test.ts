/** The seeded world: the same seed and scope draw the same, and scopes do not move each other. */
import { expect, test } from 'vitest'
import { createWorld } from './world.ts'

const seeded = (seed = 's') => createWorld({ seed, now: 0 })

test('the same seed and scope draw the same ids', () => {
  const draw = () => {
    const chance = seeded().chance('demo', 'ids')
    return [chance.id('task'), chance.word(), chance.fraction(), chance.id('run')]
  }
  expect(draw()).toEqual(draw())
})

test('another seed, or another scope, draws others', () => {
  const first = seeded().chance('demo', 'ids').id('task')
  expect(seeded('t').chance('demo', 'ids').id('task')).not.toBe(first)
  expect(seeded().chance('other', 'ids').id('task')).not.toBe(first)
})

test('what one scope draws does not move another', () => {
  const world = seeded()
  const ids = world.chance('demo', 'ids')
  for (let i = 0; i < 100; i++) world.chance('demo', 'luck').word()
  expect(ids.id('task')).toBe(seeded().chance('demo', 'ids').id('task'))
})

test('ids do not repeat', () => {
  const chance = seeded().chance('ids')
  const ids = Array.from({ length: 100_000 }, () => chance.id('task'))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toMatch(/^task_[0-9a-z]{16}$/)
})

test('fractions are spread from zero to below one', () => {
  const chance = seeded().chance('luck')
  const drawn = Array.from({ length: 10_000 }, () => chance.fraction())
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...drawn)).toBeLessThan(1)
  const mean = drawn.reduce((sum, x) => sum + x, 0) / drawn.length
  expect(mean).toBeCloseTo(0.5, 1)
})
