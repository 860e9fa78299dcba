/** Runs a client against a mock in the same process, whose time advances when the client sleeps. */
import { baselineRunFactsOf, type ClientReport } from '#client-tests/client-report.ts'
import { creditsPaid } from '#client-tests/entries.ts'
import type { RunFacts } from '#client-tests/rule.ts'
import { createMock, type Mock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { findScenario, scenarios } from '#mocks/scenarios/index.ts'
import { createNonHangingFetch } from '#mocks/testing/giving-up.ts'
import type { ClientProgram } from './bad-client.ts'

/** The mock time at which the clients in trials start, 2026-03-01T12:00Z, ms since the epoch. */
export const trialStartMs = Date.UTC(2026, 2, 1, 12)

/** The work of every client here if nothing goes wrong: paid work. */
const paidWork: Partial<RunFacts> = { hasPaidWork: true }

/**
 * Runs a client in the scenario in which nothing goes wrong; returns facts about its usual work, such as how much it
 * pays.
 */
export async function measureUsualWork(client: ClientProgram): Promise<Partial<RunFacts>> {
  const mock = createMock({ now: trialStartMs, scenario: scenarios.find(({ isPlain }) => isPlain)?.id })
  const { ok, report } = await judged(client, mock, 'usual', paidWork)
  // The credits that a client paid before it gave up are not the price of its work.
  const price = ok ? { price: creditsPaid(mock.journal.entries()) } : {}
  return { ...paidWork, ...price, ...baselineRunFactsOf(report) }
}

/**
 * Runs a client until it ends, and returns the client report. `label`: the name of the run in the report; `usual`:
 * facts about its usual work.
 */
export async function tryClient(
  client: ClientProgram,
  options: MockOptions,
  label = 'run',
  usual = paidWork,
): Promise<ClientReport> {
  const canFinish = findScenario(options.scenario ?? '')?.canFinish ?? true
  const mock = createMock({ now: trialStartMs, ...options })
  return (await judged(client, mock, label, { ...usual, canFinish })).report
}

async function judged(client: ClientProgram, mock: Mock, label: string, known: Partial<RunFacts>) {
  mock.clock.freeze()
  const printed: string[] = []
  const { ok, note } = await runClientToEnd(client, mock, (line) => printed.push(line))
  const killedAfter = ok === undefined ? maxSleepMs : undefined
  const run = { canFinish: true, ...known, killedAfter, output: printed.join('\n') }
  if (mock.bugs.length > 0) throw mock.bugs[0]
  return { ok, report: mock.report({ end: ok === undefined ? undefined : { ok }, run, note, label }) }
}

/** The mock time for which a client may sleep in all before it is killed, ms. */
export const maxSleepMs = 60 * 60_000

/** The ending of a client. `ok`: undefined if it was killed. */
interface Ending {
  readonly ok: boolean | undefined
  readonly note: string
}

/**
 * Runs a client until it ends, against a mock whose clock is frozen and advances when the client sleeps. `pause`: waits
 * in real time while it sleeps.
 */
export async function runClientToEnd(
  client: ClientProgram,
  mock: Pick<Mock, 'clock' | 'credentials' | 'handle'>,
  say: (line: string) => void,
  pause: (ms: number) => Promise<void> = async () => undefined,
): Promise<Ending> {
  const start = mock.clock.now()
  const killed = Promise.withResolvers<Ending>()
  const sleep = async (ms: number) => {
    if (mock.clock.now() - start <= maxSleepMs) return pause(ms).then(() => mock.clock.advance(ms))
    killed.resolve({ ok: undefined, note: 'killed' })
    return new Promise(() => undefined)
  }
  const connection = {
    baseUrl: 'http://mock.test',
    apiKey: mock.credentials().apiKey,
    fetch: createNonHangingFetch(mock.handle),
    sleep,
    say,
  }
  const ended = client(connection).then(
    () => ({ ok: true, note: 'ended without an error' }),
    (error) => ({ ok: false, note: `ended with "${error instanceof Error ? error.message : error}"` }),
  )
  return Promise.race([killed.promise, ended])
}
