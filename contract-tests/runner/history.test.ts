/** What a history says of a service besides its violations. */
import { expect, test } from 'vitest'
import { judge } from '../model/index.ts'
import { type Given, historyOf, said } from '../model/testing/history.ts'
import { variantIn } from './history.ts'

const first = said('runTask', { taskId: 't1', status: 'done', finished: true }, { resource: 't1' })
const second = said('runTask', { ok: true, status: 'done', runId: 'r1' }, { resource: 't1' })
const both = (runId: string) =>
  said('runTask', { ...Object(first.json), ...Object(second.json), runId }, { resource: 't1' })

const seen: readonly { variant: string; isTried: boolean; answers: readonly Given[] }[] = [
  { variant: 'unknown', isTried: false, answers: [] },
  { variant: 'first', isTried: false, answers: [first] },
  { variant: 'first', isTried: true, answers: [both('r1'), both('r2')] },
  { variant: 'second', isTried: true, answers: [both('r2'), second] },
  { variant: 'mixed', isTried: true, answers: [first, second] },
]

test.each(seen)('the variant is $variant, and whether it is always that is judged: $isTried', (one) => {
  const { state, tried } = judge(historyOf(one.answers), { lag: 0, patience: 0 })
  expect([variantIn(state), tried.has('VARIANT-CONSISTENT')]).toEqual([one.variant, one.isTried])
})
