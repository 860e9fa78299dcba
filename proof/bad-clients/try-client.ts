/** Runs a client against a mock in the same process, whose time advances when the client sleeps. */
import { type ClientReport, pollsOn } from '#client-tests/client-report.ts'
import type { RunFacts } from '#client-tests/rule.ts'
import { createMock, type Mock } from '#mocks/app.ts'
import { createFetch } from '#mocks/edges/fetch.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { scenarioOf, scenarios } from '#mocks/scenarios/index.ts'
import type { Client } from './bad-client.ts'

/** Where mock time begins, ms since the epoch. */
export const noon = Date.UTC(2026, 2, 1, 12)

/** What every client here does where nothing goes wrong. */
const paidWork: Partial<RunFacts> = { hasPaidWork: true }

/** What a client does where nothing goes wrong. */
export async function usualWork(client: Client): Promise<Partial<RunFacts>> {
  const plain = scenarios.find(({ isPlain }) => isPlain)
  return { ...paidWork, pollsOn: pollsOn(await tryClient(client, { scenario: plain?.id })) }
}

/** Runs a client to its end, and judges it. `label`: the name of the run in the report. */
export async function tryClient(
  client: Client,
  options: MockOptions,
  label = 'run',
  usual = paidWork,
): Promise<ClientReport> {
  const mock = createMock({ now: noon, ...options })
  mock.clock.freeze()
  const printed: string[] = []
  const { ok, note } = await endOf(client, mock, (line) => printed.push(line))
  const canFinish = scenarioOf(options.scenario ?? '')?.canFinish ?? true
  const killedAfter = ok === undefined ? mostTime : undefined
  const run = { canFinish, ...usual, killedAfter, output: printed.join('\n') }
  if (mock.bugs.length > 0) throw mock.bugs[0]
  return mock.report({ end: ok === undefined ? undefined : { ok }, run, note, label })
}

/** A client that sleeps longer than that is killed, ms. */
export const mostTime = 60 * 60_000

/** How a client ended. `ok`: undefined if it was killed. */
interface Ending {
  readonly ok: boolean | undefined
  readonly note: string
}

/** Runs a client to its end against a mock whose clock is frozen. `pause`: also waits while the client sleeps. */
export async function endOf(
  client: Client,
  mock: Pick<Mock, 'clock' | 'credentials' | 'handle'>,
  say: (line: string) => void,
  pause: (ms: number) => Promise<void> = async () => undefined,
): Promise<Ending> {
  const start = mock.clock.now()
  const killed = Promise.withResolvers<Ending>()
  const sleep = async (ms: number) => {
    if (mock.clock.now() - start <= mostTime) return pause(ms).then(() => mock.clock.advance(ms))
    killed.resolve({ ok: undefined, note: 'killed' })
    return new Promise(() => undefined)
  }
  const connection = {
    baseUrl: 'http://mock.test',
    apiKey: mock.credentials().apiKey,
    fetch: createFetch(mock.handle),
    sleep,
    say,
  }
  const ended = client(connection).then(
    () => ({ ok: true, note: 'ended without an error' }),
    (error) => ({ ok: false, note: `ended with "${error instanceof Error ? error.message : error}"` }),
  )
  return Promise.race([killed.promise, ended])
}
