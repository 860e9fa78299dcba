import { expect, test } from 'vitest'
import { parse } from './process.ts'

test('a program whose name has brackets and blanks is read right', () => {
  const numbers = Array.from({ length: 49 }, (_, i) => String(i + 4))
  expect(parse(7, `7 (a b) c) S ${numbers.join(' ')}`)).toEqual({
    pid: 7,
    parent: 4,
    cpu_us: (14 + 15) * 10_000,
    rss: 24 * 4_096,
  })
})
