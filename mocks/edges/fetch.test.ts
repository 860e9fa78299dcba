/** `mock.fetch` takes what the global `fetch` takes, and behaves as it does. */
import { expect, test } from 'vitest'
import { createMock } from '../app.ts'
import { origin } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

/** A client library as many are: it has a base URL, and takes a `fetch`. */
function createSdk({
  baseUrl,
  fetch,
  key,
}: {
  baseUrl: string
  fetch: typeof globalThis.fetch
  key: string
}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    whoami: () => fetch(new URL('/api/cli/whoami', baseUrl), { headers }),
    createTask: (text: string) =>
      fetch(`${baseUrl}/api/cli/tasks`, { method: 'POST', headers, body: JSON.stringify({ text }) }),
    listTasks: (init?: RequestInit) => fetch(new Request(`${baseUrl}/api/cli/tasks`, { headers }), init),
  }
}

function sdkOf(options: Parameters<typeof frozenMock>[0] = {}) {
  const mock = frozenMock(options)
  const { fetch } = mock
  return { mock, sdk: createSdk({ baseUrl: origin, fetch, key: mock.credentials('ada').apiKey }) }
}

test('a client library takes it as its fetch: with a string, a URL, or a Request', async () => {
  const { sdk } = sdkOf({ past: 'none' })
  expect((await sdk.whoami()).status).toBe(200)
  expect(await (await sdk.createTask('Say hello')).json()).toMatchObject({ task: { text: 'Say hello' } })
  expect(await (await sdk.listTasks()).json()).toMatchObject({ items: [{ text: 'Say hello' }] })
})

test('init overrides the Request, as in fetch', async () => {
  const { sdk } = sdkOf()
  expect((await sdk.listTasks({ headers: {} })).status).toBe(401)
})

test('an invalid URL rejects with a TypeError', async () => {
  await expect(createMock().fetch('/api/cli/whoami')).rejects.toThrow(TypeError)
})

test('an aborted signal rejects with its reason: before the request is sent, or while it waits', async () => {
  const { mock, sdk } = sdkOf({ fault: 'listTasks=delay 30s' })
  await expect(sdk.listTasks({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect(mock.journal.count()).toBe(0)
  await expect(sdk.listTasks({ signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})
