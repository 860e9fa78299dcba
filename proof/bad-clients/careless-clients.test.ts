/** Under every fault: each careless client leaves exactly its effect, and the reference client none. */
import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import { createMockForFaultCase } from '#cli/check/every-fault/main.ts'
import { type FaultSelection, faultCasesFor } from '#cli/check/options.ts'
import { runInParallel } from '#cli/check/run-client.ts'
import { type ClientReport, isViolated } from '#client-tests/client-report.ts'
import { demandsOnWorkLeftBehind } from '#client-tests/every-fault/effects.ts'
import { createFaultReport, type TriedFaultCase } from '#client-tests/every-fault/matrix.ts'
import { type FaultCase, faultFreeCase } from '#client-tests/every-fault/plan.ts'
import type { ClientTrial } from '#client-tests/every-fault/trial.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import type { ClientProgram } from './bad-client.ts'
import {
  carelessClients,
  givingUpEarlyFlaw,
  referenceClientWithOneTask,
  repeatingAfterGatewayErrorFlaw,
} from './careless-clients.ts'
import { legalHabitFlaws } from './legal-habits.ts'
import { maxSleepMs, runClientToEnd, trialStartMs, tryClient } from './try-client.ts'

// A slow answer takes no real time: a timer ends as soon as nothing else is left to do.
beforeAll(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync'),
)
afterAll(() => void vi.useRealTimers())

/** Seed of the mock's data and of the pairs of faults. */
const seed = 'proof'

/** The report of `check` on a client with these faults. */
async function tryFaults(client: ClientProgram, wanted: FaultSelection): Promise<ClientReport> {
  const usual = await runCase(client, faultFreeCase)
  const cases = faultCasesFor(wanted, usual, seed)
  const { signal } = new AbortController()
  const runs = await runInParallel(cases, 1, signal, async (tried): Promise<TriedFaultCase> => {
    return { tried, trial: await runCase(client, tried, usual) }
  })
  return createFaultReport(usual, runs, false, ({ id }) => id)
}

/** Waits by a timer: no real time where timers are fake. */
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function runCase(client: ClientProgram, tried: FaultCase, usual?: ClientTrial): Promise<ClientTrial> {
  const { mock, trial } = createMockForFaultCase(tried, { seed, now: trialStartMs })
  mock.clock.freeze()
  const { ok, note } = await runClientToEnd(client, mock, () => undefined, pause)
  if (mock.bugs.length > 0) throw mock.bugs[0]
  const killedAfter = ok === undefined ? maxSleepMs : undefined
  return trial({ end: ok === undefined ? undefined : { ok }, note, killedAfter }, maxSleepMs, usual)
}

const broken = ({ rules }: ClientReport) => rules.filter(isViolated).map(({ id }) => id)

/** Violations in a report, run by run. */
const wrong = ({ matrix }: ClientReport) =>
  [...(matrix?.cells ?? []), ...(matrix?.others ?? [])].flatMap(({ id, violations }) =>
    violations.map((one) => `${id}: ${one.id}: ${one.what}`),
  )

const pairs = isExhaustiveTestRun ? 500 : 12

test('the reference client is clean under every fault at every request, and under pairs of them', async ({
  expect,
}) => {
  const report = await tryFaults(referenceClientWithOneTask(), { every: true, pairs })
  expect(wrong(report)).toEqual([])
  const idle = report.matrix?.cells.filter(({ outcome }) => outcome === 'not_exercised')
  expect([report.outcome, idle, report.matrix?.others.length]).toEqual(['passed', [], pairs])
})

test('a client that gives up slow answers and looks again is met by them, and is clean', async ({
  expect,
}) => {
  const report = await tryFaults(referenceClientWithOneTask(givingUpEarlyFlaw), { every: true })
  expect(wrong(report)).toEqual([])
  const slow = report.matrix?.cells.filter(({ fault }) => fault === 'delay:2s')
  expect(new Set(slow?.map(({ outcome }) => outcome))).toEqual(new Set(['passed']))
})

test.for(sampleUnlessExhaustive(carelessClients, 4))('$id breaks $breaks and nothing else', async ({
  flaw,
  hidesErrors,
  breaks,
}, { expect }) => {
  const report = await tryFaults(referenceClientWithOneTask(flaw, hidesErrors), { every: true })
  expect(broken(report), wrong(report).join('\n')).toEqual([breaks])
})

test('a client that repeats a run after a 500 of a gateway pays twice where it looks like that of the API', async ({
  expect,
}) => {
  const { matrix } = await tryFaults(referenceClientWithOneTask(repeatingAfterGatewayErrorFlaw), {
    every: true,
  })
  const broken = matrix?.cells.filter(({ violations }) => violations.length > 0)
  expect(broken?.map(({ id, violations }) => [id, violations.map((one) => one.id)])).toEqual([
    ['runTask#1=lost:gateway_error:json', ['pays-once', 'no-blind-repeat']],
  ])
})

test('a client that gives up while its run goes on reports work as failed that is done in the end', async ({
  expect,
}) => {
  const { flaw } = carelessClients.find(({ id }) => id === 'gives-up-at-lost-look') ?? {}
  const { matrix } = await tryFaults(referenceClientWithOneTask(flaw), { rules: ['getTask=reset;times=1'] })
  expect(matrix?.others[0]?.violations).toEqual([
    { id: 'reports-done-work', what: 'ended with an error although its run went on, and did its work' },
  ])
})

const { 'ends with an error after a failed run': endsWithError } = legalHabitFlaws

describe.each([
  ['reports the status and ends without an error', undefined],
  ['ends with an error', endsWithError],
])('a client whose run fails, and that %s, is at fault nowhere', (_, flaw) => {
  const client = referenceClientWithOneTask(flaw)

  test('in the scenario', async ({ expect }) => {
    const { outcome, totals } = await tryClient(client, { scenario: 'run-fails-and-refunds' })
    expect([outcome, totals.failed, totals.warned]).toEqual(['passed', 0, 0])
  })

  test.for(['runTask=fail', 'runTask=fail;times=1'])('by --fault %s', async (rule, { expect }) => {
    const report = await tryFaults(client, { rules: [rule] })
    expect([report.outcome, broken(report)]).toEqual(['passed', []])
  })
})

test('each effect has a client that breaks it', ({ expect }) => {
  const broken = new Set(carelessClients.map(({ breaks }) => breaks))
  expect(demandsOnWorkLeftBehind.filter(({ id }) => !broken.has(id))).toEqual([])
})
