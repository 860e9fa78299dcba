/** A verdict comes in time while somebody else works in the organization. */
import { expect, test } from 'vitest'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { embeddedMock } from '#contract-tests/targets/in-process.ts'
import { sample } from '#mocks/testing/sample.ts'
import { variations } from './legal-variations/index.ts'
import { runningAgain } from './legal-variations/surroundings.ts'
import { createMutated } from './mutations/mutation.ts'

/** The longest time of a verdict, ms. */
const longest = 60_000

/** The mutation of a variation, if there is one of that id. */
const mutationsOf = (id: string) => variations.filter((one) => one.id === id).map((one) => one.mutate())

const others = [
  ['not-quiet', mutationsOf('not-quiet'), 60],
  ['not-quiet-runs', mutationsOf('not-quiet-runs'), 60],
  ['tasks run again', [runningAgain()], 20],
] as const

test.each(sample(others, 2))('%s: within a minute', async (_, mutations, latency) => {
  expect(mutations).toHaveLength(1)
  const options = { runDuration: '150ms', now: Date.UTC(2026, 2, 2, 9) } as const
  const { target, access } = embeddedMock(options, (given) => createMutated(mutations, given))
  const started = target.now()
  const run = await runSuite({
    target: {
      ...target,
      async transport(url, outgoing) {
        await target.sleep(latency)
        return target.transport(url, outgoing)
      },
    },
    settings: settingsWith({ ...access, extended: 'on', maxCredits: 20, runId: 'others' }),
  })
  expect(resultsOf(run, 'failed', 'warned')).toEqual([])
  expect(target.now() - started).toBeLessThan(longest)
})
