/** Judges a mock with alterations: without waiting, since its time moves as the suite waits. */
import type { Variant } from '#contract/route.ts'
import { resultsOf, type SuiteRun } from '#contract-tests/harness/outcome.ts'
import { type Settings, settingsWith } from '#contract-tests/harness/settings.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { httpTarget } from '#contract-tests/targets/http.ts'
import { embeddedMock } from '#contract-tests/targets/in-process.ts'
import { listen } from '#mocks/edges/http.ts'
import { createMutated, type Mutation } from './mutations/mutation.ts'

/** What one judgement came to. */
export interface Trial {
  readonly run: SuiteRun
  /** Ids of the requirements that were found broken, MUST and SHOULD. */
  readonly red: readonly string[]
  /** Faults of the suite or of the mock: they make the trial void. */
  readonly faults: readonly string[]
}

/** How the proof asks: everything may be judged, and the same is found each time. */
const proofSettings: Partial<Settings> = { maxCredits: 20, concurrency: 8, runId: 'proof' }

/** When mock time starts: no trial sees another moment. */
const now = Date.UTC(2026, 2, 2, 9)

/** Judges a mock with alterations, which follows a variant; without a socket. */
export async function tryAlterations(
  mutations: readonly Mutation[],
  variant: Variant,
  settings: Partial<Settings> = {},
): Promise<Trial> {
  const { mock, target, access } = embeddedMock({ variant, now }, (options) =>
    createMutated(mutations, options),
  )
  const run = await runSuite({ target, settings: settingsWith({ ...proofSettings, ...access, ...settings }) })
  return trialOf(run, mock.bugs)
}

/** The same over HTTP, with the service under a path. */
export async function tryOverHttp(
  mutations: readonly Mutation[],
  variant: Variant,
  path: string,
): Promise<Trial> {
  const { mock, target, access } = embeddedMock({ variant, now }, (options) =>
    createMutated(mutations, options),
  )
  const listener = await listen(mock, { host: '127.0.0.1', port: 0 })
  const http = httpTarget(listener.url + path)
  const statesUrl = `${http.baseUrl}/__admin/states`
  const settings = settingsWith({ ...proofSettings, ...access, statesUrl })
  try {
    const run = await runSuite({ target: { ...http, sleep: target.sleep, now: target.now }, settings })
    return trialOf(run, mock.bugs)
  } finally {
    await http.close()
    await listener.close()
  }
}

function trialOf(run: SuiteRun, bugs: readonly unknown[]): Trial {
  return {
    run,
    red: resultsOf(run, 'failed', 'warned').map(({ requirement }) => requirement.id),
    faults: [
      ...resultsOf(run, 'harness_error').map(({ requirement, reason }) => `${requirement.id}: ${reason}`),
      ...bugs.map((bug) => `a bug of the mock: ${bug}`),
    ],
  }
}
