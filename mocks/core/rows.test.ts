/** Rows are found by id and listed newest first. */
import { expect, test } from 'vitest'
import { Rows } from './rows.ts'

function rowsOf(count: number) {
  const rows = new Rows<{ id: string; even: boolean }>()
  for (let i = 0; i < count; i++) rows.append({ id: `row_${i}`, even: i % 2 === 0 })
  return rows
}

test('a row is found by its id', () => {
  const rows = rowsOf(3)
  expect(rows.get('row_1')).toEqual({ id: 'row_1', even: false })
  expect([rows.get('row_3'), rows.get('__proto__'), rows.size]).toEqual([undefined, undefined, 3])
})

test('the requested number of rows is returned, newest first', () => {
  const rows = rowsOf(5)
  expect(rows.newest(2).map(({ id }) => id)).toEqual(['row_4', 'row_3'])
  expect(rows.newest(2, ({ even }) => even).map(({ id }) => id)).toEqual(['row_4', 'row_2'])
  expect(rows.newest(9).map(({ id }) => id)).toEqual(['row_4', 'row_3', 'row_2', 'row_1', 'row_0'])
})
