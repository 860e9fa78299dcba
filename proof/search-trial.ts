/** Searches a mutated mock, as an operator would search a service. */
import type { Target } from '#contract-tests/client/target.ts'
import { type OperatorAccess, settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { Explorer, maxOverrunMs } from '#contract-tests/search/explore.ts'
import { createEmbeddedMock } from '#contract-tests/targets/in-process.ts'
import { createMutatedMock, type Mutation } from './mutations/mutation.ts'
import { serveOverHttp } from './trial.ts'

/** Runs take 100 ms; a list may be late by 100 ms, a refund by 1.5 s. */
const options = (seed: number) => ({ runDuration: 100, seed: `search-${seed}` })
const allowances = { consistency: 100, runTimeout: 1_500 }

/** Searches a mutated mock for violations over HTTP, until one is confirmed or `ms` are over. */
export async function searchOverHttp(mutations: readonly Mutation[], seed: number, ms: number) {
  const mock = createMutatedMock(mutations, { ...options(seed), credits: 40, rateLimit: 'off' })
  return serveOverHttp(mock, '', (target, access) => search(target, access, seed, ms, mock.bugs))
}

/** ms of mock time that a request takes in process, about as many as over HTTP. */
const latency = 3

/**
 * Searches a mutated mock for violations in this process, for `ms` of mock time, which passes faster than real time.
 */
export async function searchInProcess(mutations: readonly Mutation[], seed: number, ms: number) {
  const { mock, target, access } = createEmbeddedMock(options(seed), (given) =>
    createMutatedMock(mutations, given),
  )
  const transport: Target['transport'] = async (...given) => {
    const until = mock.clock.now() + latency
    const answer = await target.transport(...given)
    // Concurrent requests take no longer than one.
    mock.clock.advance(Math.max(0, until - mock.clock.now()))
    return answer
  }
  return search({ ...target, transport }, access, seed, ms, mock.bugs)
}

async function search(
  target: Target,
  access: OperatorAccess,
  seed: number,
  ms: number,
  bugs: readonly unknown[],
) {
  const settings = settingsWithDefaults({ ...access, ...allowances, extended: 'on', runId: `proof-${seed}` })
  const started = target.now()
  const until = { steps: Number.POSITIVE_INFINITY }
  const explorer = new Explorer(settings, target, { until, seed, clients: 8 })
  await explorer.run(
    ({ findings }) => findings.some(({ confirmed }) => confirmed) || target.now() - started >= ms,
  )
  const { findings } = explorer
  const took = target.now() - started
  // A search may overrun its time by the investigation of a violation at its end.
  const isInTime = took <= ms + maxOverrunMs(ms)
  return {
    /** Findings that were seen again, within the time. */
    confirmed: findings.filter(({ confirmed }) => confirmed && isInTime),
    /** Violations that were seen and not seen again, or not within the time. */
    once: findings.filter(({ confirmed }) => !confirmed || !isInTime),
    /** ms on the clock of the mock. */
    took,
    /** Errors in the mock: they make the trial void. */
    bugs,
  }
}

/** The 95% confidence interval (Wilson) of a share, from successes and tries. */
export function wilsonInterval(successes: number, tries: number, z = 1.96): [low: number, high: number] {
  if (tries === 0) return [0, 1]
  const p = successes / tries
  const scale = 1 + z ** 2 / tries
  const middle = p + z ** 2 / (2 * tries)
  const spread = z * Math.sqrt((p * (1 - p)) / tries + z ** 2 / (4 * tries ** 2))
  return [(middle - spread) / scale, (middle + spread) / scale]
}
