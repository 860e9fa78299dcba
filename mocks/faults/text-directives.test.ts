import { expect, test } from 'vitest'
import { directivesIn } from './text-directives.ts'

test('directives are read in order, with surrounding spaces', () => {
  const kinds = directivesIn('[[mock: fail ]] and [[mock:slow 5s]]', 'run').map(({ kind }) => kind)
  expect(kinds).toHaveLength(2)
})

test('only the inner one of nested directives counts', () => {
  expect(directivesIn('[[mock:[[mock:fail]]', 'run')).toEqual(directivesIn('[[mock:fail]]', 'run'))
})

test('a text of many incomplete directives is read in linear time', () => {
  expect(directivesIn('[[mock:'.repeat(100_000), 'run')).toEqual([])
})
