/** The login over `/__admin`. */
import { expect, test } from 'vitest'
import { clientOf, origin } from '../../testing/client.ts'
import { frozenMock } from '../../testing/mock.ts'

const post = (path: string, body?: string) =>
  new Request(`${origin}/__admin${path}`, { method: 'POST', ...(body !== undefined && { body }) })

test('login sets the session of the named organization', async () => {
  const mock = frozenMock()
  const response = await mock.fetch(post('/login', '{"organization":"東京\\r\\n"}'))
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  expect(await response.json()).toEqual({ cookie })
  const { call } = clientOf(mock)
  expect((await call('listKeys', { as: 'nobody', headers: { cookie } })).status).toBe(200)
})

test('login without a name sets the session of the demo organization', async () => {
  const mock = frozenMock()
  expect(await (await mock.fetch(post('/login'))).json()).toEqual({
    cookie: mock.credentials().sessionCookie,
  })
})

test.each([
  '{"organization":5}',
  '{"organization":""}',
  '{"organization":"\\ud800"}',
])('login rejects %s', async (body) => {
  expect((await frozenMock().fetch(post('/login', body))).status).toBe(400)
})
