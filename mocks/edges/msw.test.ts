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
import { operationIds, routeOf } from '#contract/operation.ts'
import { createMock, type Mock } from '../index.ts'
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
  const initial = createMock()
  const server = setupServer(...handlersWith(http, initial, 'https://initial.example'))
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  /** Creates a client that reaches a mock through the global fetch. */
  function through(mock: Mock, base = api, organization?: string) {
    const at = base.replace(/\/$/, '')
    const served: Served = {
      settings: mock.settings,
      credentials: mock.credentials,
      fetch(request) {
        const { pathname, search } = new URL(request.url)
        return fetch(new Request(at + pathname + search, request))
      },
    }
    return clientOf(served, organization)
  }

  /** Creates a mock behind the global fetch, and a client of it. */
  function serve(options: MockOptions = {}, base = api) {
    const mock = createMock(options)
    server.use(...handlersWith(http, mock, base))
    return { mock, ...through(mock, base) }
  }

  test('every route responds, at a base with and without a path and a slash', async () => {
    const bases = [
      'https://api.example',
      'https://b.example/',
      'http://localhost:8080/a/base',
      'https://c.example/v1/',
    ]
    const served = bases.map((base) => serve({}, base))
    for (const [i, operation] of operationIds.entries()) {
      const { mock, call } = served[i % served.length] as (typeof served)[number]
      const { status } = await call(operation, routeOf(operation).body ? { body: {} } : {})
      expect(status).toBeLessThan(500)
      expect(mock.bugs).toEqual([])
    }
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

  test('a handler of the user takes precedence over those of the mock until handlers are reset', async () => {
    const { call } = through(initial, 'https://initial.example')
    const mine = { error: 'unavailable', message: 'mine' }
    server.use(
      http.get('https://initial.example/api/cli/whoami', async () => Response.json(mine, { status: 503 })),
    )
    expect((await call('whoami')).body).toEqual(mine)
    expect((await call('listTasks')).status).toBe(200)
    server.resetHandlers()
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
