/** One wrong charge among all runs of the suite: the balance shows it, so that no verdict is green. */
import { expect, test } from 'vitest'
import { Failure } from '#mocks/core/failure.ts'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { callAfterHandling } from './mutations/rules.ts'
import { tryMutations } from './trial.ts'

/** Adds credits after the accepted run at a place, from 0. */
function chargeOnce(place: number, credits: number) {
  let accepted = 0
  return callAfterHandling('runTask', ({ org, now }, outcome) => {
    const isRefused = outcome instanceof Failure && outcome.name !== 'busy'
    if (!isRefused && accepted++ === place) org.ledger.topUp(credits, now)
  })
}

/** Runs of the suite whose balance is compared. The last one may be lost, and a state sets the balance after it. */
const runs = 22
/** Runs with the last credit: there is none that could be taken. */
const withLastCredit = [13, 15]

const places = Array.from({ length: runs }, (_, place) => place)
const wrongCharges = [
  ...places.map((place) => ['free', place, 1] as const),
  ...places
    .filter((place) => !withLastCredit.includes(place))
    .map((place) => ['charged twice', place, -1] as const),
]

test.each(
  sampleUnlessExhaustive(wrongCharges, 3),
)('a run that is %s once, at place %i, is not green', async (_, place, credits) => {
  const { red, suspected, faults } = await tryMutations([chargeOnce(place, credits)], 'first', {
    extended: 'on',
  })
  expect(faults).toEqual([])
  expect([...red, ...suspected]).not.toEqual([])
})
