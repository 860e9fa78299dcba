/** Control calls: allowed locally except for pages from other origins; elsewhere allowed with the token. */
import { HonoRequest } from 'hono/request'
import { expect, test } from 'vitest'
import { listenUntilTestEnd } from '../testing/listening.ts'
import { createFrozenMock } from '../testing/mock.ts'
import { createControlGuard, isLoopback } from './guard.ts'

const guard = createControlGuard('127.0.0.1', undefined)

/** The status that refuses a call to 127.0.0.1, if one does. */
function refusalOf(headers: Record<string, string>, method = 'GET'): number | undefined {
  const init = { method, headers: { host: '127.0.0.1:4402', ...headers } }
  return guard(new HonoRequest(new Request('http://127.0.0.1:4402/__admin/faults', init)))?.status
}

const elsewhere = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }

test.each<[string, Record<string, string>]>([
  ['no more than a client sends', {}],
  ['localhost', { host: 'localhost:4402' }],
  ['another port, as a mapping gives it', { host: '127.0.0.1:80' }],
  ['a name under localhost', { host: 'mock.localhost' }],
  ['the loopback address of IPv6', { host: '[::1]:4402' }],
  ['its own page', { host: 'localhost:4402', origin: 'http://localhost:4402' }],
  ['its own page, by fetch', { 'sec-fetch-site': 'same-origin' }],
  ['an address that was typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['a link elsewhere that opens a page', { ...elsewhere, 'sec-fetch-dest': 'document' }],
])('a local call with %s is allowed', (_, headers) => {
  expect(refusalOf(headers)).toBeUndefined()
})

test.each<[string, Record<string, string>, string?]>([
  ['a name that points here', { host: 'evil.example' }],
  ['a name that begins like ours', { host: 'localhost.evil.example' }],
  ['an address that begins like ours', { host: '127.0.0.1.evil.example' }],
  ['an address of the network', { host: '192.168.0.7:4402' }],
  ['a page elsewhere', { origin: 'https://evil.example' }],
  ['a page on another port', { origin: 'http://127.0.0.1:1' }],
  ['a page without an origin', { origin: 'null' }],
  ['a fetch of a page elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a page on a neighbouring site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ['a frame of a page elsewhere', { ...elsewhere, 'sec-fetch-dest': 'iframe' }],
  ['a form elsewhere that posts, as navigation', { ...elsewhere, 'sec-fetch-dest': 'document' }, 'POST'],
])('a local call from %s is rejected', (_, headers, method) => {
  expect(refusalOf(headers, method)).toBe(403)
})

test('a rejected page is told nothing, however it spells the path', async () => {
  const { send } = await listenUntilTestEnd(createFrozenMock())
  for (const path of ['/__admin/health', '/__admin/nope', '/%5F_admin/health']) {
    const { status, headers } = await send('GET', path, { headers: { origin: 'https://evil.example' } })
    expect([path, status]).toEqual([path, 403])
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('with cors, pages may still not read control routes', async () => {
  const { send } = await listenUntilTestEnd(createFrozenMock({ cors: true }))
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  for (const method of ['OPTIONS', 'GET', 'POST']) {
    const { status, headers: received } = await send(method, '/__admin/reset', { headers })
    expect([method, status]).toEqual([method, 403])
    expect(Object.keys(received).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

test('the API responds for any host', async () => {
  const mock = createFrozenMock()
  const { send } = await listenUntilTestEnd(mock)
  const key = mock.credentials().apiKey
  expect((await send('GET', '/api/cli/whoami', { key, headers: { host: 'any.example' } })).status).toBe(200)
})

test('on other addresses, every control call requires the generated token', async () => {
  const mock = createFrozenMock()
  const { send, listener } = await listenUntilTestEnd(mock, { host: '0.0.0.0' })
  const { adminToken: token = '' } = listener
  expect(token).toMatch(/^[\w-]{32}$/)
  expect((await listenUntilTestEnd(mock, { host: '0.0.0.0' })).listener.adminToken).not.toBe(token)
  const wrong = [
    {},
    { 'x-admin-token': '' },
    { 'x-admin-token': token.slice(1) },
    { 'x-admin-token': `${token}x` },
  ]
  for (const path of ['/__admin/health', '/__admin/nope', '/__admin/state'])
    for (const headers of wrong) expect((await send('GET', path, { headers })).status).toBe(401)
  expect((await send('GET', '/__admin/health?token=x')).status).toBe(401)
  expect((await send('GET', '/__admin/health', { headers: { 'x-admin-token': token } })).status).toBe(200)
  expect((await send('GET', `/__admin/health?token=${token}`)).status).toBe(200)
  const key = mock.credentials().apiKey
  expect((await send('GET', '/api/cli/whoami', { key })).status).toBe(200)
})

test('a configured token is also required locally; a key beside it selects its organization', async () => {
  const mock = createFrozenMock()
  const { send } = await listenUntilTestEnd(mock, { adminToken: 'open sesame' })
  const headers = { 'x-admin-token': 'open sesame' }
  const key = mock.credentials('ada').apiKey
  expect((await send('GET', '/__admin/health', { key })).status).toBe(401)
  const { text } = await send('POST', '/__admin/credits', { key, headers, body: { set: 3 } })
  expect(JSON.parse(text)).toEqual({ org_id: mock.organization('ada').id, credits: 3, credits_before: 25 })
})

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['', false],
])('%s is a loopback address: %s', (address, only) => {
  expect(isLoopback(address)).toBe(only)
})
