/**
 * Each scenario is recorded, rebuilt from the recording and met again by the same client: it gets the same statuses,
 * codes and values, except those that are the service's to choose. So does what follows on a cut.
 */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { rebuildMock } from '#mocks/rebuilt.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { type RecordedExchange, readHarExchanges } from '#traffic/recording.ts'
import { type ClientProgram, referenceClientWithFlaw } from './bad-clients/bad-client.ts'
import { badClients } from './bad-clients/index.ts'
import {
  clientWithoutRunRequests,
  quickScenarios,
  recordClientOn,
  recordClientOnNewMock,
  recordingDifferences,
} from './recording.ts'

const seeds = Array.from({ length: isExhaustiveTestRun ? 20 : 1 }, (_, i) => `quirks-${i}`)

const cases: readonly { readonly name: string; readonly options: MockOptions }[] = [
  ...quickScenarios.map(({ id }) => ({ name: id, options: { scenario: id } })),
  ...seeds.map((name) => ({ name, options: { strictClient: name, fault: 'runTask=ok,fail' } as const })),
]

/** Recording of the usual client at a mock with options, made once for all tests. */
const recordings = new Map<MockOptions, ReturnType<typeof recordClientOnNewMock>>()
function recordedOnce(options: MockOptions) {
  const known = recordings.get(options) ?? recordClientOnNewMock(options)
  recordings.set(options, known)
  return known
}

/** Requires that a client meets again what it met; returns what was said of the recording. */
async function expectMetAgain(options: MockOptions, client?: ClientProgram): Promise<readonly string[]> {
  const before = readHarExchanges(
    await (client ? recordClientOnNewMock(options, client) : recordedOnce(options)),
  )
  const { mock, notes } = await rebuildMock(createMock, before)
  const after = readHarExchanges(await recordClientOn(mock, client))
  expect([recordingDifferences(before, after), after.length]).toEqual([[], before.length])
  return notes
}

test.each(cases)('$name is met again', async ({ options }) => {
  await expectMetAgain(options)
})

/** Two of three; `npm run proof` cuts all. */
const cutCases = isExhaustiveTestRun ? cases : cases.filter((_, i) => i % 3 !== 0)

test.each(cutCases)('$name goes on from a cut as it did', async ({ options }) => {
  const before = readHarExchanges(await recordedOnce(options))
  const cut = before[before.length >> 1]?.number ?? 1
  const { mock } = await rebuildMock(createMock, before, cut)
  const rest = before.filter(({ number }) => number >= cut)
  const after: RecordedExchange[] = []
  for (const one of rest) {
    mock.clock.set(Math.max(one.at + 3, mock.clock.now()))
    const { method, url, requestHeaders: headers, requestBody: body } = one
    const answer = await mock
      .fetch(url, { method, headers, ...(body !== undefined && { body }) })
      .catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    after.push({ ...one, status: answer?.status ?? 0, text })
  }
  expect(recordingDifferences(rest, after)).toEqual([])
})

test.each(
  sampleUnlessExhaustive(
    badClients.filter(({ scenario }) => scenario === 'unknown-statuses'),
    5,
  ),
)('$id meets the words of statuses again', async ({ flaw }) => {
  await expectMetAgain({ scenario: 'unknown-statuses' }, referenceClientWithFlaw(flaw, true))
})

test('documents, keys, notifications and pages of two organizations are met again', async () => {
  expect(await expectMetAgain({ credits: 3 }, clientWithoutRunRequests)).toEqual([])
})

test('answers that no state can explain are left out, and said', async () => {
  const before = readHarExchanges(await recordClientOnNewMock({ credits: 3 }))
  const odd = before.map((one) =>
    one.operation === 'createTask'
      ? { ...one, text: one.text?.replace(/"id":"[^"]*"/, '"id":"\\u0000"') }
      : one,
  )
  const { mock, notes } = await rebuildMock(createMock, odd)
  expect(notes.join('\n')).toMatch(/^entry \d+: id is "\\u0000"; in the mock it is "task_/m)
  expect(mock.organization().snapshot()).toMatchObject({ of: 'organization' })
})
