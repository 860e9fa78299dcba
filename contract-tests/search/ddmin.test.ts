/** Which steps are left out together, and that of a race only what it needs is left. */
import { expect, test } from 'vitest'
import { ddmin } from './ddmin.ts'
import { type CallStep, callsOf, type Step } from './step.ts'

const call = (at: number, operation: CallStep['operation'], made?: number): CallStep => ({
  kind: 'call',
  at,
  tenant: 'main',
  as: 'key',
  operation,
  ...(made === undefined ? {} : { of: { made } }),
})
const fails = (at: number): Step => ({
  kind: 'state',
  at,
  tenant: 'main',
  state: 'next_run_fails',
  params: {},
})
const end = (at: number, made: number): Step => ({ kind: 'end', at, tenant: 'main', of: { made } })
const whoami = (at: number) => call(at, 'whoami')

const numbers = (steps: readonly Step[]) =>
  steps.flatMap((step) => (step.kind === 'burst' ? callsOf(step) : [step]).map(({ at }) => at))

/** What is tried if steps show it that `suffice`, and the last that do. */
async function tryAll(
  steps: readonly Step[],
  suffice: (steps: readonly Step[]) => boolean,
  doubt?: (step: Step) => number,
) {
  const tried: string[] = []
  let left = steps
  const shows = async (fewer: readonly Step[]) => {
    tried.push(numbers(fewer).join(' '))
    if (suffice(fewer)) left = fewer
    return suffice(fewer)
  }
  await ddmin(steps, shows, doubt)
  return { tried, left: numbers(left).join(' ') }
}

test('a run is left out with the state that makes it fail, and with the wait for its end', async () => {
  const steps = [call(1, 'createTask'), fails(2), call(3, 'runTask', 1), end(4, 1), whoami(5), whoami(6)]
  const { tried } = await tryAll(steps, () => false)
  expect(tried).toContain('1 5 6')
  expect(tried.filter((one) => /\b[234]\b/.test(one) && !one.includes('2 3 4'))).toEqual([])
})

test('of a race only the requests are left that it needs, and what those are about', async () => {
  const tasks = [1, 2, 3, 4].map((at) => call(at, 'createTask'))
  const burst: Step = { kind: 'burst', at: 9, calls: tasks.map(({ at }) => call(10 + at, 'runTask', at)) }
  const needs = (fewer: readonly Step[]) => [12, 14].every((at) => numbers(fewer).includes(at))
  const { left } = await tryAll([...tasks, burst, whoami(20)], needs)
  expect(left).toBe('2 4 12 14 20')
})

test('requests of a burst are left out by halves, and steps twice as many at once as long as none is needed', async () => {
  const calls = Array.from({ length: 16 }, (_, i) => whoami(10 + i))
  const burst: Step = { kind: 'burst', at: 9, calls }
  const race = await tryAll([burst, whoami(30)], (fewer) => numbers(fewer).length > 2 && fewer.length === 2)
  expect(race.left).toBe('24 25 30')
  expect(race.tried.length).toBeLessThan(12)
  const steps = [...Array.from({ length: 9 }, (_, i) => whoami(1 + i)), whoami(40)]
  const { tried, left } = await tryAll(steps, (fewer) => numbers(fewer).includes(1))
  expect(left).toBe('1 40')
  expect(tried.length).toBeLessThan(9)
})

test('what is suspected least is left out first, and with it what it alone depends on', async () => {
  const steps = [
    call(1, 'createTask'),
    call(2, 'getTask', 1),
    call(3, 'createKey'),
    call(4, 'listTasks'),
    whoami(5),
  ]
  const doubts = new Map([2, 3, 4].map((at, nth) => [at, 1 - nth / 10]))
  const doubt = ({ at }: Step) => (at === 5 ? -1 : (doubts.get(at) ?? Number.POSITIVE_INFINITY))
  const { tried, left } = await tryAll(steps, (fewer) => numbers(fewer).includes(4), doubt)
  expect(tried[0]).toBe('4 5')
  expect(left).toBe('4 5')
})
