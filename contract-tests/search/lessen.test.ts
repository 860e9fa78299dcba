/** Which steps are left out together, and how many attempts a history is worth. */
import { expect, test } from 'vitest'
import { lessen } from './lessen.ts'
import type { Step } from './step.ts'

const call = (at: number, operation: 'createTask' | 'runTask' | 'whoami', made?: number): Step => ({
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

/** What is tried if steps show it that `suffice`. */
async function attempts(steps: readonly Step[], suffice: (steps: readonly Step[]) => boolean) {
  const tried: string[] = []
  const shows = async (fewer: readonly Step[]) => {
    tried.push(fewer.map(({ at }) => at).join(' '))
    return suffice(fewer)
  }
  await lessen(steps, shows, () => false)
  return tried
}

test('a run is left out with the state that makes it fail, and with the wait for its end', async () => {
  const steps = [call(1, 'createTask'), fails(2), call(3, 'runTask', 1), end(4, 1), whoami(5), whoami(6)]
  const tried = await attempts(steps, () => false)
  expect(tried).toContain('1 5 6')
  expect(tried.filter((one) => /\b[234]\b/.test(one) && !one.includes('2 3 4'))).toEqual([])
})

test('of a history of middling length only the first half is tried, as long as that is not needed', async () => {
  const steps = Array.from({ length: 20 }, (_, i) => whoami(i + 1))
  expect(await attempts(steps, () => false)).toHaveLength(1)
  const needed = await attempts(steps, (fewer) => fewer.some(({ at }) => at === 19))
  expect(needed[0]).toBe(Array.from({ length: 10 }, (_, i) => i + 11).join(' '))
  expect(needed).toContain('19 20')
})
