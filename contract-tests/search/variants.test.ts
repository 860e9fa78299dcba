/** How long replays wait until what they show is certain, and what may have made a request go wrong. */
import { expect, test } from 'vitest'
import { Log } from './log.ts'
import type { CallStep, Step } from './step.ts'
import { suspectsOf } from './suspects.ts'
import { awaited, mergedClients, setAtFirst, withUnread } from './variants.ts'

const gaps = { shortest: 50, short: 120, settled: 1_620, longest: 5_000 }
const steps: readonly Step[] = [
  { kind: 'call', at: 1, tenant: 'main', as: 'key', operation: 'createTask' },
  { kind: 'state', at: 2, tenant: 'main', state: 'credits', params: { credits: 3 } },
  { kind: 'call', at: 3, tenant: 'main', as: 'key', operation: 'runTask', of: { made: 1 } },
  { kind: 'call', at: 4, tenant: 'main', as: 'key', operation: 'whoami' },
]
const waits = (failed: string[]) => {
  const all = awaited(steps, 'credits-explained-whoami', gaps, () => 9, {
    failed: new Set(failed),
    ordinary: new Set(),
  })
  return all.flatMap((step) => (step.kind === 'wait' ? step.ms : []))
}

test('a run may be refunded until it is known how failed runs of its organization end', () => {
  expect(waits([])).toEqual([gaps.settled])
  expect(waits(['other failed'])).toEqual([gaps.settled])
  expect(waits(['main failed'])).toEqual([gaps.short])
})

test('a balance that is set between two runs is set before both, with what the first one costs', () => {
  const [create, set, run, read] = steps as [Step, Step, Step, Step]
  const between = [create, { ...run, at: 5 }, set, run, read]
  const state = { ...set, params: { credits: 4 } }
  expect(setAtFirst(between, 'refund-comes')).toEqual([state, create, { ...run, at: 5 }, run, read])
  expect(setAtFirst(steps, 'refund-comes')).toBeUndefined()
})

test('before a list that showed unread notifications as many come as are referred to, and one more', () => {
  let last = 10
  const list = { kind: 'call', at: 1, tenant: 'main', as: 'key', operation: 'listNotifications' } as const
  const mark = {
    ...list,
    at: 2,
    operation: 'readNotification',
    of: { listed: 1, nth: 1, unread: true },
  } as const
  const begun = (shown: number) =>
    withUnread(
      [list, mark],
      () => shown,
      () => ++last,
    )
  expect([0, 1, 9].map((shown) => begun(shown).filter(({ kind }) => kind === 'state').length)).toEqual([
    0, 1, 3,
  ])
  expect(begun(9).slice(-2)).toEqual([list, mark])
})

test('what a created key asked is asked with that of the operator, or with none that is valid if it was refused', () => {
  const key = { kind: 'call', at: 1, tenant: 'main', as: 'session', operation: 'createKey' } as const
  const asked = [2, 3].map((at) => ({ ...key, at, as: { made: 1 }, operation: 'whoami' as const }))
  const merged = mergedClients([key, ...asked], new Set(), (at) => at === 3)
  expect(merged.map((step) => 'as' in step && step.as)).toEqual(['key', 'invalid'])
})

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
