import { expect, test } from 'vitest'
import { tableOf } from './table.ts'

test('a row says whether its median reaches the goal', () => {
  const text = tableOf([
    { name: 'fast', measured: { median: 0.6, low: 0.5, high: 0.7 }, unit: 'ratio', goal: { atLeast: 0.6 } },
    { name: 'slow', measured: { median: 251, low: 240, high: 260 }, unit: 'ms', goal: { atMost: 250 } },
    { name: 'bare', measured: { median: 50, low: 49, high: 51 }, unit: 'MB', note: 'for comparison' },
  ])
  expect(text.split('\n')).toEqual([
    'row   measured  spread     goal       reached  note',
    'fast  0.60      0.50–0.70  >= 0.6     yes',
    'slow  251 ms    240–260    <= 250 ms  no',
    'bare  50 MB     49–51      -          -        for comparison',
  ])
})
