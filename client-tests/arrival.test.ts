/** Requests in the order in which they arrived. */
import { expect, test } from 'vitest'
import { inOrderOfArrival } from './arrival.ts'

const sent = (number: number, wire: string | null = null, org_id = 'org_1') => ({
  id: `req_${org_id}_${number}`,
  org_id,
  wire,
})
const idsOf = (requests: readonly { id: string }[]) => requests.map(({ id }) => id)

test('a request that was given up stands before those that were sent after that', () => {
  const [first, late, third, fourth] = [sent(1), sent(2, 'abandoned'), sent(3), sent(4)]
  const other = sent(9, null, 'org_2')
  const journal = [first, other, third, late, fourth]
  expect(idsOf(inOrderOfArrival(journal))).toEqual(idsOf([first, other, late, third, fourth]))
  expect(inOrderOfArrival([first, third])).toEqual([first, third])
})
