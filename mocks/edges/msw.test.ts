/** The handlers for msw: a mock behind the global fetch of somebody's own tests. */
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { operationIds, routeOf } from '#contract/operation.ts'
import { createMock, type Mock } from '../index.ts'
import { clientOf, type Served } from '../testing/client.ts'
import { breachesOf } from '../testing/conformity.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

/** A client that reaches a mock through the global fetch, at a base URL. */
function through(mock: Mock, base: string) {
  server.use(...mock.handlers(base))
  const served: Served = {
    settings: mock.settings,
    credentials: mock.credentials,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      return fetch(new Request(base + pathname + search, request))
    },
  }
  return clientOf(served)
}

test.each([
  'https://api.example',
  'https://api.example/',
  'http://localhost:8080/a/base/path',
  'https://api.example/v1/',
])('every route answers at %s', async (base) => {
  const mock = createMock()
  const { ask } = through(mock, base.replace(/\/$/, ''))
  server.resetHandlers()
  server.use(...mock.handlers(base))
  for (const operation of operationIds) {
    const { status, body } = await ask(operation, routeOf(operation).body ? { body: {} } : {})
    expect(breachesOf({ operation, variant: 'first', status, body })).toEqual([])
    expect(status).toBeLessThan(500)
  }
  expect(mock.bugs).toEqual([])
})

test('a task runs from start to end, by the clock of the mock', async () => {
  const mock = createMock({ credits: 2 })
  const { ask, newTask, look, credits } = through(mock, 'https://api.example/base')
  const id = await newTask('Grüße \u{1f44b}')
  expect((await ask('runTask', { id })).status).toBe(200)
  mock.clock.advance(60_000)
  expect(await look(id)).toEqual({ status: 'completed', finished: true })
  expect(await credits()).toBe(1)
})

test('ids and queries come through as they were written', async () => {
  const { ask } = through(createMock(), 'https://api.example/base')
  const folder_id = 'a/b?c=d&e#f%25 é'
  await ask('createDocument', { body: { title: 'a', folder_id } })
  expect((await ask('listDocuments', { query: { folder_id } })).body.items).toHaveLength(1)
  for (const id of ['a/b', '%2f', 'x y', '%00']) expect((await ask('getTask', { id })).status).toBe(404)
})

test('a generated creative is served at its URL', async () => {
  const { ask } = through(createMock(), 'https://api.example/base')
  const { url } = (await ask('generateCreative', { body: { prompt: 'a' } })).body
  const image = await fetch(url)
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

test("a user's own handler comes before the mock's", async () => {
  const { ask } = through(createMock(), 'https://api.example')
  const mine = { error: 'unavailable', message: 'mine' }
  server.use(http.get('https://api.example/api/cli/whoami', () => HttpResponse.json(mine, { status: 503 })))
  expect((await ask('whoami')).body).toEqual(mine)
  expect((await ask('listTasks')).status).toBe(200)
})

test('two mocks at once do not meet', async () => {
  const one = through(createMock({ credits: 1 }), 'https://one.example')
  const two = through(createMock({ credits: 2, variant: 'second' }), 'https://two.example/with/path')
  const id = await one.newTask()
  expect((await two.ask('getTask', { id })).status).toBe(404)
  expect([await one.credits(), await two.credits()]).toEqual([1, 2])
  expect((await two.ask('listTasks')).body).toHaveProperty('usedToday')
})

test('there is one handler for each route, and one for the images', () => {
  expect(createMock().handlers('https://api.example')).toHaveLength(operationIds.length + 1)
})

test('the limit, 401 and Retry-After come through', async () => {
  const { ask } = through(createMock({ rateLimit: '1/60s' }), 'https://api.example')
  expect((await ask('whoami', { as: 'nobody' })).status).toBe(401)
  await ask('whoami')
  const { status, headers } = await ask('whoami')
  expect([status, headers.get('retry-after')]).toEqual([429, '60'])
})

test.each(['reset', 'hang', 'truncate', 'lost'])('%s is a network error', async (fault) => {
  const mock = createMock({ fault: `whoami=${fault};times=1` })
  const { ask } = through(mock, 'https://api.example')
  await expect(ask('whoami')).rejects.toThrow(TypeError)
  expect((await ask('whoami')).status).toBe(200)
})
