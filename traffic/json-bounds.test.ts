/** Bounds of foreign JSON. */
import { expect, test } from 'vitest'
import { excessOf, jsonBounds } from './json-bounds.ts'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

test('nesting counts up to its bound, in arrays and objects, and not in strings', () => {
  expect(excessOf(nested(jsonBounds.depth))).toBeUndefined()
  expect(excessOf(nested(jsonBounds.depth + 1))).toBe('is nested deeper than 500 levels')
  expect(excessOf('{"a":'.repeat(jsonBounds.depth + 1))).toBe('is nested deeper than 500 levels')
  expect(excessOf(JSON.stringify(`"\\${nested(9_999)}`))).toBeUndefined()
  expect(excessOf(`[${'[],'.repeat(9_999)}[]]`)).toBeUndefined()
})

test('values count up to their bound', () => {
  const list = (length: number) => `[${Array(length).fill(0)}]`
  expect(excessOf(list(jsonBounds.values - 1))).toBeUndefined()
  expect(excessOf(list(jsonBounds.values + 1))).toBe('holds more than 1,000,000 values')
})
