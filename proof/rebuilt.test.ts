/**
 * Each scenario is recorded, rebuilt from the recording and met again by the same client: it gets the same statuses,
 * codes and values, except those that are the service's to choose. So does what follows on a cut.
 */
import { expect, test } from 'vitest'
import { rebuild, unlike } from '#mocks/rebuilt.ts'
import { parsed } from '#mocks/recorded/traffic.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import type { MockOptions } from '#mocks/scenarios/settings.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { field } from '#traffic/exchange.ts'
import { type Recorded, readRecording } from '#traffic/recording.ts'
import { type Har, recorded, recordedOn } from './recording.ts'

const entriesOf = (har: Har) => readRecording(JSON.stringify(har))?.entries ?? []

/** What a client can tell of an answer; of successes, which 2xx it is does not matter. */
const told = ({ method, url, status, text }: Pick<Recorded, 'method' | 'url' | 'status' | 'text'>) =>
  `${method} ${url} ${status >= 200 && status < 300 ? '2xx' : status} ${field(parsed(text), 'error') ?? ''}`

function differences(before: readonly Recorded[], after: readonly Recorded[]): string[] {
  return before.flatMap((one, i) => {
    const other = after[i]
    if (!other || told(one) !== told(other)) return `${told(one)}; ${other ? told(other) : 'nothing'}`
    return one.status < 300 ? (unlike(parsed(one.text), parsed(other.text)) ?? []) : []
  })
}

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
  const { mock } = await rebuild(before)
  const after = entriesOf(await recordedOn(mock))
  expect(differences(before, after)).toEqual([])
  expect(after).toHaveLength(before.length)
})

test.each(cases)('$name goes on from a cut as it did', async ({ options }) => {
  const before = entriesOf(await recorded(options))
  const cut = before[before.length >> 1]?.number ?? 1
  const { mock } = await rebuild(before, cut)
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

test('answers that no state can explain are left out, and said', async () => {
  const before = entriesOf(await recorded({ credits: 3 }))
  const odd = before.map((one) =>
    one.operation === 'createTask'
      ? { ...one, text: one.text?.replace(/"id":"[^"]*"/, '"id":"\\u0000"') }
      : one,
  )
  const { mock, notes } = await rebuild(odd)
  expect(notes.join('\n')).toMatch(/^entry \d+: id is "\\u0000"; in the mock it is "task_/m)
  expect(mock.organization().snapshot()).toMatchObject({ of: 'organization' })
})
