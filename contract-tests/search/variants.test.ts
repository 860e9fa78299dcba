/** How long replays wait until what they show is certain. */
import { expect, test } from 'vitest'
import type { Step } from './step.ts'
import { awaited, setAtFirst } from './variants.ts'

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
