import { expect, test } from 'vitest'
import { magicIn } from './magic.ts'

test('marks are read in order, with spaces around what they say', () => {
  const kinds = magicIn('[[mock: fail ]] and [[mock:slow 5s]]', 'run').map(({ kind }) => kind)
  expect(kinds).toHaveLength(2)
})

test('a mark inside of another is the one that counts', () => {
  expect(magicIn('[[mock:[[mock:fail]]', 'run')).toEqual(magicIn('[[mock:fail]]', 'run'))
})

test('a text of nothing but beginnings is read at once', () => {
  expect(magicIn('[[mock:'.repeat(100_000), 'run')).toEqual([])
})
