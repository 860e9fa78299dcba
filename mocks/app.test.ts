/** The mock as a value: its options, its observers, and what it says where nothing is. */
import { expect, test } from 'vitest'
import { createMock } from './app.ts'
import { clientOf, origin } from './testing/client.ts'
import { frozenMock, noon } from './testing/mock.ts'

test('observers are told of each exchange, and never a key, a cookie or a body', async () => {
  const mock = frozenMock()
  const seen: unknown[] = []
  const stop = mock.observe((exchange) => seen.push(exchange))
  const { ask, orgId } = clientOf(mock)
  const org_id = await orgId()
  await ask('getTask', { id: 'nope' })
  await ask('createKey', { body: { name: 'private' } })
  await ask('whoami', { as: 'nobody' })
  stop()
  await ask('whoami')
  const common = { at: noon, duration_ms: expect.any(Number) }
  expect(seen).toEqual([
    {
      operation: 'whoami',
      method: 'GET',
      path: '/api/cli/whoami',
      status: 200,
      error: null,
      org_id,
      ...common,
    },
    {
      operation: 'getTask',
      method: 'GET',
      path: '/api/cli/tasks/nope',
      status: 404,
      error: 'not_found',
      org_id,
      ...common,
    },
    {
      operation: 'createKey',
      method: 'POST',
      path: '/api/cli/keys',
      status: 200,
      error: null,
      org_id,
      ...common,
    },
    {
      operation: 'whoami',
      method: 'GET',
      path: '/api/cli/whoami',
      status: 401,
      error: 'unauthorized',
      org_id: null,
      ...common,
    },
  ])
})

test('options that cannot be used are named, all of them', () => {
  expect(() => createMock({ credits: -1, variant: 'third' as 'first' })).toThrow(
    new TypeError('variant takes first or second; credits takes a number of credits, 0 or more'),
  )
})

test('the agent of a busy mock begins busy', async () => {
  const mock = frozenMock({ busy: 10 })
  const { ask, newTask, look } = clientOf(mock)
  const id = await newTask()
  expect((await ask('runTask', { id })).status).toBe(409)
  mock.clock.advance(10_000)
  expect((await look(id)).status).toBe('in_progress')
})

test('outside the API there is nothing', async () => {
  const response = await frozenMock().fetch(new Request(`${origin}/`))
  expect([response.status, await response.json()]).toMatchObject([404, { error: 'not_found' }])
})

test('pages of other origins may call a mock with cors, and read Retry-After', async () => {
  const mock = frozenMock({ cors: true })
  const headers = { origin: 'https://app.example' }
  const preflight = await mock.fetch(
    new Request(`${origin}/api/cli/tasks`, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    }),
  )
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization')
  for (const as of ['key', 'nobody'] as const) {
    const reply = await clientOf(mock).ask('whoami', { as, headers })
    expect(reply.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(reply.headers.get('access-control-expose-headers')).toContain('Retry-After')
  }
})

test('without cors they may not', async () => {
  const reply = await clientOf(frozenMock()).ask('whoami', { headers: { origin: 'https://app.example' } })
  expect(reply.headers.get('access-control-allow-origin')).toBeNull()
})

test('HEAD is answered like GET, without a body', async () => {
  const mock = frozenMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const response = await mock.fetch(new Request(`${origin}/api/cli/whoami`, { method: 'HEAD', headers }))
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('a reset lets time run again from where it began', () => {
  const mock = frozenMock()
  mock.clock.advance(1e9)
  mock.reset()
  expect(mock.clock.frozen).toBe(false)
  expect(mock.clock.now()).toBeLessThan(noon + 1e9)
})
