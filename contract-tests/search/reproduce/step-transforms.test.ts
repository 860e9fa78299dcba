/** The waits of replays until what they show is certain. */
import { expect, test } from 'vitest'
import type { Step } from '../step.ts'
import { withConsistencyWaits, withOperatorKey, withUnreadNotifications } from './step-transforms.ts'

const replayWaits = { afterChangeMs: 120, afterFailureMs: 1_620, maxPauseMs: 5_000 }
const steps: readonly Step[] = [
  { kind: 'call', stepId: 1, tenant: 'main', credential: 'key', operation: 'createTask' },
  { kind: 'state', stepId: 2, tenant: 'main', state: 'credits', params: { credits: 3 } },
  {
    kind: 'call',
    stepId: 3,
    tenant: 'main',
    credential: 'key',
    operation: 'runTask',
    target: { createdBy: 1 },
  },
  { kind: 'call', stepId: 4, tenant: 'main', credential: 'key', operation: 'whoami' },
]
const waits = (failed: string[]) => {
  const all = withConsistencyWaits(steps, 'balance', replayWaits, () => 9, {
    failed: new Set(failed),
    ordinary: new Set(),
  })
  return all.flatMap((step) => (step.kind === 'wait' ? step.ms : []))
}

test('a run may be refunded until it is known how failed runs of its organization end', () => {
  expect(waits([])).toEqual([replayWaits.afterFailureMs])
  expect(waits(['other failed'])).toEqual([replayWaits.afterFailureMs])
  expect(waits(['main failed'])).toEqual([replayWaits.afterChangeMs])
})

test('before a list that showed unread notifications as many come as are referred to, and one more', () => {
  let last = 10
  const list = {
    kind: 'call',
    stepId: 1,
    tenant: 'main',
    credential: 'key',
    operation: 'listNotifications',
  } as const
  const mark = {
    ...list,
    stepId: 2,
    operation: 'readNotification',
    target: { listed: 1, nth: 1, unread: true },
  } as const
  const begun = (shown: number) =>
    withUnreadNotifications(
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
  const key = {
    kind: 'call',
    stepId: 1,
    tenant: 'main',
    credential: 'session',
    operation: 'createKey',
  } as const
  const asked = [2, 3].map((stepId) => ({
    ...key,
    stepId,
    credential: { createdBy: 1 },
    operation: 'whoami' as const,
  }))
  const merged = withOperatorKey([key, ...asked], (stepId) => stepId === 3)
  expect(merged.map((step) => 'credential' in step && step.credential)).toEqual(['key', 'invalid'])
})
