/** Whatever is pushed is read back, and what repeats itself takes few bytes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CodeLog } from './code-log.ts'

const readBack = (codes: readonly number[]) => {
  const log = new CodeLog()
  for (const code of codes) log.push(code)
  expect(log.length).toBe(codes.length)
  return [...log.newestFirst()].reverse()
}

test('codes are read back as they were pushed, repeated or not', () => {
  const part = fc
    .tuple(fc.array(fc.nat(3), { minLength: 1, maxLength: 70 }), fc.integer({ min: 1, max: 200 }))
    .map(([codes, times]) => Array.from({ length: times }, () => codes).flat())
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const codes = parts.flat()
      expect(readBack(codes)).toEqual(codes)
    }),
    { numRuns: 50 },
  )
})

test.each([1, 2, 3, 17, 64])('a repetition of %i codes that is interrupted goes on', (period) => {
  const codes = Array.from({ length: 5_000 }, (_, i) => (i % 1_234 === 1_233 ? 200 : i % period))
  expect(readBack(codes)).toEqual(codes)
})

test('what repeats itself takes no more bytes however long it lasts', () => {
  const log = new CodeLog()
  for (let i = 0; i < 100_000; i++) log.push(i % 63)
  expect(log.size).toBe(128)
})
