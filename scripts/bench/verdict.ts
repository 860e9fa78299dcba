/** The time of one verdict: the suite against a mock behind a real listener, in real time. */
import type { SuiteRun } from '#contract-tests/harness/outcome.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { httpTarget } from '#contract-tests/targets/http.ts'
import type { Duration } from '#mocks/core/clock.ts'
import { listen } from '#mocks/edges/http.ts'
import { defects } from '#proof/defects/index.ts'
import { createMutated } from '#proof/mutations/mutation.ts'

/** What a verdict depends on. */
export interface Surroundings {
  /** Added to every answer, ms. */
  readonly latency: number
  /** The length of a run, such as `150ms`. */
  readonly runDuration: Duration
  /** The limit of each key, such as `15/1s`, or `off`. */
  readonly rateLimit: string
  /** Longest wait for a run to end, ms. */
  readonly runTimeout: number
  /** The defect of the service; undefined: none. */
  readonly defect?: string
}

/** Runs the suite once; its duration and its requests are in the result. */
export async function measureVerdict(given: Surroundings): Promise<SuiteRun> {
  const { latency, runDuration, rateLimit, runTimeout, defect } = given
  const mutations = defects.filter(({ id }) => id === defect).map((one) => one.mutate())
  if (defect !== undefined && mutations.length === 0) throw new Error(`no defect "${defect}"`)
  const mock = createMutated(mutations, { credits: 40, rateLimit, runDuration })
  const listener = await listen(mock, { host: '127.0.0.1', port: 0 })
  const http = httpTarget(listener.url)
  const target = {
    ...http,
    async transport(...request: Parameters<typeof http.transport>) {
      if (latency > 0) await http.sleep(latency)
      return http.transport(...request)
    },
  }
  const settings = settingsWith({
    ...mock.credentials(),
    statesUrl: `${listener.url}/__admin/states`,
    extended: 'on',
    maxCredits: 20,
    runTimeout,
  })
  try {
    return await runSuite({ target, settings })
  } finally {
    await http.close()
    await listener.close()
  }
}
