/** Which steps are left out together, and that of a race only the requests that it needs are left. */
import { expect, test } from 'vitest'
import { type CallStep, requestsOfStep, type Step } from '../step.ts'
import { smallerStepSequences } from './ddmin.ts'

const call = (stepId: number, operation: CallStep['operation'], createdBy?: number): CallStep => ({
  kind: 'call',
  stepId,
  tenant: 'main',
  credential: 'key',
  operation,
  ...(createdBy === undefined ? {} : { target: { createdBy } }),
})
const fails = (stepId: number): Step => ({
  kind: 'state',
  stepId,
  tenant: 'main',
  state: 'next_run_fails',
  params: {},
})
const end = (stepId: number, createdBy: number): Step => ({
  kind: 'awaitRun',
  stepId,
  tenant: 'main',
  target: { createdBy },
})
const whoami = (stepId: number) => call(stepId, 'whoami')

const numbers = (steps: readonly Step[]) =>
  steps.flatMap((step) => (step.kind === 'burst' ? requestsOfStep(step) : [step]).map(({ stepId }) => stepId))

/** The sequences that are tried if those that `suffice` reproduce the violation, and the last one that does. */
function tryAll(steps: readonly Step[], suffice: (steps: readonly Step[]) => boolean) {
  const tried: string[] = []
  const candidates = smallerStepSequences(steps)
  let next = candidates.next()
  while (!next.done) {
    tried.push(numbers(next.value).join(' '))
    next = candidates.next(suffice(next.value))
  }
  return { tried, left: numbers(next.value).join(' ') }
}

test('a run is left out with the state that makes it fail, and with the wait for its end', () => {
  const steps = [call(1, 'createTask'), fails(2), call(3, 'runTask', 1), end(4, 1), whoami(5), whoami(6)]
  const { tried } = tryAll(steps, () => false)
  expect(tried).toContain('1 5 6')
  expect(tried.filter((one) => /\b[234]\b/.test(one) && !one.includes('2 3 4'))).toEqual([])
})

test('of a race only the requests are left that it needs, and what those are about', () => {
  const tasks = [1, 2, 3, 4].map((stepId) => call(stepId, 'createTask'))
  const burst: Step = {
    kind: 'burst',
    stepId: 9,
    calls: tasks.map(({ stepId }) => call(10 + stepId, 'runTask', stepId)),
  }
  const needs = (fewer: readonly Step[]) => [12, 14].every((stepId) => numbers(fewer).includes(stepId))
  const { left } = tryAll([...tasks, burst, whoami(20)], needs)
  expect(left).toBe('2 4 12 14 20')
})

test('requests of a burst are left out by halves, and steps twice as many at once as long as none is needed', () => {
  const calls = Array.from({ length: 16 }, (_, i) => whoami(10 + i))
  const burst: Step = { kind: 'burst', stepId: 9, calls }
  const race = tryAll([burst, whoami(30)], (fewer) => numbers(fewer).length > 2 && fewer.length === 2)
  expect(race.left).toBe('24 25 30')
  expect(race.tried.length).toBeLessThan(12)
  const steps = [...Array.from({ length: 9 }, (_, i) => whoami(1 + i)), whoami(40)]
  const { tried, left } = tryAll(steps, (fewer) => numbers(fewer).includes(1))
  expect(left).toBe('1 40')
  expect(tried.length).toBeLessThan(9)
})
