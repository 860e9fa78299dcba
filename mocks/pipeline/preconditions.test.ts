/** Preconditions: connections, the rate limit (§8.1) and unavailability (§7). That a wait suffices is a test of the limiter, and of the suite. */

import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../edges/http.ts'
import { checkedClientOf } from '../testing/client.ts'
import { createFrozenMock } from '../testing/mock.ts'

test('requests that return other errors count', async () => {
  const { call } = checkedClientOf(createFrozenMock({ rateLimit: '2/10s' }))
  for (let i = 0; i < 2; i++) expect((await call('getTask', { id: 'nope' })).status).toBe(404)
  expect((await call('whoami')).status).toBe(429)
})

test('429 precedes 503, and 503 precedes 404 and the validation of a body', async () => {
  const { call, state } = checkedClientOf(createFrozenMock())
  await state('unavailable')
  expect((await call('createTask', { body: { text: 5 } })).status).toBe(503)
  expect((await call('runTask', { id: 'nope' })).status).toBe(503)
  await state('rate_limit', { limit: 1, window_s: 10 })
  expect((await call('runTask', { id: 'nope' })).status).toBe(503)
  expect((await call('runTask', { id: 'nope' })).status).toBe(429)
})

test('an organization keeps no more rows than it may, and says so', async () => {
  const { call } = checkedClientOf(createFrozenMock({ past: 'none', rows: 3 }))
  // The first key is a row too.
  const made = [
    await call('createTask', { body: { text: 'a' } }),
    await call('createDocument', { body: { title: 'b' } }),
  ]
  expect(made.map(({ status }) => status)).toEqual([200, 200])
  for (const refused of [
    await call('createTask', { body: { text: 'c' } }),
    await call('createKey', { body: {} }),
  ])
    expect([refused.status, refused.body.message]).toEqual([
      503,
      expect.stringContaining('--rows allows (3)'),
    ])
  expect((await call('listTasks')).status).toBe(200)
})

test('a mock has no more organizations than it may: credentials of another one are told why', async () => {
  const mock = createFrozenMock({ organizations: 2 })
  for (const name of ['a', 'b', 'a'])
    expect((await checkedClientOf(mock, name).call('whoami')).status).toBe(200)
  const refused = await checkedClientOf(mock, 'c').call('whoami')
  expect([refused.status, refused.body.message]).toEqual([
    401,
    expect.stringContaining('--organizations allows (2)'),
  ])
  expect((await checkedClientOf(mock, 'c').call('listKeys')).status).toBe(401)
  expect(() => mock.organization('c').id).toThrow('--organizations allows (2)')
  mock.reset()
  expect((await checkedClientOf(mock, 'c').call('whoami')).status).toBe(200)
})

test.each([
  ['over HTTP, one after the other', 1, 'failed'],
  ['over HTTP, at once', 3, 'not_exercised'],
  ['in process, one after the other', 1, 'failed'],
  ['in process, at once', 3, 'not_exercised'],
])('of requests %s, those on one connection that come after a 429 have not waited', async (how, count, outcome) => {
  const mock = createFrozenMock({ rateLimit: '1/60s' })
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  const dispatcher = new Agent({ connections: count, pipelining: 1 })
  onTestFinished(async () => {
    await dispatcher.close()
    await close()
  })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const send = async () => {
    const address = `${url}/api/cli/whoami`
    const sent = how.startsWith('in process')
      ? mock.fetch(address, { headers })
      : fetch(address, { dispatcher, headers })
    await (await sent).text()
  }
  if (count === 1) for (let i = 0; i < 3; i++) await send()
  else await Promise.all([send(), send(), send()])
  const { rules } = mock.report()
  expect(rules.find(({ id }) => id === 'waits-retry-after')?.outcome).toBe(outcome)
})
