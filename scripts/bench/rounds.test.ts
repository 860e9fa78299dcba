import { expect, test, vi } from 'vitest'
import { type Readings, spreadOf, takeTurns } from './results.ts'

test('a spread is the median, the lowest and the highest', () => {
  expect(spreadOf([5, 1, 9, 3, 4])).toEqual([4, 1, 9])
})

test('sides take turns in going first, and each keeps its readings', async () => {
  const readings: Readings = new Map()
  vi.spyOn(console, 'error').mockReturnValue()
  let time = 0
  await takeTurns(readings, 3, [{ name: 'own' }, { name: 'peer' }], async () => ({ at: ++time }))
  expect(readings.get('own')).toEqual([{ at: 1 }, { at: 4 }, { at: 5 }])
  expect(readings.get('peer')).toEqual([{ at: 2 }, { at: 3 }, { at: 6 }])
})
