/** The queue: first in, first out, for any number of items. */
import { expect, test } from 'vitest'
import { Queue } from './agent.ts'

test('items leave in the order in which they were added', () => {
  const queue = new Queue<number>()
  const left: (number | undefined)[] = []
  for (let i = 0; i < 5_000; i++) {
    queue.push(i)
    if (i % 2 === 1) left.push(queue.shift())
  }
  while (queue.size > 0) left.push(queue.shift())
  expect(left).toEqual(Array.from({ length: 5_000 }, (_, i) => i))
})

test('an empty queue returns undefined', () => {
  const queue = new Queue<string>()
  expect([queue.peek(), queue.shift(), queue.size]).toEqual([undefined, undefined, 0])
})

test('peeking does not remove the item', () => {
  const queue = new Queue<string>()
  queue.push('a')
  expect([queue.peek(), queue.peek(), queue.size]).toEqual(['a', 'a', 1])
})
