/** Invalid input on every route returns an error of the contract, never a 500, and changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { createMock } from '../app.ts'
import { type Listener, listen } from '../edges/http.ts'
import * as bad from '../testing/bad-input.ts'
import { clientOf, origin } from '../testing/client.ts'
import { violationsOf } from '../testing/conformity.ts'

const edges = ['in process', 'over a listener'] as const
const withBody = operationIds.filter((id) => routeOf(id).body)
const withId = operationIds.filter((id) => routeOf(id).path.includes(':id'))

describe.each(edges)('%s', (edge) => {
  const mock = createMock({ rateLimit: 'off', variant: 'second', now: Date.UTC(2026, 2, 1) })
  mock.clock.freeze()
  const client = clientOf(mock)
  const { apiKey, sessionCookie } = mock.credentials()
  let listener: Listener | undefined

  beforeAll(async () => {
    if (edge === 'over a listener') listener = await listen(mock, { host: '127.0.0.1', port: 0 })
  })
  afterAll(() => listener?.close())

  /** Sends a request to a path as written; returns the status if the contract allows the response. */
  async function send(
    operation: OperationId,
    { id = 'none', query = '', ...init }: RequestInit & { id?: string; query?: string } = {},
  ): Promise<number> {
    const { method, path, auth } = routeOf(operation)
    const credential = auth === 'key' ? { authorization: `Bearer ${apiKey}` } : { cookie: sessionCookie }
    const url = (listener?.url ?? origin) + path.replace(':id', () => id) + query
    const request = new Request(url, { method, headers: credential, ...init })
    const response = listener ? await fetch(request) : await mock.fetch(request)
    const body: unknown = await response.json()
    const { status } = response
    const reason = response.headers.get('x-mock-reason')
    expect(violationsOf({ operation, variant: 'second', status, body, reason })).toEqual([])
    return status
  }

  /** Returns all data of the organization, without times of last use, which reads change. */
  async function everything(): Promise<unknown[]> {
    const answers = [
      (await client.call('whoami')).body,
      (await client.call('listTasks')).body,
      (await client.call('listDocuments', { query: { all: '1' } })).body,
      (await client.call('listNotifications')).body,
      (await client.call('listLandingPages')).body,
      (await client.call('listKeys')).body.keys.map(({ last_used_at: _, ...key }) => key),
    ]
    return answers
  }

  async function changesNothing(act: () => Promise<void>): Promise<void> {
    const before = await everything()
    await act()
    expect(await everything()).toEqual(before)
    expect(mock.bugs).toEqual([])
  }

  test.each(withBody)('%s rejects a body that is not a JSON object with 400', async (operation) => {
    await changesNothing(async () => {
      for (const [name, body] of bad.unreadableBodies) {
        const status = await send(operation, body === undefined ? {} : { body })
        expect([name, status]).toEqual([name, 400])
      }
    })
  })

  test.each(withBody)('%s rejects a body that fails validation with 422', async (operation) => {
    await changesNothing(async () => {
      for (const [name, body] of bad.invalidBodies(operation)) {
        const status = await send(operation, body === undefined ? {} : { body })
        expect([name, status]).toEqual([name, 422])
      }
    })
  })

  test.each(withId)('%s returns 404 for an invalid id', async (operation) => {
    await changesNothing(async () => {
      for (const id of bad.badIds) {
        expect([id.slice(0, 40), await send(operation, { id })]).toEqual([id.slice(0, 40), 404])
      }
    })
  })

  test.each(operationIds)('%s tolerates unusual queries', async (operation) => {
    await changesNothing(async () => {
      for (const query of bad.oddQueries) {
        const status = await send(operation, { query, ...(routeOf(operation).body && { body: '[]' }) })
        expect([200, 400, 404, 422]).toContain(status)
      }
    })
  })

  test.each(operationIds)('%s tolerates unusual headers', async (operation) => {
    const { auth, body } = routeOf(operation)
    await changesNothing(async () => {
      for (const odd of bad.oddHeaders) {
        const cookie = `${odd.cookie ?? 'a=b'}; ${sessionCookie}`
        const credential = auth === 'key' ? { authorization: `Bearer ${apiKey}` } : { cookie }
        const status = await send(operation, {
          headers: { ...odd, ...credential },
          ...(body && { body: '[]' }),
        })
        expect([200, 400, 404]).toContain(status)
      }
    })
  })

  test.each(operationIds)('%s rejects invalid credentials first', async (operation) => {
    await changesNothing(async () => {
      for (const headers of bad.badCredentials) {
        const body = routeOf(operation).body && { body: '{' }
        expect(await send(operation, { headers, id: '%zz', query: '?%', ...body })).toBe(401)
      }
    })
  })

  test('unpaired surrogates in a text are preserved', async () => {
    const text = '\ud800 \udc00'
    expect((await client.call('createTask', { body: { text } })).body.task.text).toBe(text)
  })

  test('a body nested 90 levels deep is returned, one deeper than 100 is rejected', async () => {
    const nested = (depth: number) => `{"spec":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(await send('createLandingPage', { body: nested(90) })).toBe(200)
    expect(await send('createLandingPage', { body: nested(101) })).toBe(400)
  })

  test('a body of exactly 1 MiB is accepted, one byte more is rejected', async () => {
    const sized = (bytes: number) => `{"text":"${'a'.repeat(bytes - 11)}"}`
    expect(await send('createTask', { body: sized(1_048_576) })).toBe(200)
    expect(await send('createTask', { body: sized(1_048_577) })).toBe(400)
  })

  test('a stream above 1 MiB is rejected, one below is accepted', async () => {
    const stream = (bytes: number) =>
      new Blob([
        '{"text":"',
        ...Array.from({ length: bytes / 1_024 }, () => 'a'.repeat(1_024)),
        '"}',
      ]).stream()
    const chunked = (bytes: number) => ({ body: stream(bytes), duplex: 'half' }) as RequestInit
    expect(await send('createTask', chunked(512 * 1_024))).toBe(200)
    expect(await send('createTask', chunked(2 * 1_024 * 1_024))).toBe(400)
  })
})

test('a wrong content length does not allow a longer body', async () => {
  const mock = createMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}`, 'content-length': '5' }
  const body = `{"text":"${'a'.repeat(2_000_000)}"}`
  const response = await mock.fetch(new Request(`${origin}/api/cli/tasks`, { method: 'POST', headers, body }))
  expect(response.status).toBe(400)
})

test('an incomplete body is rejected without an internal error', async () => {
  const mock = createMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const response = await mock.fetch(new Request(`${origin}/api/cli/tasks`, init))
  expect([response.status, mock.bugs]).toEqual([400, []])
})

test('an endless body is cut off', async () => {
  const mock = createMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const block = new Uint8Array(1_048_576)
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(block) })
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  expect((await mock.fetch(new Request(`${origin}/api/cli/tasks`, init))).status).toBe(400)
})
