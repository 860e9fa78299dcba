import { expect, test } from 'vitest'
import { alternate, spreadOf } from './rounds.ts'

test('a spread is the middle of what was measured, and its ends', () => {
  expect(spreadOf([5, 1, 9, 3, 4])).toEqual({ median: 4, low: 1, high: 9 })
})

test('the sides take turns in going first', async () => {
  const order: string[] = []
  const side = (name: string) => async () => order.push(name)
  const results = await alternate(3, side('ours'), side('theirs'))
  expect(order).toEqual(['ours', 'theirs', 'theirs', 'ours', 'ours', 'theirs'])
  expect(results).toEqual([
    { ours: 1, theirs: 2 },
    { ours: 4, theirs: 3 },
    { ours: 5, theirs: 6 },
  ])
})
