/** A run that was over before the suite looked is no reason for a gap: others are tried. */
import { expect, test } from 'vitest'
import type { Middleware } from '../testing/middleware.ts'
import { runSuiteOnMock } from '../testing/run.ts'

const latency = { least: 5, most: 30 }

/** Tests a mock whose runs take `ms`, and which is late with the first answer about the task of each of the first runs. */
async function verdict(late: number, variant: 'first' | 'second', ms = 200) {
  const { least, most } = latency
  let count = 0
  const started = new Set<string>()
  const between: Middleware = async ({ path }, next, target) => {
    await target.sleep(least + (((count++ * 7) % 10) * (most - least)) / 10)
    if (started.delete(path) && late-- > 0) await target.sleep(2 * ms)
    const response = await next()
    if (path.endsWith('/run') && response.ok) started.add(path.slice(0, -'/run'.length))
    return response
  }
  const settings = { extended: 'on', maxCredits: 20, only: ['RUN-*', 'CREDITS-*'] } as const
  const { run } = await runSuiteOnMock(settings, { options: { runDuration: ms, variant }, between })
  const { results, credits } = run
  const gaps = results.filter(({ outcome, requirement: { id } }) => {
    return outcome === 'not_exercised' && /^(?:RUN|CREDITS)-/.test(id)
  })
  return { gaps: gaps.map(({ requirement, reason }) => `${requirement.id}: ${reason}`), credits }
}

test.each([
  ['first', 0],
  ['first', 1],
  ['first', 2],
  ['second', 1],
  ['second', 2],
] as const)('in the %s variant, %i late looks leave no gap', async (variant, late) => {
  expect((await verdict(late, variant)).gaps).toEqual([])
})

test('of a service whose runs end at once, two more runs are asked for', async () => {
  const usual = await verdict(0, 'second')
  const { gaps, credits } = await verdict(0, 'second', 0)
  expect(gaps.sort()).toEqual([
    'CREDITS-RESERVED: each run ended at once',
    'RUN-IN-PROGRESS-UNFINISHED: no task in_progress was seen',
    'RUN-LISTED-RUNNING: the run had ended when the tasks were listed',
    'RUN-OK: each run ended at once; ok may be its outcome',
  ])
  expect(credits.spent).toBeLessThanOrEqual(usual.credits.spent + 2)
})
