/** Runs a client under faults against mocks in the same process, whose time advances when the client sleeps. */

import { observe } from '#cli/check/every-fault/main.ts'
import { casesFor, type WantedFaults } from '#cli/check/options.ts'
import { runAll } from '#cli/check/run-client.ts'
import type { ClientReport } from '#client-tests/client-report.ts'
import { reportOnFaults, type TriedCase } from '#client-tests/every-fault/matrix.ts'
import { type FaultCase, usualCase } from '#client-tests/every-fault/plan.ts'
import type { Trial } from '#client-tests/every-fault/trial.ts'
import type { Client } from '../bad-client.ts'
import { endOf, mostTime, noon } from '../try-client.ts'

/** The report of `check` on a client with these faults; `seed`: of data and pairs. */
export async function tryFaults(
  client: Client,
  wanted: Partial<WantedFaults>,
  seed = 'proof',
): Promise<ClientReport> {
  const usual = await runCase(client, usualCase, seed)
  const cases = casesFor({ every: false, pairs: 0, rules: [], ...wanted }, usual, seed)
  const { signal } = new AbortController()
  const runs = await runAll(cases, 1, signal, async (tried): Promise<TriedCase> => {
    return { tried, trial: await runCase(client, tried, seed, usual) }
  })
  return reportOnFaults(usual, runs, false, ({ id }) => id)
}

/** Takes no real time where timers are fake. */
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function runCase(client: Client, tried: FaultCase, seed: string, usual?: Trial): Promise<Trial> {
  const { mock, trial } = observe(tried, { seed, now: noon })
  mock.clock.freeze()
  const { ok, note } = await endOf(client, mock, () => undefined, pause)
  if (mock.bugs.length > 0) throw mock.bugs[0]
  const killedAfter = ok === undefined ? mostTime : undefined
  return trial({ end: ok === undefined ? undefined : { ok }, note, killedAfter }, mostTime, usual)
}
