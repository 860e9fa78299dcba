/** The handlers in msw 3, and in msw 2 with both of its module formats. */
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import * as msw2 from 'msw-2'
import { setupServer as setupServer2 } from 'msw-2/node'
import * as undici from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createMock } from '../index.ts'
import type { MockOptions } from '../scenarios/index.ts'
import { checkedClientOf, type MockForTestClient } from '../testing/client.ts'
import { createMswHandlers, type MswHttp } from './fetch.ts'

/** A server outside of the API. */
async function elsewhere() {
  const service = createServer((_, answer) => answer.end('from elsewhere')).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  const close = () => {
    service.close()
    service.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${port}`, close }
}

/** The answer of a service to `node:http`, which keeps the connection. */
const answered = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, async (answer) => resolve((await answer.toArray()).join(''))).on('error', reject)
  })

interface Msw {
  readonly http: MswHttp<object>
  readonly setupServer: (...handlers: object[]) => {
    listen(options: object): void
    close(): void
    use(...handlers: object[]): void
    resetHandlers(): void
  }
}

/** `mock.handlers()` loads msw with `require`, which is another copy of it. */
const required: typeof msw2 = createRequire(import.meta.url)('msw-2')

const versions = [
  ['msw 3', { http: msw.http, setupServer }],
  ['msw 2', { http: msw2.http, setupServer: setupServer2 }],
  ['msw 2, handlers of the required copy', { http: required.http, setupServer: setupServer2 }],
] as unknown as [string, Msw][]

const api = 'https://api.example/base'

describe.each(versions)('%s', (_, { http, setupServer }) => {
  const server = setupServer()
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  /** Creates a mock behind the global fetch, and a client of it. */
  function serve(options: MockOptions = {}, base = api) {
    const mock = createMock(options)
    server.use(...createMswHandlers(http, mock, base))
    const served: MockForTestClient = {
      ...mock,
      fetch(request) {
        const { pathname, search } = new URL(request.url)
        return fetch(new Request(base.replace(/\/$/, '') + pathname + search, request))
      },
    }
    return { mock, ...checkedClientOf(served) }
  }

  test.each([
    'https://api.example',
    'https://b.example/',
    'http://localhost:8080/a/base',
    'https://c.example/v1/',
  ])('the mock responds at %s', async (base) => {
    const { call, orgId } = serve({}, base)
    expect((await call('createTask', { body: { text: await orgId() } })).status).toBe(200)
  })

  test('ids and queries arrive unchanged', async () => {
    const { call } = serve()
    const folder_id = 'a/b?c=d&e#f%25 é'
    await call('createDocument', { body: { title: 'a', folder_id } })
    expect((await call('listDocuments', { query: { folder_id } })).body.items).toHaveLength(1)
    for (const id of ['a/b', '%2f', 'x y', '%00']) expect((await call('getTask', { id })).status).toBe(404)
  })

  test.each(['reset', 'truncate', 'lost'] as const)('%s is a network error', async (fault) => {
    const { call } = serve({ fault: `whoami=${fault};times=1` })
    await expect(call('whoami')).rejects.toThrow(TypeError)
    expect((await call('whoami')).status).toBe(200)
  })

  test('a client can give up an answer that never comes', async () => {
    const { mock } = serve({ fault: 'whoami=hang' })
    const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
    const given = new AbortController()
    const stop = mock.observe(() => setImmediate(() => given.abort()))
    const waits = fetch(`${api}/api/cli/whoami`, { headers, signal: given.signal })
    await expect(waits).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    stop()
    expect(mock.journal.entries().map(({ wire }) => wire)).toEqual(['hang'])
  })

  test('requests to other hosts, and to other paths of its host, pass through', async () => {
    serve()
    const other = createServer((_, answer) => answer.end('from elsewhere')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      const outside = `http://127.0.0.1:${port}`
      expect(await (await fetch(`${outside}/api/cli/whoami`)).text()).toBe('from elsewhere')
      server.use(...createMswHandlers(http, createMock(), outside))
      expect((await fetch(`${outside}/api/cli/whoami`)).status).toBe(401)
      expect(await (await fetch(`${outside}/health`)).text()).toBe('from elsewhere')
    } finally {
      other.close()
    }
  })

  test.each([
    ['fetch', async (url: string) => (await undici.fetch(url)).text()],
    ['request', async (url: string) => (await undici.request(url)).body.text()],
  ])('what the package undici sends by its own %s passes through', async (_, send) => {
    const { origin, close } = await elsewhere()
    try {
      server.use(...createMswHandlers(http, createMock(), origin))
      expect(await send(`${origin}/api/cli/whoami`)).toBe('from elsewhere')
    } finally {
      close()
    }
  })

  test('a host to which the process is connected already is refused', async () => {
    const { origin, close } = await elsewhere()
    try {
      server.close()
      await answered(origin)
      server.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' })
      expect(() => createMswHandlers(http, createMock(), origin)).toThrow(
        `this process is connected to ${origin}, and msw answers nothing that is sent there: call handlers() and`,
      )
    } finally {
      close()
    }
  })

  test('other cookies are ignored', async () => {
    const { mock } = serve()
    const cookie = `theme=d%61rk; ${mock.credentials().sessionCookie}; a=b=c`
    expect((await fetch(`${api}/api/cli/keys`, { headers: { cookie } })).status).toBe(200)
  })
})

test('mock.handlers() returns them', async () => {
  const handlers = createMock({ credits: 7 }).handlers('https://api.example')
  const server = setupServer(...handlers)
  server.listen()
  const headers = { authorization: 'Bearer wak_test_a' }
  const answer = await fetch('https://api.example/api/cli/whoami', { headers })
  server.close()
  expect(await answer.json()).toMatchObject({ credits: 7 })
})

/** Behaviour of msw itself; docs/in-a-test.md says how its versions differ. */
describe.each([
  ['msw 3', msw, setupServer, { asked: 'from elsewhere', cut: '0123', cookie: [false, 'same-origin'] }],
  ['msw 2', msw2, setupServer2, { asked: 'refused', cut: '0123456789', cookie: [true, 'include'] }],
] as const)('%s by itself', (_, { http, HttpResponse }, setUp, expected) => {
  const create = setUp as unknown as (...handlers: object[]) => ReturnType<Msw['setupServer']>
  const own = [
    http.get(
      'http://own.test/cut',
      () => new HttpResponse('0123456789', { headers: { 'Content-Length': '4' } }),
    ),
    http.get('http://own.test/set', () => new HttpResponse('', { headers: { 'Set-Cookie': 'a=b' } })),
    http.get('http://own.test/see', ({ request }) =>
      HttpResponse.json([request.headers.get('cookie'), request.credentials]),
    ),
  ]

  test('takes the option for requests without a handler, or ignores it', async () => {
    const server = create(...own)
    const { origin, close } = await elsewhere()
    server.listen({ onUnhandledRequest: 'error' })
    const asked = await fetch(origin).then(
      (answer) => answer.text(),
      () => 'refused',
    )
    server.close()
    close()
    expect(asked).toBe(expected.asked)
  })

  test('cuts a body to the length that a handler names, or not, and never one of the mock', async () => {
    const server = create(
      ...own,
      ...createMswHandlers(http as MswHttp<object>, createMock(), 'http://mock.test'),
    )
    server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' })
    const cut = await (await fetch('http://own.test/cut')).text()
    const headers = { authorization: 'Bearer wak_test_a', 'content-type': 'application/json' }
    const body = JSON.stringify({ text: 'Grüße 😀' })
    const created = await fetch('http://mock.test/api/cli/tasks', { method: 'POST', headers, body })
    expect([cut, (await created.json()).task.text]).toEqual([expected.cut, 'Grüße 😀'])
    server.close()
  })

  test('sends a cookie back that a handler sets, or not', async () => {
    const server = create(...own)
    server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' })
    await fetch('http://own.test/set', { credentials: 'include' })
    const answer = await fetch('http://own.test/see', { credentials: 'include' })
    const [cookie, credentials] = await answer.json()
    server.close()
    expect([String(cookie).includes('a=b'), credentials]).toEqual(expected.cookie)
  })
})

test('a host to which fetch keeps a connection is refused in msw 3', async () => {
  const { origin, close } = await elsewhere()
  await (await fetch(origin)).text()
  expect(() => createMock().handlers(origin)).toThrow(`this process is connected to ${origin}`)
  close()
})
