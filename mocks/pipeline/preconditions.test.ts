/** What refuses a request before its handler sees it: limits (§8.1) and unavailability (§7). */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'

test('the request above the limit is told how many seconds to wait, and waiting so long is enough', async () => {
  const mock = frozenMock({ rateLimit: '3/10s' })
  const { ask } = clientOf(mock)
  for (let i = 0; i < 3; i++) {
    expect((await ask('whoami')).status).toBe(200)
    mock.clock.advance(100)
  }
  const { status, body, headers } = await ask('whoami')
  expect([status, Reflect.get(body, 'error')]).toEqual([429, 'rate_limited'])
  expect(headers.get('retry-after')).toBe('10')
  mock.clock.advance(9_699)
  expect((await ask('whoami')).headers.get('retry-after')).toBe('1')
  mock.clock.advance(1)
  expect((await ask('whoami')).status).toBe(200)
})

test('waiting until the date of Retry-After is enough', async () => {
  const mock = frozenMock({ rateLimit: '1/10s', retryAfter: 'date' })
  const { ask } = clientOf(mock)
  mock.clock.advance(250)
  await ask('whoami')
  const until = (await ask('whoami')).headers.get('retry-after') ?? ''
  expect(until).toBe('Sun, 01 Mar 2026 12:00:11 GMT')
  mock.clock.set(Date.parse(until))
  expect((await ask('whoami')).status).toBe(200)
})

test('the Date header follows mock time', async () => {
  const mock = frozenMock()
  const { ask } = clientOf(mock)
  for (const days of [0, 400, 3]) {
    mock.clock.set(noon + days * 86_400_000)
    for (const reply of [await ask('whoami'), await ask('getTask', { id: 'nope' })]) {
      expect(reply.headers.get('date')).toBe(new Date(noon + days * 86_400_000).toUTCString())
    }
  }
})

test('keys and sessions are counted apart, also within an organization', async () => {
  const mock = frozenMock({ rateLimit: '2/10s' })
  const { ask } = clientOf(mock)
  const { secret } = (await ask('createKey', { body: { name: 'second' } })).body
  for (let i = 0; i < 3; i++) await ask('whoami')
  expect((await ask('whoami')).status).toBe(429)
  const other = { as: 'nobody', headers: { authorization: `Bearer ${secret}` } } as const
  expect((await ask('whoami', other)).status).toBe(200)
  expect((await ask('listKeys')).status).toBe(200)
  expect((await ask('listKeys')).status).toBe(429)
  expect((await clientOf(mock, 'somebody else').ask('whoami')).status).toBe(200)
})

test('requests answered 401 or 429 do not count', async () => {
  const mock = frozenMock({ rateLimit: '2/10s' })
  const { ask } = clientOf(mock)
  for (let i = 0; i < 5; i++) await ask('listKeys', { as: 'key' })
  expect((await ask('whoami')).status).toBe(200)
  expect((await ask('whoami')).status).toBe(200)
  for (let i = 0; i < 5; i++) await ask('whoami')
  mock.clock.advance(10_000)
  for (let i = 0; i < 2; i++) expect((await ask('whoami')).status).toBe(200)
})

test('requests that fail otherwise count', async () => {
  const { ask } = clientOf(frozenMock({ rateLimit: '2/10s' }))
  for (let i = 0; i < 2; i++) expect((await ask('getTask', { id: 'nope' })).status).toBe(404)
  expect((await ask('whoami')).status).toBe(429)
})

test('the limit can be off', async () => {
  const { ask } = clientOf(frozenMock({ rateLimit: 'off' }))
  for (let i = 0; i < 700; i++) expect((await ask('getTask', { id: 'nope' })).status).toBe(404)
})

test('the limit is told before unavailability, and unavailability before an unknown id', async () => {
  const { ask, state } = clientOf(frozenMock())
  await state('unavailable')
  expect((await ask('runTask', { id: 'nope' })).status).toBe(503)
  await state('rate_limit', { limit: 1, window_s: 10 })
  expect((await ask('runTask', { id: 'nope' })).status).toBe(503)
  expect((await ask('runTask', { id: 'nope' })).status).toBe(429)
})

test('a body is not looked at where the request is refused', async () => {
  const { ask, state } = clientOf(frozenMock())
  await state('unavailable')
  expect((await ask('createTask', { body: { text: 5 } })).status).toBe(503)
})
