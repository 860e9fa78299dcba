import { expect, test } from 'vitest'
import { tryWalk } from './soundness.ts'
import { walk } from './walk.ts'

// A sample of the walks; `npm run proof:soundness` takes a million steps.
test.each([
  1, 37, 74, 121, 125, 126, 131, 150,
])('the model accuses no legal mock (walk %i)', async (number) => {
  const { steps, accusations } = await tryWalk(number, 400)
  expect(steps).toBeGreaterThanOrEqual(400)
  expect(accusations).toEqual([])
})

test('a walk is the same each time', async () => {
  const options = {
    seed: 'a',
    steps: 60,
    mutations: [],
    variant: 'first',
    clients: 4,
    lost: 0.3,
    others: 0.1,
  } as const
  const look = async () => JSON.stringify((await walk({ ...options, drift: 1 })).history)
  expect(await look()).toBe(await look())
})
