/**
 * Each scenario is recorded, rebuilt from the recording and met again by the same client: it gets the same statuses,
 * codes and values, except those that are the service's to choose. So does what follows on a cut.
 */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { rebuild, unlike } from '#mocks/rebuilt.ts'
import { parsed } from '#mocks/recorded/traffic.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { field } from '#traffic/exchange.ts'
import { type Recorded, readRecording } from '#traffic/recording.ts'
import { type Client, clientWith } from './bad-clients/bad-client.ts'
import { badClients } from './bad-clients/index.ts'
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

test.each(
  badClients.filter(({ scenario }) => scenario === 'unknown-statuses'),
)('$id meets the words of statuses again', async ({ flaw }) => {
  const options: MockOptions = { scenario: 'unknown-statuses' }
  const before = entriesOf(await recorded(options, clientWith(flaw, true)))
  const { mock } = await rebuild(before)
  const after = entriesOf(await recordedOn(mock, clientWith(flaw, true)))
  expect([differences(before, after), after.length]).toEqual([[], before.length])
})

/** What two organizations do with everything but the runs of tasks. */
const everything: Client = async ({ fetch, apiKey, sleep }) => {
  const other = createMock().credentials()
  const ask = async (method: string, path: string, body?: object, secret = apiKey) => {
    const credential = path.startsWith('keys')
      ? { cookie: other.sessionCookie }
      : { authorization: `Bearer ${secret}` }
    const headers = { ...credential, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`http://mock.test/api/cli/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  await ask('GET', 'whoami')
  await ask('GET', 'whoami', undefined, other.otherApiKey)
  const { items } = await ask('GET', 'documents?all=1', undefined, other.otherApiKey)
  for (const key of [other.otherApiKey, apiKey]) await ask('GET', `documents/${items[0].id}`, undefined, key)
  const { item } = await ask('POST', 'documents', { title: 'Plan', content_md: '# Plan', folder_id: 'f1' })
  await ask('GET', `documents/${item.id}`)
  await ask('GET', 'documents?folder_id=f1')
  const { key, secret } = await ask('POST', 'keys', { name: 'Laptop' })
  const { task } = await ask('POST', 'tasks', { text: 'Say hello' }, secret)
  await ask('POST', `tasks/${task.id}/run`)
  await ask('POST', `tasks/${task.id}/run`)
  await ask('POST', `tasks/${task.id}/run`, undefined, other.otherApiKey)
  await sleep(3_000)
  const notifications = await ask('GET', 'notifications')
  await ask('POST', `notifications/${notifications.items[0].id}/read`)
  await ask('GET', 'notifications')
  await ask('DELETE', `keys/${key.id}`)
  await ask('GET', 'whoami', undefined, secret)
  for (const path of ['keys', 'leads', 'meta/campaigns', 'wallet', 'landing-pages']) await ask('GET', path)
  await ask('POST', 'creatives', { prompt: 'A house' })
  await ask('POST', 'landing-pages', { business_name: 'House' })
  await ask('POST', 'tasks', {})
}

test('documents, keys, notifications and pages of two organizations are met again', async () => {
  const before = entriesOf(await recorded({ credits: 3 }, everything))
  const { mock, notes } = await rebuild(before)
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
  const { mock, notes } = await rebuild(odd)
  expect(notes.join('\n')).toMatch(/^entry \d+: id is "\\u0000"; in the mock it is "task_/m)
  expect(mock.organization().snapshot()).toMatchObject({ of: 'organization' })
})
