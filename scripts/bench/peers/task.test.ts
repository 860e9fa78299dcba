import { expect, test } from 'vitest'
import { idIn, tasksOf } from './task.ts'

test('the id of a task is found in the answer of each kind of peer', () => {
  expect(idIn('{"task":{"id":"task_1x","text":"t"},"credits":25}')).toBe('task_1x')
  expect(idIn('{\n  "text": "t",\n  "id": 17\n}')).toBe('17')
  expect(idIn('{"text":"t","id":"a1b2-c3"}')).toBe('a1b2-c3')
  expect(() => idIn('{}')).toThrow('without an id')
})

test('tasks to begin with differ by their ids', () => {
  expect(tasksOf(2).map(({ id }) => id)).toEqual(['task_0', 'task_1'])
})
