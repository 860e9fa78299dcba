/** What may have made a request go wrong is told from what did not. */
import { expect, test } from 'vitest'
import { Log } from './log.ts'
import type { CallStep, Step } from './step.ts'
import { suspectsOf } from './suspects.ts'

/** The suspects of the last of these requests, of the other organization where marked so, the likeliest first. */
function suspects(...requests: (CallStep['operation'] | `other ${CallStep['operation']}`)[]): string[] {
  const log = new Log()
  for (const [at, request] of requests.entries()) {
    const [operation, tenant = 'main'] = request.split(' ').toReversed()
    const common = { kind: 'call', at, as: 'key' } as const
    log.add({ step: { ...common, tenant, operation } as CallStep, ms: at, case: 0 })
  }
  const kindOf = ({ at }: Step) => `${requests[at]?.includes(' ') ? '' : 'main '}${requests[at]} 200 ok`
  const found = suspectsOf(log, [requests.length - 1], kindOf, 1)
  return found.map(({ places }) => `${requests[places[0] ?? 0]} ${places}`)
}

test('what came before a request that went right is suspected less than what did not', () => {
  const operations = ['createTask', 'createDocument', 'createKey', 'createTask', 'createDocument'] as const
  expect(suspects(...operations)).toEqual(['createKey 2', 'createTask 3'])
})

test('what only reads is suspected less than what changes something', () => {
  expect(suspects('createTask', 'listTasks', 'createDocument')).toEqual(['createTask 0', 'listTasks 1'])
})

test('what came before the like of a request is not suspected', () => {
  expect(suspects('createTask', 'createDocument', 'createKey', 'createDocument')).toEqual(['createKey 2'])
})

test('what never came so often before a request is suspected as often as that', () => {
  const operations = ['createKey', 'createTask', 'getTask', 'createTask', 'createTask', 'createKey'] as const
  expect(suspects(...operations, 'getTask')).toEqual(['createTask 4,3', 'createKey 5'])
})

test('what went right in the other organization clears the like in this one', () => {
  const there = ['createTask', 'other createKey', 'other getTask'] as const
  const here = ['createKey', 'other createTask', 'createDocument', 'getTask'] as const
  expect(suspects(...there, ...here).slice(-2)).toEqual(['other createTask 4', 'createKey 3'])
})
