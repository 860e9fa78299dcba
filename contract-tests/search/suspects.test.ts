/** What may have made a request go wrong is told from what did not. */
import { expect, test } from 'vitest'
import { Log } from './log.ts'
import type { CallStep } from './step.ts'
import { suspectsOf } from './suspects.ts'

/** The suspects of the last of these requests, the likeliest first. */
function suspects(...operations: CallStep['operation'][]): string[] {
  const log = new Log()
  for (const [at, operation] of operations.entries())
    log.add({ step: { kind: 'call', at, tenant: 'main', as: 'key', operation }, ms: at, case: 0 })
  const found = suspectsOf(log, [operations.length - 1], ({ at }) => `${operations[at]} 200 ok`, 1)
  return found.map(({ place }) => `${operations[place]} ${place}`)
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
