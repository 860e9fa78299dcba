/** What the whole traffic says of a thing is judged by the times that were given. */
import { expect, test } from 'vitest'
import type { Observation, Traffic } from '../harness/requirement.ts'
import { historyOf, said } from '../model/testing/history.ts'
import { knownThings } from './known-things.ts'

test('a list is judged as late as the run allows it to be', () => {
  const list = said('listNotifications', { items: [{ id: 'n', read: false }], unread: 1 })
  const listed = knownThings.find(({ id }) => id === 'NOTIFICATION-LISTED') as Observation
  const traffic = { history: historyOf([list, list]), exchanges: [], runTimeout: 1_000 }
  const observe = (consistency: number) => listed.observe({ ...traffic, consistency } as unknown as Traffic)
  expect(() => observe(0)).not.toThrow()
  expect(() => observe(1_000)).toThrow()
})
