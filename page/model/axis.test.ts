/** The axis: in order, from 0 to 1, and long gaps are short. */
import { expect, test } from 'vitest'
import { axisOf } from './axis.ts'

test('equal gaps are equal', () => {
  expect([0, 10, 20, 15, -5, 99].map(axisOf([20, 0, 10]))).toEqual([0, 0.5, 1, 0.75, 0, 1])
})

test('a gap of months leaves room for the seconds around it', () => {
  const axis = axisOf([0, 1_000, 2_000, 1e7 + 2_000, 1e7 + 3_000])
  expect(axis(2_000)).toBeCloseTo(2 / 8)
  expect(axis(1e7 + 2_000)).toBeCloseTo(7 / 8)
})

test('one moment, or none, is no division by zero', () => {
  expect([axisOf([5])(5), axisOf([])(5)]).toEqual([0, 1])
})
