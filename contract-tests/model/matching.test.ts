/** Objections quote two texts so that their difference shows. */
import { expect, test } from 'vitest'
import { quoteExpectedAndActual } from './matching.ts'

const long = 'word '.repeat(200)

test('of two long texts whose beginnings are the same, the place is quoted where they differ', () => {
  expect(quoteExpectedAndActual(`${long}sent`, `${long}shown`)).toEqual({
    expected: `1004 characters, from character 1002 on "ent", after "${`${'word '.repeat(9)}s`.slice(-40)}"`,
    actual: `1005 characters, from character 1002 on "hown", after "${`${'word '.repeat(9)}s`.slice(-40)}"`,
  })
  const short = quoteExpectedAndActual(long, long.slice(0, 501)).actual
  expect(short).toMatch(/^501 characters, from character 502 on "",/)
})

test('of short texts, and of what is no text, all is quoted', () => {
  expect(quoteExpectedAndActual('a', 'b')).toEqual({ expected: '"a"', actual: '"b"' })
  expect(quoteExpectedAndActual('null', null)).toEqual({ expected: '"null"', actual: 'null' })
})
