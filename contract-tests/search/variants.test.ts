/** How long replays wait until what they show is certain. */
import { expect, test } from 'vitest'
import type { Step } from './step.ts'
import { awaited } from './variants.ts'

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
