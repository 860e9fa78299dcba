/** What holds of the handlers in every msw: the same facts, once for each. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operationIds, routeOf } from '#contract/operation.ts'
import { createMock, type Mock } from '../app.ts'
import type { MockOptions } from '../config/options.ts'
import { handlersWith, type Maker } from '../edges/msw.ts'
import { clientOf, type Served } from './client.ts'
import { breachesOf } from './conformity.ts'

/** What a test imports of some msw. */
export interface Msw<H> {
  readonly http: Maker<H>
  readonly setupServer: (...handlers: H[]) => {
    listen(options: object): void
    close(): void
    use(...handlers: H[]): void
    resetHandlers(): void
  }
}

const api = 'https://api.example/base'

/** Declares the facts for one msw. */
export function mswFacts<H>(name: string, { http, setupServer }: Msw<H>): void {
  describe(name, () => {
    const initial = createMock()
    const server = setupServer(...handlersWith(http, initial, 'https://initial.example'))
    beforeAll(() => server.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' }))
    afterEach(() => server.resetHandlers())
    afterAll(() => server.close())

    /** A client that reaches a mock through the global fetch. */
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

    /** A mock behind the global fetch, and a client of it. */
    function serve(options: MockOptions = {}, base = api) {
      const mock = createMock(options)
      server.use(...handlersWith(http, mock, base))
      return { mock, ...through(mock, base) }
    }

    test.each([
      'https://api.example',
      'https://api.example/',
      'http://localhost:8080/a/base/path',
      'https://api.example/v1/',
    ])('every route answers at %s', async (base) => {
      const { mock, ask } = serve({}, base)
      for (const operation of operationIds) {
        const { status, body } = await ask(operation, routeOf(operation).body ? { body: {} } : {})
        expect(breachesOf({ operation, variant: 'first', status, body })).toEqual([])
        expect(status).toBeLessThan(500)
      }
      expect(mock.bugs).toEqual([])
    })

    test('state is kept: a task runs from start to end, by the clock of the mock', async () => {
      const { mock, ask, newTask, look, credits } = serve({ credits: 2 })
      const id = await newTask('Grüße \u{1f44b}')
      expect((await ask('runTask', { id })).status).toBe(200)
      mock.clock.advance(60_000)
      expect(await look(id)).toEqual({ status: 'completed', finished: true })
      expect(await credits()).toBe(1)
    })

    test('ids and queries come through as they were written', async () => {
      const { ask } = serve()
      const folder_id = 'a/b?c=d&e#f%25 é'
      await ask('createDocument', { body: { title: 'a', folder_id } })
      expect((await ask('listDocuments', { query: { folder_id } })).body.items).toHaveLength(1)
      for (const id of ['a/b', '%2f', 'x y', '%00']) expect((await ask('getTask', { id })).status).toBe(404)
    })

    test('a generated creative is served at its URL', async () => {
      const { ask } = serve()
      const { url } = (await ask('generateCreative', { body: { prompt: 'a' } })).body
      const image = await fetch(url)
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    })

    test('errors come through with their status, code and Retry-After', async () => {
      const { ask, newTask } = serve({ credits: 2, rateLimit: '8/60s' })
      expect(errorOf(await ask('whoami', { as: 'nobody' }))).toEqual([401, 'unauthorized', null])
      const ids = [await newTask(), await newTask(), await newTask()]
      expect(errorOf(await ask('runTask', { id: ids[0] as string }))).toEqual([200, undefined, null])
      expect(errorOf(await ask('runTask', { id: ids[1] as string }))).toEqual([409, 'busy', null])
      expect(errorOf(await ask('runTask', { id: ids[1] as string }))).toEqual([409, 'invalid_request', null])
      expect(errorOf(await ask('runTask', { id: ids[2] as string }))).toEqual([402, 'no_credits', null])
      expect(errorOf(await ask('getTask', { id: 'none' }))).toEqual([404, 'not_found', null])
      expect(errorOf(await ask('whoami'))).toEqual([429, 'rate_limited', '60'])
    })

    test('Prefer asks for an error or the other variant, in one request', async () => {
      const { ask } = serve()
      const refused = await ask('whoami', { headers: { prefer: 'code=503' } })
      expect(errorOf(refused)).toEqual([503, 'unavailable', null])
      expect(refused.headers.get('preference-applied')).toBe('code=503')
      expect((await ask('listTasks', { prefer: 'second' })).body).toHaveProperty('usedToday')
      expect((await ask('listTasks')).body).not.toHaveProperty('usedToday')
    })

    test.each(['reset', 'hang', 'truncate', 'lost'])('%s is a network error', async (fault) => {
      const { ask } = serve({ fault: `whoami=${fault};times=1` })
      await expect(ask('whoami')).rejects.toThrow(TypeError)
      expect((await ask('whoami')).status).toBe(200)
    })

    test("a user's own handler comes before the mock's, until handlers are reset", async () => {
      const { ask } = through(initial, 'https://initial.example')
      const mine = { error: 'unavailable', message: 'mine' }
      server.use(
        http.get('https://initial.example/api/cli/whoami', async () => Response.json(mine, { status: 503 })),
      )
      expect((await ask('whoami')).body).toEqual(mine)
      expect((await ask('listTasks')).status).toBe(200)
      server.resetHandlers()
      expect((await ask('whoami')).status).toBe(200)
    })

    test('what is no business of the mock goes through: other hosts, and other paths of its host', async () => {
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

    test('a session cookie opens the routes of keys, and a key made there works until it is deleted', async () => {
      const { mock, ask } = serve()
      expect((await ask('listKeys', { as: 'key' })).status).toBe(401)
      const { secret } = (await ask('createKey', { body: { name: 'Laptop' } })).body
      const listed = (await ask('listKeys')).body.keys.find(({ name }) => name === 'Laptop')
      const whoami = () => fetch(`${api}/api/cli/whoami`, { headers: { authorization: `Bearer ${secret}` } })
      expect((await whoami()).status).toBe(200)
      expect(
        (await through(mock, api, 'somebody else').ask('deleteKey', { id: listed?.id ?? '' })).status,
      ).toBe(404)
      expect((await ask('deleteKey', { id: listed?.id ?? '' })).status).toBe(200)
      expect((await whoami()).status).toBe(401)
    })

    test('other cookies beside the session do no harm', async () => {
      const { mock } = serve()
      const cookie = `theme=d%61rk; ${mock.credentials().sessionCookie}; a=b=c`
      expect((await fetch(`${api}/api/cli/keys`, { headers: { cookie } })).status).toBe(200)
    })

    test('two mocks at once do not meet', async () => {
      const one = serve({ credits: 1 }, 'https://one.example')
      const two = serve({ credits: 2, variant: 'second' }, 'https://two.example/with/path')
      const id = await one.newTask()
      expect((await two.ask('getTask', { id })).status).toBe(404)
      expect([await one.credits(), await two.credits()]).toEqual([1, 2])
    })

    test('workers that run at once have an organization each, in one mock and in one of their own', async () => {
      const { mock } = serve({ credits: 1 })
      const names = Array.from({ length: 8 }, (_, i) => `worker-${process.env.VITEST_POOL_ID}-${i}`)
      const seen = await Promise.all(
        names.map(async (name) => {
          const { ask, orgId, newTask, credits } = through(mock, api, name)
          const id = await newTask(name)
          expect((await ask('runTask', { id })).status).toBe(200)
          expect(await credits()).toBe(0)
          const texts = (await ask('listTasks')).body.items.map(({ text }) => text)
          expect(texts.filter((text) => names.includes(text))).toEqual([name])
          return orgId()
        }),
      )
      expect(new Set(seen).size).toBe(names.length)
      // A worker of another process finds the same organization under the same name.
      expect(createMock().organization(names[0]).id).toBe(seen[0])
    })

    test('of fifty runs at once, as many are paid for as there are credits', async () => {
      const { ask, newTask, credits } = serve({ credits: 3 })
      const ids = await Promise.all(Array.from({ length: 50 }, () => newTask()))
      const codes = await Promise.all(ids.map(async (id) => errorOf(await ask('runTask', { id }))[1]))
      expect(codes.filter((code) => code === 'no_credits')).toHaveLength(47)
      expect(await credits()).toBe(0)
    })
  })
}

/** Status, code and `Retry-After` of an answer. */
function errorOf({ status, body, headers }: { status: number; body: object; headers: Headers }) {
  return [status, Reflect.get(body, 'error'), headers.get('retry-after')]
}
