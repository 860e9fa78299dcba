/** The handlers in msw 3, and in msw 2 with both of its module formats. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import * as msw2 from 'msw-2'
import { setupServer as setupServer2 } from 'msw-2/node'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createMock } from '../index.ts'
import type { MockOptions } from '../scenarios/index.ts'
import { clientOf, type Served } from '../testing/client.ts'
import { handlersWith, type MswHttp } from './fetch.ts'

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
    server.use(...handlersWith(http, mock, base))
    const served: Served = {
      ...mock,
      fetch(request) {
        const { pathname, search } = new URL(request.url)
        return fetch(new Request(base.replace(/\/$/, '') + pathname + search, request))
      },
    }
    return { mock, ...clientOf(served) }
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

  test.each(['reset', 'hang', 'truncate', 'lost'] as const)('%s is a network error', async (fault) => {
    const { call } = serve({ fault: `whoami=${fault};times=1` })
    await expect(call('whoami')).rejects.toThrow(TypeError)
    expect((await call('whoami')).status).toBe(200)
  })

  test('requests to other hosts, and to other paths of its host, pass through', async () => {
    serve()
    const other = createServer((_, answer) => answer.end('from elsewhere')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      const outside = `http://127.0.0.1:${port}`
      expect(await (await fetch(`${outside}/api/cli/whoami`)).text()).toBe('from elsewhere')
      server.use(...handlersWith(http, createMock(), outside))
      expect((await fetch(`${outside}/api/cli/whoami`)).status).toBe(401)
      expect(await (await fetch(`${outside}/health`)).text()).toBe('from elsewhere')
    } finally {
      other.close()
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
