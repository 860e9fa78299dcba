import { expect, test } from 'vitest'
import { Rows } from './rows.ts'

test('the requested number of rows is returned, newest first', () => {
  const rows = new Rows<{ id: string }>()
  for (const id of ['a', 'b', 'c', 'd']) rows.append({ id })
  expect(rows.newest(2)).toEqual([{ id: 'd' }, { id: 'c' }])
  expect(rows.newest(2, ({ id }) => id !== 'c')).toEqual([{ id: 'd' }, { id: 'b' }])
})
