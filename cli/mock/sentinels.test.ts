/** Secrets of clients stand in no artefact of a running mock, wherever a client puts them. */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { uncheckedClientOf } from '#mocks/testing/client.ts'
import { logRequests } from './banner.ts'

const host = 'http://mock.test'

const secretHeaders =
  'authentication x-access-token x-authorization x-secret x-session-token x-csrf-token x-amz-security-token'

test('no log line, journal view, copy, explanation, event or report shows a secret; snapshots, links and state hold the keys of the mock alone', async () => {
  const sentinels: string[] = []
  const made = (prefix = '') => {
    const one = `${prefix}sentinel${sentinels.length}Qx7`
    sentinels.push(one)
    return one
  }
  const mock = createMock({ seed: 'sentinels', rateLimit: 'off' })
  const [lines, bare]: [string[], string[]] = [[], []]
  for (const form of ['human', 'json'] as const) {
    logRequests(mock, form, true, (line) => lines.push(line))
    logRequests(mock, form, false, (line) => bare.push(line))
  }
  const stream = await mock.fetch(`${host}/__admin/events`)
  const reader = stream.body?.getReader()

  const [key, other, asked] = [made('wak_test_'), made('wak_live_'), made('wak_live_')]
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...Object.fromEntries(secretHeaders.split(' ').map((name) => [name, made()])),
    cookie: `sid=${made()}`,
  }
  const send = (path: string, body?: object) =>
    mock.fetch(`${host}/api/cli${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const names = ['client_secret', 'refresh_token', 'id_token', 'sig', 'session', 'key']
  const query = names.map((name) => `${name}=${made()}`).join('&')
  const { task } = await (await send('/tasks', { text: `use ${key} and ${other}`, title: key })).json()
  await send(`/tasks/${encodeURIComponent(key)}`)
  await send(`/tasks/${asked}?${query}`)
  await send(`/tasks?${query}`, { text: 'fields', password: made(), token: made(), api_key: made() })
  await send(`/tasks/${task.id ?? task.taskId}/run`, {})
  const { body } = await uncheckedClientOf(mock, 'grace').call('createKey', { body: { name: 'CI' } })
  await send(`/documents`, { title: `split ${key.slice(0, 10)}\n${key.slice(10)}`, content_md: key })

  expect(bare).toHaveLength(2 * mock.journal.count())
  for (const line of bare) expect(line).not.toMatch(/"fields"|client_secret|wak_/)

  const shown = [...lines, ...bare, JSON.stringify(mock.journal.entries()), JSON.stringify(mock.report())]
  const numbers = mock.journal.entries().map(({ number }) => `/requests/${number}`)
  // The overview is left out: it hands the keys of the mock to whoever may operate it.
  for (const path of [...numbers, '/requests', '/requests/rows', '/requests.har', '/report']) {
    const response = await mock.fetch(`${host}/__admin${path}`)
    expect([path, response.status]).toEqual([path, 200])
    shown.push(await response.text())
  }
  let events = ''
  while (!events.includes('/documents')) events += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  shown.push(events)
  const secret = String(body.secret)
  for (const one of [...sentinels, secret])
    expect([one, shown.filter((text) => text.replaceAll(/\\n|\n/g, '').includes(one))]).toEqual([one, []])

  const org = { authorization: `Bearer ${secret}` }
  const link = await (await mock.fetch(`${host}/__admin/link`, { headers: org })).json()
  const elsewhere = createMock({ seed: 'sentinels', rateLimit: 'off' })
  elsewhere.restore(link.file)
  const kept = {
    snapshot: JSON.stringify(mock.snapshot()),
    state: await (await mock.fetch(`${host}/__admin/state`)).text(),
    link: JSON.stringify(link),
    restored: JSON.stringify(elsewhere.snapshot()),
  }
  // Texts that a client has written into its rows stay there, even if they are keys.
  const sent = sentinels.filter((one) => one !== key && one !== other)
  for (const [name, text] of Object.entries(kept))
    expect([name, text.includes(secret), sent.filter((one) => text.includes(one))]).toEqual([name, true, []])
})
