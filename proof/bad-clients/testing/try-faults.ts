/** Runs a client under faults against mocks in the same process, whose time advances when the client sleeps. */
import { casesFor, type WantedFaults } from '#cli/check/every-fault/cases.ts'
import { observe } from '#cli/check/every-fault/observation.ts'
import { runAll } from '#cli/check/jobs.ts'
import type { ClientReport } from '#client-tests/client-report.ts'
import { reportOnFaults, type TriedCase } from '#client-tests/every-fault/matrix.ts'
import { type FaultCase, usualCase } from '#client-tests/every-fault/plan.ts'
import type { Trial } from '#client-tests/every-fault/trial.ts'
import type { Mock } from '#mocks/app.ts'
import type { Access } from '../../../examples/client/client.ts'

type Client = (access: Required<Access>) => Promise<void>

/** A slow answer takes real time: so many clients run side by side. */
const jobs = 64
/** A client that sleeps longer than that is killed, ms. */
const mostTime = 60 * 60_000

/** The report of `check` on a client with these faults; `seed`: of data and pairs. */
export async function tryFaults(
  client: Client,
  wanted: Partial<WantedFaults>,
  seed = 'proof',
): Promise<ClientReport> {
  const usual = await runCase(client, usualCase, seed)
  const cases = casesFor({ every: false, pairs: 0, rules: [], ...wanted }, usual, seed)
  const { signal } = new AbortController()
  const runs = await runAll(cases, jobs, signal, async (tried): Promise<TriedCase> => {
    return { tried, trial: await runCase(client, tried, seed, usual) }
  })
  return reportOnFaults(usual, runs, false, ({ id }) => id)
}

async function runCase(client: Client, tried: FaultCase, seed: string, usual?: Trial): Promise<Trial> {
  const { mock, trial } = observe(tried, { seed })
  mock.clock.freeze()
  const { ok, note } = await endOf(client, mock)
  if (mock.bugs.length > 0) throw mock.bugs[0]
  const killedAfter = ok === undefined ? mostTime : undefined
  return trial({ end: ok === undefined ? undefined : { ok }, note, killedAfter }, usual)
}

/** How a client ends. `ok`: undefined if it was killed. */
async function endOf(client: Client, mock: Mock): Promise<{ ok: boolean | undefined; note: string }> {
  const killed = Promise.withResolvers<{ ok: undefined; note: string }>()
  const start = mock.clock.now()
  const ended = client({
    baseUrl: 'http://mock.test',
    apiKey: mock.credentials().apiKey,
    fetch: (url, init) => mock.fetch(new Request(url, init)),
    sleep: async (ms) => {
      if (mock.clock.now() - start <= mostTime) return mock.clock.advance(ms)
      killed.resolve({ ok: undefined, note: 'killed' })
      return new Promise(() => undefined)
    },
  }).then(
    () => ({ ok: true, note: 'ended without an error' }),
    (error) => ({ ok: false, note: `ended with "${error instanceof Error ? error.message : error}"` }),
  )
  return Promise.race([killed.promise, ended])
}
