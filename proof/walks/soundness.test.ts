import { expect, test } from 'vitest'
import { modelRules, statelessModelRules } from '#contract-tests/model/index.ts'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { tryWalk, variationsWalkedAlone } from './soundness.ts'
import { runRandomWalk } from './walk.ts'

const seen = new Set<string>()

// A sample of the walks; `npm run proof soundness` takes a million steps.
test.each([
  1, 3, 22, 39, 59, 71, 84, 131, 171, 217,
])('the model accuses no legal mock (walk %i)', async (number) => {
  const { steps, accusations, tried } = await tryWalk(number, 400)
  expect(steps).toBeGreaterThanOrEqual(400)
  expect(accusations).toEqual([])
  for (const rule of tried) seen.add(rule)
})

test('in them every rule that looks back has something to judge', () => {
  const lookingBack = modelRules.filter((one) => !statelessModelRules.includes(one))
  expect(lookingBack.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([])
})

test('the model accuses no variation alone, every quirk included', async () => {
  for (const number of sampleUnlessExhaustive([...variationsWalkedAlone.keys()], 4)) {
    const { name, accusations } = await tryWalk(number, 30)
    expect(accusations, name).toEqual([])
  }
})

test('a walk is the same each time', async () => {
  const options = {
    seed: 1,
    steps: 60,
    mutations: [],
    variant: 'first',
    clients: 4,
    lost: 0.3,
    others: 0.1,
  } as const
  const look = async () => JSON.stringify((await runRandomWalk({ ...options, drift: 1 })).history)
  expect(await look()).toBe(await look())
})
