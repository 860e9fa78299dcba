/** One wrong effect among all requests of the suite: its traffic shows it, so that no verdict is green. */
import { expect, test } from 'vitest'
import { Failure } from '#mocks/core/failure.ts'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { rejectCreatedKeys } from './defects/keys.ts'
import { combineMutations, type Mutation } from './mutations/mutation.ts'
import { callAfterHandling, changeAnswer, refuseRequests } from './mutations/rules.ts'
import { tryMutations } from './trial.ts'

/** A function that is true at one of its calls only: that at a place, from 0. */
function trueAt(place: number): () => boolean {
  let count = 0
  return () => count++ === place
}

/** Adds credits after the accepted run at a place. */
function chargeOnce(place: number, credits: number): Mutation {
  const isMeant = trueAt(place)
  return callAfterHandling('runTask', ({ org, now }, outcome) => {
    const isRefused = outcome instanceof Failure && outcome.name !== 'busy'
    if (!isRefused && isMeant()) org.ledger.topUp(credits, now)
  })
}

/** Shows a task as in progress that was shown as finished before, and was not run since. */
function goOnOnce(place: number): Mutation {
  const isMeant = trueAt(place)
  const finished = new Set<string>()
  return combineMutations(
    callAfterHandling('runTask', ({ id }) => void finished.delete(id)),
    changeAnswer('getTask', (answer, { id }) => {
      const isKnown = answer.finished && finished.size === finished.add(id).size
      if (!isKnown || !isMeant()) return undefined
      return { finished: false, task: { ...answer.task, status: 'in_progress' } }
    }),
  )
}

/** Answers that there is no such task, although it was read before. */
function loseOnce(place: number): Mutation {
  const isMeant = trueAt(place)
  const read = new Set<string>()
  return refuseRequests('getTask', 'not_found', ({ org, id }) => {
    const isKnown = org.tasks.get(id) !== undefined && read.size === read.add(id).size
    return isKnown && isMeant()
  })
}

/** Refuses a created key once, except in whoami, by which the suite waits for the end of a key. */
function refuseKeyOnce(place: number): Mutation {
  const isMeant = trueAt(place)
  return rejectCreatedKeys((_, operation) => operation !== 'whoami' && isMeant())
}

/**
 * The mistake that a service makes once, the number of places where it is tried (no more than the suite surely
 * reaches), and the places left out, where no credit is left to take. The last run is not tried: its effect may be
 * lost, since a state sets the balance after it.
 */
const wrongEffects = [
  ['a run is free', 22, (place) => chargeOnce(place, 1)],
  ['a run is charged twice', 22, (place) => chargeOnce(place, -1), [13, 15]],
  ['a finished task goes on', 7, goOnOnce],
  ['a task is not found', 50, loseOnce],
  ['a created key is refused', 40, refuseKeyOnce],
] satisfies [string, number, (place: number) => Mutation, number[]?][]

const places = wrongEffects.flatMap(([title, count, mutate, without = []]) =>
  Array.from({ length: count }, (_, place) => ({ title, place, mutate })).filter(
    ({ place }) => !without.includes(place),
  ),
)

test.each(sampleUnlessExhaustive(places, 10))('$title once, at place $place: not green', async (one) => {
  const { red, suspected, faults } = await tryMutations([one.mutate(one.place)], 'first', { extended: 'on' })
  expect(faults).toEqual([])
  expect([...red, ...suspected]).not.toEqual([])
})
