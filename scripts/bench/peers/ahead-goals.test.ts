import { expect, test } from 'vitest'
import { ahead } from './ahead-goals.ts'

const standing = (name: string, ...values: number[]) => ({ name, own: name.startsWith('own'), values })

test('the nearest peer is named, by the median of the ratios in the same rounds', () => {
  const all = [standing('own', 10, 20, 40), standing('slow', 1, 1, 1), standing('near', 5, 8, 20)]
  expect(ahead('rate', 'higher', all)).toEqual({
    what: 'ahead of every peer: rate',
    measured: '2.00 times near (20.0 against 8.0)',
    reached: true,
    because: '',
  })
})

test('where less is better, a peer that needs less is ahead', () => {
  const goal = ahead('ms', 'lower', [standing('own', 10), standing('quick', 5)], 'it does less')
  expect(goal).toMatchObject({ reached: false, because: 'it does less' })
  expect(goal.measured).toContain('0.50 times quick')
})

test('the better of our own two stands for us', () => {
  const goal = ahead('ms', 'lower', [standing('own msw', 10), standing('own fetch', 2), standing('peer', 4)])
  expect(goal.reached).toBe(true)
})

test('a peer that cannot is nobody to be ahead of', () => {
  expect(ahead('pairs', 'higher', [standing('own', 1), standing('cannot')])).toMatchObject({
    measured: 'no peer',
  })
})
