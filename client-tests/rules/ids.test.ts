/** A client whose HTTP library refuses an id in a path sends no request: its end shows it. */
import { expect, test } from 'vitest'
import { clientOf } from '#mocks/testing/client.ts'
import { frozenMock } from '#mocks/testing/mock.ts'
import { outcomeOf, resultOf } from '../testing/rule-result.ts'

const run = { canFinish: true, hasPaidWork: true }
const end = { ok: false }

/** A client that ends after it created a task. */
async function stopped(scenario: 'odd-ids' | 'slow-run') {
  const mock = frozenMock({ scenario })
  await clientOf(mock).newTask()
  return mock
}

test('an end at an id that no path holds as it is violates the rule, and explains the end', async () => {
  const mock = await stopped('odd-ids')
  expect(resultOf(mock, 'encodes-ids', { end, run }).findings[0]?.what).toMatch(
    /^ended with an error at the id "task\/é .+", which a path cannot hold as it is$/,
  )
  expect(outcomeOf(mock, 'finishes-work', { end, run })).toBe('not_exercised')
})

test('an end at any other id does not, nor one of a client that runs no tasks elsewhere', async () => {
  expect(outcomeOf(await stopped('slow-run'), 'encodes-ids', { end, run })).toBe('not_exercised')
  const idle = { ...run, hasPaidWork: false }
  expect(outcomeOf(await stopped('odd-ids'), 'encodes-ids', { end, run: idle })).toBe('not_exercised')
})
