/** The layout of lanes: time runs down, what overlaps stands side by side, and possible states have their row. */
import { expect, test } from 'vitest'
import { layOut, type Moment } from './lanes.ts'

const moment = (lane: string, from: number, to: number, more: Partial<Moment> = {}): Moment => ({
  lane,
  text: `${from}`,
  kind: 'ok',
  from,
  to,
  ...more,
})

test('what follows stands below, as wide as the lane; what overlaps stands beside', () => {
  const { columns, names, boxes } = layOut([moment('a', 1, 2), moment('a', 3, 6), moment('a', 4, 5)])
  expect(columns).toBe(2)
  expect(names).toEqual([{ name: 'a', row: '1', column: '1 / span 2' }])
  expect(boxes.map(({ row, column }) => [row, column])).toEqual([
    ['2 / 4', '1 / span 2'],
    ['4 / 8', '1'],
    ['5 / 7', '2'],
  ])
})

test('each organization has its lane, and possible states a row above what they are about', () => {
  const { names, boxes } = layOut([
    moment('main', 0, 0),
    moment('other', 1, 1, { before: ['Anything.'] }),
    moment('main', 2, 2),
  ])
  expect(names.map(({ name, column }) => [name, column])).toEqual([
    ['main', '1 / span 1'],
    ['other', '2 / span 1'],
  ])
  expect(boxes.map(({ row, column }) => [row, column])).toEqual([
    ['2 / 3', '1 / span 1'],
    ['3', '2 / span 1'],
    ['4 / 5', '2 / span 1'],
    ['5 / 6', '1 / span 1'],
  ])
  expect(boxes[1]).toMatchObject({ kind: 'possible', text: 'Possible before: Anything.' })
})
