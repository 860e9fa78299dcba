/** createMock: options, observers, CORS, paths outside the API, and mocks that end with a test. */
import { expect, test, vi } from 'vitest'
import { createMock } from './app.ts'
import { withMock } from './index.ts'
import { mockPartsOf } from './mock.ts'
import { checkedClientOf, testOrigin } from './testing/client.ts'
import { createFrozenMock, createFrozenMockWithClient, noonMs } from './testing/mock.ts'

test('observers receive each request without keys, cookies and bodies', async () => {
  const mock = createFrozenMock()
  const seen: unknown[] = []
  const stop = mock.observe((exchange) => seen.push(exchange))
  const { call, orgId } = checkedClientOf(mock)
  const org_id = await orgId()
  await call('getTask', { id: 'nope' })
  await call('createKey', { body: { name: 'private' } })
  await call('whoami', { as: 'nobody' })
  stop()
  await call('whoami')
  const one = (operation: string, method: string, path: string, status: number, error: string | null) => ({
    ...{ operation, method, path: `/api/cli/${path}`, status, error },
    org_id: status === 401 ? null : org_id,
    org_name: status === 401 ? null : expect.any(String),
    id: expect.stringMatching(/^req_\w+_\d+$/),
    at: noonMs,
    duration_ms: expect.any(Number),
    ...{ reason: null, wire: null },
  })
  expect(seen).toEqual([
    one('whoami', 'GET', 'whoami', 200, null),
    one('getTask', 'GET', 'tasks/nope', 404, 'not_found'),
    one('createKey', 'POST', 'keys', 200, null),
    one('whoami', 'GET', 'whoami', 401, 'unauthorized'),
  ])
})

test('every invalid option is named', () => {
  expect(() => createMock({ credits: -1, variant: 'third' as 'first' })).toThrow(
    new TypeError('variant takes first or second; credits takes a number of credits, 0 to 1,000,000,000,000'),
  )
})

test('paths outside the API are not found, and the answer names the page that lists everything', async () => {
  const response = await createFrozenMock().fetch(new Request(`${testOrigin}/nope`))
  expect([response.status, await response.json()]).toEqual([
    404,
    { error: 'not_found', message: 'No such path; the API is under /api/cli/, and / lists everything.' },
  ])
})

test('with cors, pages from other origins may call the API and read Retry-After', async () => {
  const mock = createFrozenMock({ cors: true })
  const headers = { origin: 'https://app.example' }
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  const init = { method: 'OPTIONS', headers: { ...headers, ...asked } }
  const preflight = await mock.fetch(`${testOrigin}/api/cli/tasks`, init)
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization')
  for (const as of ['key', 'nobody'] as const) {
    const reply = await checkedClientOf(mock).call('whoami', { as, headers })
    expect(reply.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(reply.headers.get('access-control-expose-headers')).toContain('Retry-After')
  }
})

test('without cors, the answer to a preflight names the flag, and is no violation of the client', async () => {
  const mock = createFrozenMock()
  for (const path of ['/api/cli/tasks', '/api/cli/nothing']) {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    const response = await mock.fetch(`${testOrigin}${path}`, { method: 'OPTIONS', headers })
    const body = await response.json()
    expect([response.status, body]).toEqual([404, { error: 'not_found', message: expect.any(String) }])
    expect(body.message).toContain('--cors')
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  expect(mock.report({ end: { ok: true } }).rules.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})

test('HEAD returns the headers of GET without a body', async () => {
  const mock = createFrozenMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const response = await mock.fetch(new Request(`${testOrigin}/api/cli/whoami`, { method: 'HEAD', headers }))
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('the function gets a listening mock with credentials, and its result is returned; it is closed, also after a failure', async () => {
  const addresses: string[] = []
  const credits = await withMock({ credits: 7 }, async ({ url, mock, apiKey, sessionCookie }) => {
    addresses.push(url)
    const ask = (path: string, headers: HeadersInit) => fetch(`${url}/api/cli/${path}`, { headers })
    const { status } = await ask('keys', { cookie: sessionCookie })
    const answer = await ask('whoami', { authorization: `Bearer ${apiKey}` })
    expect([status, mock.journal.count()]).toEqual([200, 2])
    return (await answer.json()).credits
  })
  const failing = withMock({}, ({ url }) => {
    addresses.push(url)
    throw new Error('my test failed')
  })
  await expect(failing).rejects.toThrow('my test failed')
  const local = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect([credits, addresses]).toEqual([7, [local, local]])
  for (const address of addresses) await expect(fetch(address)).rejects.toThrow('fetch failed')
})

test('an internal error of the mock fails a test that would pass, and is logged without keys', async () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const passing = withMock({}, async ({ mock, url, apiKey }) => {
    vi.spyOn(mockPartsOf(mock).faults, 'match').mockImplementation(() => {
      throw new Error('a bug with wak_test_demo')
    })
    await fetch(`${url}/api/cli/whoami`, { headers: { authorization: `Bearer ${apiKey}` } })
  })
  await expect(passing).rejects.toThrow('a bug')
  expect(silent).toHaveBeenCalledWith(expect.stringMatching(/a bug with \[redacted\]\n\s+at /))
  silent.mockRestore()
})

test('what an observer or a follower throws changes no answer: it is an uncaught error of the program', async () => {
  const mock = createFrozenMock()
  const listeners = process.listeners('uncaughtException')
  const uncaught = vi.fn()
  process.removeAllListeners('uncaughtException').on('uncaughtException', uncaught)
  const fail = () => {
    throw new Error('not the mock')
  }
  mock.observe(fail)
  mock.journal.follow(fail)
  expect([(await checkedClientOf(mock).call('whoami')).status, mock.bugs]).toEqual([200, []])
  expect(uncaught.mock.calls.map(([error]) => error.message)).toEqual(['not the mock', 'not the mock'])
  process.removeAllListeners('uncaughtException')
  for (const listen of listeners) process.on('uncaughtException', listen)
})

test('it is a fetch: of a string, a URL or a Request, which init overrides; no URL is a TypeError', async () => {
  const { fetch, credentials } = createFrozenMock({ past: 'none' })
  const headers = { authorization: `Bearer ${credentials().apiKey}` }
  const [url, init] = [
    `${testOrigin}/api/cli/tasks`,
    { method: 'POST', headers, body: '{"text":"Say hello"}' },
  ]
  expect(await (await fetch(url, init)).json()).toMatchObject({ task: { text: 'Say hello' } })
  expect((await fetch(new URL(url), { headers })).status).toBe(200)
  const request = () => new Request(url, { headers })
  expect(await (await fetch(request())).json()).toMatchObject({ items: [{ text: 'Say hello' }] })
  expect((await fetch(request(), { headers: {} })).status).toBe(401)
  await expect(fetch('/api/cli/whoami')).rejects.toThrow(TypeError)
})

test('an aborted signal rejects with its reason: before the request is sent, or while it waits', async () => {
  const mock = createFrozenMock({ fault: 'listTasks=delay 30s' })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const ask = (signal: AbortSignal) => mock.fetch(`${testOrigin}/api/cli/tasks`, { headers, signal })
  await expect(ask(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect(mock.journal.count()).toBe(0)
  await expect(ask(AbortSignal.timeout(20))).rejects.toMatchObject({ name: 'TimeoutError' })
})

const options = { seed: 'twice', runOutcome: 0.5 }

test('reads do not change later responses', async () => {
  const run = async (reads: number) => {
    const { mock, call, newTask } = createFrozenMockWithClient(options)
    const ids = [await newTask(), await newTask()]
    for (const id of ids) await call('runTask', { id })
    for (let i = 0; i < reads; i++) {
      mock.clock.set(noonMs + i * 500)
      await call('listTasks')
    }
    mock.clock.set(noonMs + 60_000)
    return [(await call('listTasks')).text, (await call('listNotifications')).text]
  }
  expect(await run(30)).toEqual(await run(0))
})
