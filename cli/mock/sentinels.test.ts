/** Secrets of clients stand in no artefact of a running mock, wherever a client puts them. */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { rawClient } from '#mocks/testing/client.ts'
import { logRequests } from './banner.ts'

const host = 'http://mock.test'

const secretHeaders =
  'authentication x-access-token x-authorization x-secret x-session-token x-csrf-token x-amz-security-token'

/** A client that puts a new secret wherever clients put one. */
function secretiveClient(mock: ReturnType<typeof createMock>) {
  let made = 0
  const sentinels: string[] = []
  const sentinel = (prefix = '') => {
    const secret = `${prefix}sentinel${++made}Qx7`
    sentinels.push(secret)
    return secret
  }
  const key = sentinel('wak_test_')
  const other = sentinel('wak_live_')
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...Object.fromEntries(secretHeaders.split(' ').map((name) => [name, sentinel()])),
    cookie: `sid=${sentinel()}`,
  }
  const query = ['client_secret', 'refresh_token', 'id_token', 'sig', 'session', 'key']
    .map((name) => `${name}=${sentinel()}`)
    .join('&')
  const send = (path: string, body?: object) =>
    mock.fetch(`${host}/api/cli${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  return { key, other, sentinel, sentinels, query, send }
}

test('no log line, journal view, copy, explanation, event or report shows a secret', async () => {
  const mock = createMock({ seed: 'sentinels', rateLimit: 'off' })
  const lines: string[] = []
  logRequests(mock, 'human', true, (line) => lines.push(line))
  logRequests(mock, 'json', true, (line) => lines.push(line))
  const bare: string[] = []
  for (const form of ['human', 'json'] as const) logRequests(mock, form, false, (line) => bare.push(line))
  const stream = await mock.fetch(`${host}/__admin/events`)
  const reader = stream.body?.getReader()

  const { key, other, sentinel, sentinels, query, send } = secretiveClient(mock)
  const { task } = await (await send('/tasks', { text: `use ${key} and ${other}`, title: key })).json()
  await send(`/tasks/${encodeURIComponent(key)}`)
  await send(`/tasks/${other}?${query}`)
  await send(`/tasks?${query}`, {
    text: 'fields',
    password: sentinel(),
    token: sentinel(),
    api_key: sentinel(),
  })
  await send(`/tasks/${task.id ?? task.taskId}/run`, {})
  await send(`/documents`, { title: `split ${key.slice(0, 10)}\n${key.slice(10)}`, content_md: key })

  expect(bare).toHaveLength(2 * mock.journal.count())
  for (const line of bare) expect(line).not.toMatch(/"fields"|client_secret|wak_/)

  const artefacts = [...lines, ...bare, JSON.stringify(mock.journal.entries()), JSON.stringify(mock.report())]
  const numbers = mock.journal.entries().map(({ number }) => number)
  // The overview is left out: it hands the keys of the mock to whoever may operate it.
  const paths = ['/requests', '/requests/rows', '/requests.har', '/report']
  for (const path of [...numbers.map((number) => `/requests/${number}`), ...paths]) {
    const response = await mock.fetch(`${host}/__admin${path}`)
    expect([path, response.status]).toEqual([path, 200])
    artefacts.push(await response.text())
  }
  let events = ''
  while (!events.includes('/documents')) events += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  artefacts.push(events)

  expect(artefacts.length).toBeGreaterThan(20)
  for (const secret of sentinels) {
    const shown = artefacts.filter((text) => text.replaceAll(/\\n|\n/g, '').includes(secret))
    expect([secret, shown]).toEqual([secret, []])
  }
})

test('snapshots, links and state hold the keys of the mock, and of requests nothing that is secret', async () => {
  const mock = createMock({ seed: 'sentinels', rateLimit: 'off' })
  const { key, other, sentinels, query, send } = secretiveClient(mock)
  await send(`/tasks?${query}`, { text: 'fields', password: 'sentinelPassword', token: 'sentinelToken' })
  await send(`/tasks/${other}?${query}`)
  const made = await rawClient(mock, 'grace').call('createKey', { body: { name: 'CI' } })
  const secret = String(made.body.secret)
  const org = { authorization: `Bearer ${secret}` }
  const link = await (await mock.fetch(`${host}/__admin/link`, { headers: org })).json()
  const elsewhere = createMock({ seed: 'sentinels', rateLimit: 'off' })
  elsewhere.restore(link.file)
  const artefacts = {
    snapshot: JSON.stringify(mock.snapshot()),
    state: await (await mock.fetch(`${host}/__admin/state`)).text(),
    link: JSON.stringify(link),
    restored: JSON.stringify(elsewhere.snapshot()),
  }
  for (const [name, text] of Object.entries(artefacts)) {
    expect([name, text.includes(secret)]).toEqual([name, true])
    const unwanted = [...sentinels.filter((one) => one !== key), 'sentinelPassword', 'sentinelToken']
    expect([name, unwanted.filter((one) => text.includes(one))]).toEqual([name, []])
  }
})
