/** Identity and keys (§4, §5): the lifecycle of a key, and authentication. */
import { expect, test } from 'vitest'
import { operationIds, routeOf } from '#contract/operation.ts'
import { clientOf, requestFor } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

test('whoami returns the organization, its plan and its credits', async () => {
  const { body } = await clientOf(frozenMock({ credits: 7 })).call('whoami')
  expect(Object.keys(body).sort()).toEqual(['credits', 'org', 'plan'])
  expect(body.credits).toBe(7)
})

test('fractional credits are exact', async () => {
  expect(await clientOf(frozenMock({ credits: 0.1 })).credits()).toBe(0.1)
})

test('a created key works immediately, for the same organization', async () => {
  const mock = frozenMock()
  const { call, orgId } = clientOf(mock)
  const { secret } = (await call('createKey', { body: { name: 'CI' } })).body
  const me = await call('whoami', { as: 'nobody', headers: bearer(secret) })
  expect(me.body.org.id).toBe(await orgId())
})

test('the secret is only in the response of createKey', async () => {
  const mock = frozenMock()
  const { call, newTask } = clientOf(mock)
  const { secret } = (await call('createKey', { body: { name: 'CI' } })).body
  const headers = bearer(secret)
  const id = await newTask()
  const texts: string[] = []
  for (const operation of operationIds) {
    if (operation === 'deleteKey') continue
    const input = routeOf(operation).auth === 'key' ? { id, headers } : { id }
    const body = { text: 'a', title: 'a', prompt: 'a', name: 'a' }
    texts.push((await call(operation, routeOf(operation).body ? { ...input, body } : input)).text)
  }
  expect(texts.filter((text) => text.includes(secret))).toEqual([])
})

test('keys are listed newest first, with a partial prefix and the time of last use', async () => {
  const mock = frozenMock()
  const { call } = clientOf(mock)
  const { key, secret } = (await call('createKey', { body: { name: 'CI' } })).body
  const [listed] = (await call('listKeys')).body.keys
  expect(listed).toEqual(key)
  expect(listed).toMatchObject({ name: 'CI', last_used_at: null })
  expect(secret.startsWith(String(listed?.prefix))).toBe(true)
  expect(secret.length - String(listed?.prefix).length).toBeGreaterThan(16)
  mock.clock.advance(1_000)
  await call('whoami', { as: 'nobody', headers: bearer(secret) })
  const [used] = (await call('listKeys')).body.keys
  expect(used?.last_used_at).toBe(new Date(noon + 1_000).toISOString())
})

test('the initial key is listed before its first use', async () => {
  const { call } = clientOf(frozenMock())
  expect((await call('listKeys')).body.keys).toMatchObject([{ name: 'First key', last_used_at: null }])
})

test('a deleted key stops working immediately and is not listed', async () => {
  const { call } = clientOf(frozenMock())
  const { key, secret } = (await call('createKey', { body: { name: 'CI' } })).body
  const id = String(Reflect.get(Object(key), 'id'))
  expect((await call('deleteKey', { id })).body).toEqual({ ok: true })
  expect((await call('whoami', { as: 'nobody', headers: bearer(secret) })).status).toBe(401)
  expect((await call('listKeys')).body.keys.map((one) => one.id)).not.toContain(id)
  expect((await call('deleteKey', { id })).status).toBe(404)
})

test('a deleted test key stays deleted', async () => {
  const { call } = clientOf(frozenMock())
  const [first] = (await call('listKeys')).body.keys
  await call('deleteKey', { id: String(first?.id) })
  expect((await call('whoami')).status).toBe(401)
  expect((await call('whoami')).status).toBe(401)
})

test('a session is invalid on key routes, and a key on cookie routes', async () => {
  const { call } = clientOf(frozenMock())
  for (const operation of operationIds) {
    const as = routeOf(operation).auth === 'key' ? 'cookie' : 'key'
    const { status, body } = await call(operation, { as })
    expect([operation, status, Reflect.get(body, 'error')]).toEqual([operation, 401, 'unauthorized'])
  }
})

test.each([
  'Bearer',
  'Bearer ',
  'Bearer nope',
  'Bearer wak_test_',
  'Bearer wak_live_0000000000000000',
  'Basic wak_test_demo',
  'wak_test_demo',
  `Bearer wak_test_${'n'.repeat(201)}`,
])('%s is not a valid credential', async (authorization) => {
  const { call } = clientOf(frozenMock())
  expect((await call('whoami', { as: 'nobody', headers: { authorization } })).status).toBe(401)
})

test('the name of the scheme is case-insensitive', async () => {
  const { call } = clientOf(frozenMock())
  for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
    const headers = { authorization: `${scheme} wak_test_demo` }
    expect((await call('whoami', { as: 'nobody', headers })).status).toBe(200)
  }
})

test('the session is found among other cookies', async () => {
  const { call } = clientOf(frozenMock())
  const headers = { cookie: 'theme=dark; work_agent_session=was_test_demo; other=%zz' }
  expect((await call('listKeys', { as: 'nobody', headers })).status).toBe(200)
})

test('401 precedes any other response', async () => {
  const mock = frozenMock({ extended: false })
  const bad = { method: 'POST', body: '{' }
  for (const path of [
    '/api/cli/tasks',
    '/api/cli/tasks/nope/run',
    '/api/cli/nope',
    '/api/cli/creative/generate',
  ]) {
    expect((await mock.fetch(new Request(`http://mock.test${path}`, bad))).status).toBe(401)
  }
})

test('an unknown path returns 404 with either credential', async () => {
  const mock = frozenMock()
  const { apiKey, sessionCookie } = mock.credentials()
  for (const headers of [bearer(apiKey), { cookie: sessionCookie }]) {
    for (const [method, path] of [
      ['GET', '/api/cli/nope'],
      ['PUT', '/api/cli/tasks'],
      ['GET', '/api/cli/tasks/'],
      ['PATCH', '/api/cli/tasks/task_1'],
    ] as const) {
      const response = await mock.fetch(new Request(`http://mock.test${path}`, { method, headers }))
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: 'not_found' })
    }
  }
})

test('with keysOnly, no other key and no other session is valid', async () => {
  const mock = frozenMock({ keysOnly: 'alpha,wak_test_beta' })
  const whoami = async (secret: string) => {
    const response = await mock.fetch(requestFor('whoami', {}, bearer(secret)))
    return [response.status, Reflect.get(await response.json(), 'org')?.id]
  }
  const [alpha, beta] = [await whoami('alpha'), await whoami('wak_test_beta')]
  expect([alpha[0], beta[0], alpha[1] === beta[1]]).toEqual([200, 200, false])
  for (const secret of ['wak_test_demo', 'beta', 'wak_test_alpha'])
    expect((await whoami(secret))[0]).toBe(401)
  expect(mock.credentials()).toMatchObject({ apiKey: 'alpha', otherApiKey: 'wak_test_beta' })
  const { call } = clientOf(mock)
  expect((await call('listKeys')).status).toBe(200)
  const headers = { cookie: 'work_agent_session=was_test_demo' }
  expect((await call('listKeys', { as: 'nobody', headers })).status).toBe(401)
})

test('keys of keysOnly own one organization each, even with similar names', async () => {
  const mock = frozenMock({ keysOnly: ['a', 'wak_test_a'] })
  const ids = await Promise.all(
    ['a', 'wak_test_a'].map(async (secret) => {
      const response = await mock.fetch(requestFor('whoami', {}, bearer(secret)))
      return Reflect.get(await response.json(), 'org')?.id
    }),
  )
  expect(new Set(ids).size).toBe(2)
})

test.each(['50% & co; =x', 'Zürich', '東京'])('the session of %s is a valid header value', async (name) => {
  const { call } = clientOf(frozenMock(), name)
  expect((await call('listKeys', { as: 'cookie' })).status).toBe(200)
})
