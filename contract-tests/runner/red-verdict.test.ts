/** A red verdict takes at most one time-out longer than one and a half green ones. */
import { expect, test } from 'vitest'
import { defects } from '#proof/defects/index.ts'
import { createMutatedMock, type Mutation } from '#proof/mutations/mutation.ts'
import type { Middleware } from '../testing/middleware.ts'
import { idsWithOutcome, runSuiteOnMock } from '../testing/run.ts'

const runTimeout = 30_000

/** The ids of the failures, and how long the suite waited, ms on the clock of the mock. */
async function judge(between: Middleware = (_, next) => next(), mutations: readonly Mutation[] = []) {
  const options = { runDuration: '150ms', now: Date.UTC(2026, 2, 2, 9) } as const
  const { run, target } = await runSuiteOnMock(
    { extended: 'on', maxCredits: 20, runTimeout, runId: 'red' },
    { options, between, create: (given) => createMutatedMock(mutations, given) },
  )
  return { red: idsWithOutcome(run, 'failed'), ms: target.now() - options.now }
}

const green = await judge()
/** The balance is watched before a verdict on it, once. */
const longest = 1.5 * green.ms + runTimeout + 5_000

test('a run that has to wait and never starts is waited for in full once', async () => {
  const dropped = defects.filter(({ id }) => id === 'busy-dropped')
  const mutations = dropped.map(({ mutate }) => mutate())
  const never = await judge(undefined, mutations)
  expect(never.red).toEqual(['BUSY-STARTS'])
  expect(never.ms).toBeLessThan(longest)
})

test('a run that never ends is waited for in full once', async () => {
  expect(green.red).toEqual([])
  const never = await judge(async ({ method, path }, next) => {
    const response = await next()
    if (method !== 'GET' || !/\/tasks\/[^/]+$/.test(path) || !response.ok) return response
    return Response.json({ ...((await response.json()) as object), finished: false })
  })
  expect(never.red).toEqual(['RUN-ENDS'])
  expect(never.ms).toBeLessThan(longest)
})

test('a refund that never comes is waited for in full once', async () => {
  let charged = 0
  let failing = false
  const never = await judge(async ({ path, body: sent = '' }, next) => {
    if (sent.includes('"next_run_fails"')) failing = sent.includes('"setup"')
    const response = await next()
    if (path.endsWith('/run') && response.ok && failing) charged++
    const body = response.ok ? await response.clone().json() : undefined
    // Every answer that shows the balance shows it without the refunds.
    if (typeof body?.credits !== 'number') return response
    return Response.json({ ...body, credits: body.credits - charged })
  })
  expect(never.red).toContain('CREDITS-REFUND')
  expect(never.ms).toBeLessThan(longest)
})
