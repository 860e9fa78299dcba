/** A red verdict takes at most one time-out longer than one and a half green ones. */
import { expect, test } from 'vitest'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { defects } from '#proof/defects/index.ts'
import { createMutated, type Mutation } from '#proof/mutations/mutation.ts'
import { resultsOf } from '../harness/outcome.ts'
import { settingsWith } from '../harness/terms.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { type Between, middleware } from '../testing/middleware.ts'
import { runSuite } from './run.ts'

const runTimeout = 30_000

/** The ids of the failures, and how long the suite waited, ms on the clock of the mock. */
async function judge(change: Between, ...mutations: Mutation[]) {
  const create = (options: MockOptions) => createMutated(mutations, options)
  const { target, access } = embeddedMock({ runDuration: '150ms' }, create)
  const started = target.now()
  const settings = settingsWith({ ...access, extended: 'on', maxCredits: 20, runTimeout, runId: 'red' })
  const run = await runSuite({ target: middleware(target, change), settings })
  const red = resultsOf(run, 'failed').map(({ requirement }) => requirement.id)
  return { red, ms: target.now() - started }
}

const isTask = (path: string) => /\/tasks\/[^/]+$/.test(path)

const unchanged: Between = (_, next) => next()

test('a run that has to wait and never starts is waited for in full once', async () => {
  const green = await judge(unchanged)
  const dropped = defects.filter(({ id }) => id === 'busy-dropped')
  const never = await judge(unchanged, ...dropped.map(({ mutate }) => mutate()))
  expect(never.red).toEqual(['BUSY-STARTS'])
  expect(never.ms).toBeLessThan(1.5 * green.ms + runTimeout)
})

test('a run that never ends is waited for in full once', async () => {
  const green = await judge(unchanged)
  expect(green.red).toEqual([])
  const never = await judge(async ({ method, path }, next) => {
    const response = await next()
    if (method !== 'GET' || !isTask(path) || !response.ok) return response
    return Response.json({ ...((await response.json()) as object), finished: false })
  })
  expect(never.red).toEqual(['RUN-ENDS'])
  expect(never.ms).toBeLessThan(1.5 * green.ms + runTimeout)
})

test('a refund that never comes is waited for in full once', async () => {
  const green = await judge(unchanged)
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
  expect(never.ms).toBeLessThan(1.5 * green.ms + runTimeout)
})
