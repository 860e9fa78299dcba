/**
 * Each scenario is recorded, rebuilt from the recording and met again by the same client: it gets the same statuses,
 * codes and values, except those that are the service's to choose. So does what follows on a cut.
 */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { rebuild } from '#mocks/rebuilt.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import type { Recorded } from '#traffic/recording.ts'
import { clientWith } from './bad-clients/bad-client.ts'
import { badClients } from './bad-clients/index.ts'
import { differences, entriesOf, everything, recorded, recordedOn } from './recording.ts'

const seeds = Array.from({ length: isWhole ? 20 : 2 }, (_, i) => `quirks-${i}`)

const cases: readonly { readonly name: string; readonly options: MockOptions }[] = [
  ...scenarios.map(({ id }) => ({ name: id, options: { scenario: id } })),
  ...seeds.map((seed) => ({
    name: seed,
    options: { strictClient: seed, fault: 'runTask=ok,fail' as const },
  })),
]

test.each(cases)('$name is met again', async ({ options }) => {
  const before = entriesOf(await recorded(options))
  const { mock } = await rebuild(createMock, before)
  const after = entriesOf(await recordedOn(mock))
  expect(differences(before, after)).toEqual([])
  expect(after).toHaveLength(before.length)
})

test.each(cases)('$name goes on from a cut as it did', async ({ options }) => {
  const before = entriesOf(await recorded(options))
  const cut = before[before.length >> 1]?.number ?? 1
  const { mock } = await rebuild(createMock, before, cut)
  const rest = before.filter(({ number }) => number >= cut)
  const after: Recorded[] = []
  for (const one of rest) {
    mock.clock.set(Math.max(one.at + 3, mock.clock.now()))
    const { method, url, requestHeaders: headers, requestBody: body } = one
    const answer = await mock
      .fetch(url, { method, headers, ...(body !== undefined && { body }) })
      .catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    after.push({ ...one, status: answer?.status ?? 0, text })
  }
  expect(differences(rest, after)).toEqual([])
})

test.each(
  badClients.filter(({ scenario }) => scenario === 'unknown-statuses'),
)('$id meets the words of statuses again', async ({ flaw }) => {
  const options: MockOptions = { scenario: 'unknown-statuses' }
  const before = entriesOf(await recorded(options, clientWith(flaw, true)))
  const { mock } = await rebuild(createMock, before)
  const after = entriesOf(await recordedOn(mock, clientWith(flaw, true)))
  expect([differences(before, after), after.length]).toEqual([[], before.length])
})

test('documents, keys, notifications and pages of two organizations are met again', async () => {
  const before = entriesOf(await recorded({ credits: 3 }, everything))
  const { mock, notes } = await rebuild(createMock, before)
  const after = entriesOf(await recordedOn(mock, everything))
  expect([notes, differences(before, after), after.length]).toEqual([[], [], before.length])
})

test('answers that no state can explain are left out, and said', async () => {
  const before = entriesOf(await recorded({ credits: 3 }))
  const odd = before.map((one) =>
    one.operation === 'createTask'
      ? { ...one, text: one.text?.replace(/"id":"[^"]*"/, '"id":"\\u0000"') }
      : one,
  )
  const { mock, notes } = await rebuild(createMock, odd)
  expect(notes.join('\n')).toMatch(/^entry \d+: id is "\\u0000"; in the mock it is "task_/m)
  expect(mock.organization().snapshot()).toMatchObject({ of: 'organization' })
})
