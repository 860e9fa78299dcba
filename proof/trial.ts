/** Runs the suite against a mutated mock, whose time advances as the suite waits. */
import type { Variant } from '#contract/route.ts'
import type { Target, Transport } from '#contract-tests/client/target.ts'
import { resultsWithOutcome, type SuiteRun } from '#contract-tests/harness/outcome.ts'
import {
  type OperatorAccess,
  type SuiteSettings,
  settingsWithDefaults,
} from '#contract-tests/harness/terms.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { createHttpTarget } from '#contract-tests/targets/http.ts'
import { createEmbeddedMock, freshCredentialPatterns } from '#contract-tests/targets/in-process.ts'
import { withVirtualClock } from '#contract-tests/targets/virtual-time.ts'
import type { Mock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import { createMutatedMock, type Mutation } from './mutations/mutation.ts'

/** The outcome of one run of the suite against a mutated mock. */
export interface SuiteTrial {
  readonly run: SuiteRun
  /** The ids of the violated requirements, MUST and SHOULD. */
  readonly red: readonly string[]
  /** The ids of the requirements that seemed violated, where that was neither confirmed nor refuted. */
  readonly suspected: readonly string[]
  /** Errors of the suite or the mock, which make the trial void. */
  readonly faults: readonly string[]
  /** Sends a request to the mock in its state after the run. */
  readonly send: (request: Request) => Promise<Response>
}

/** Settings of the suite: it may test everything, and finds the same each time. */
const proofSettings: Partial<SuiteSettings> = { maxCredits: 20, concurrency: 8, runId: 'proof' }

/** The start of mock time in every trial, ms since the epoch. */
const now = Date.UTC(2026, 2, 2, 9)

/** Runs the suite in this process against a mock with mutations. `first`: true to end at the first violation. */
export async function tryMutations(
  mutations: readonly Mutation[],
  variant: Variant,
  settings: Partial<SuiteSettings> = {},
  { first = false }: { readonly first?: boolean } = {},
): Promise<SuiteTrial> {
  const { mock, target, access } = createEmbeddedMock({ variant, now }, (options) =>
    createMutatedMock(mutations, options),
  )
  const found = new AbortController()
  const run = await runSuite({
    target,
    settings: settingsWithDefaults({ ...proofSettings, ...access, ...settings }),
    signal: found.signal,
    progress({ outcome }) {
      if (first && (outcome === 'failed' || outcome === 'warned')) found.abort()
    },
  })
  return trialOf(run, mock)
}

/** Runs the suite over HTTP against a mock with mutations, with a path in the base URL. */
export async function tryMutationsOverHttp(
  mutations: readonly Mutation[],
  variant: Variant,
  path: string,
): Promise<SuiteTrial> {
  const { mock } = createEmbeddedMock({ variant, now }, (options) => createMutatedMock(mutations, options))
  return serveOverHttp(mock, path, async (http, access) => {
    const transport: Transport = async (...request) => whole(await http.transport(...request))
    const target = withVirtualClock({ ...http, transport }, mock.clock)
    return trialOf(
      await runSuite({ target, settings: settingsWithDefaults({ ...proofSettings, ...access }) }),
      mock,
    )
  })
}

/** Serves a mock over HTTP below a path while `use` runs. */
export async function serveOverHttp<T>(
  mock: Mock,
  path: string,
  use: (target: Target, access: OperatorAccess) => Promise<T>,
): Promise<T> {
  await using listener = await listen(mock)
  const target = createHttpTarget(listener.url + path)
  const credentials = mock.credentials()
  const access = {
    ...credentials,
    ...freshCredentialPatterns(credentials),
    statesUrl: `${target.baseUrl}/__admin/states`,
  }
  return await use(target, access).finally(target.close)
}

/** An answer whose body has arrived: in mock time, time passes as soon as no request is under way. */
async function whole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer()
  return new Response(bytes.byteLength > 0 ? bytes : null, response)
}

function trialOf(run: SuiteRun, { bugs, fetch }: Mock): SuiteTrial {
  return {
    run,
    red: resultsWithOutcome(run, 'failed', 'warned').map(({ requirement }) => requirement.id),
    suspected: resultsWithOutcome(run, 'suspected').map(({ requirement }) => requirement.id),
    faults: [
      ...resultsWithOutcome(run, 'harness_error').map(
        ({ requirement, reason }) => `${requirement.id}: ${reason}`,
      ),
      ...bugs.map((bug) => `an error in the mock: ${bug}`),
    ],
    send: fetch,
  }
}
