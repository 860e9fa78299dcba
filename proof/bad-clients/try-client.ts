/** Runs a client against a mock in the same process, whose time advances when the client sleeps. */
import type { ClientReport } from '#client-tests/client-report.ts'
import { createMock, type Mock } from '#mocks/app.ts'
import { scenarioOf } from '#mocks/scenarios/index.ts'
import type { MockOptions } from '#mocks/scenarios/settings.ts'
import type { Client } from './index.ts'

/** Where mock time begins, ms since the epoch. */
const noon = Date.UTC(2026, 2, 1, 12)

/** Runs a client to its end, and judges it. `label`: the name of the run in the report. */
export async function tryClient(client: Client, options: MockOptions, label = 'run'): Promise<ClientReport> {
  const mock = createMock({ now: noon, ...options })
  mock.clock.freeze()
  const { ok, note } = await endOf(client, mock)
  const canFinish = scenarioOf(options.scenario ?? '')?.canFinish ?? true
  const run = { canFinish, hasPaidWork: true, killedAfter: ok === undefined ? mostTime : undefined }
  if (mock.bugs.length > 0) throw mock.bugs[0]
  return mock.report({ end: ok === undefined ? undefined : { ok }, run, note, label })
}

/** A client that sleeps longer than that is killed, ms. */
const mostTime = 60 * 60_000

/** Ends a client at its next sleep. */
class Killed extends Error {}

/** Runs a client to its end. `ok`: undefined if it was killed. */
async function endOf(client: Client, mock: Mock): Promise<{ ok: boolean | undefined; note: string }> {
  try {
    await client({
      baseUrl: 'http://mock.test',
      apiKey: mock.credentials().apiKey,
      fetch: (url, init) => mock.fetch(new Request(url, init)),
      sleep: async (ms) => {
        if (mock.clock.now() - noon > mostTime) throw new Killed()
        mock.clock.advance(ms)
      },
    })
    return { ok: true, note: 'ended without an error' }
  } catch (error) {
    if (error instanceof Killed) return { ok: undefined, note: 'killed' }
    return { ok: false, note: `ended with "${error instanceof Error ? error.message : error}"` }
  }
}
