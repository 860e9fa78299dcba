/** Random values are reproducible and within their bounds. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '../core/random.ts'
import { createDraw } from './draw.ts'
import words from './names.json' with { type: 'json' }

const drawOf = (seed: string) => createDraw(createRandom(seed))

test('an integer is within its inclusive bounds', () => {
  const draw = drawOf('bounds')
  const met = new Set(Array.from({ length: 200 }, () => draw.whole(3, 6)))
  expect([...met].sort()).toEqual([3, 4, 5, 6])
})

test('some elements of a list are distinct, and all of them if all are requested', () => {
  fc.assert(
    fc.property(fc.string(), fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), (seed, choices, count) => {
      const wanted = count % (choices.length + 1)
      const drawn = drawOf(seed).some(choices, wanted)
      expect(drawn).toHaveLength(wanted)
      expect(new Set(drawn).size).toBe(wanted)
      expect(choices).toEqual(expect.arrayContaining(drawn))
    }),
  )
})

test('companies of a hundred streams are mostly different', () => {
  const names = new Set(Array.from({ length: 100 }, (_, i) => drawOf(String(i)).company()))
  expect(names.size).toBeGreaterThan(85)
})

test('words are unique plain text', () => {
  for (const list of Object.values(words)) {
    expect(new Set(list).size).toBe(list.length)
    for (const word of list) expect(word).toMatch(/^[\x20-\x7e]+$/)
  }
})
