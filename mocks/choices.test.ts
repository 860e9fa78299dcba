/**
 * The choices of the mock where the specification is open (docs/choices.md). The demands of the suite on every service
 * are not repeated here: contract-tests/conformance.test.ts makes them of the mock in both variants.
 */
import { describe, expect, test } from 'vitest'
import { checkedClientOf, testOrigin } from './testing/client.ts'
import { createFrozenMock, createFrozenMockWithClient, noonMs } from './testing/mock.ts'

const second = 1_000
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const isoAfter = (ms: number) => new Date(noonMs + ms).toISOString()
const messageOf = (body: object) => Reflect.get(body, 'message')

describe('answers', () => {
  test('messages of the second variant say what to do', async () => {
    const { call, newTask } = checkedClientOf(createFrozenMock({ credits: 0, variant: 'second' }))
    expect(messageOf((await call('whoami', { as: 'nobody' })).body)).toMatch(/log in with the client/i)
    expect(messageOf((await call('runTask', { id: await newTask() })).body)).toMatch(/billing page/)
  })

  test.each([
    ['GET', 'nope'],
    ['PUT', 'tasks'],
    ['GET', 'tasks/'],
    ['PATCH', 'tasks/task_1'],
  ])('an unknown path is 401 without a credential and 404 with either one: %s %s', async (method, path) => {
    const mock = createFrozenMock()
    const { apiKey, sessionCookie } = mock.credentials()
    const status = async (headers: Record<string, string>) =>
      (await mock.fetch(`${testOrigin}/api/cli/${path}`, { method, headers })).status
    const seen = [await status({}), await status(bearer(apiKey)), await status({ cookie: sessionCookie })]
    expect(seen).toEqual([401, 404, 404])
  })
})

test('usedToday counts until midnight UTC and not what was refunded; limit is it and what remains', async () => {
  const { mock, call, newTask, state } = createFrozenMockWithClient({ credits: 10, variant: 'second' })
  const counts = async () => {
    const { usedToday, limit, remaining } = (await call('listTasks')).body
    return [usedToday, limit, remaining]
  }
  await state('next_run_fails')
  for (let i = 0; i < 2; i++) await call('runTask', { id: await newTask() })
  expect(await counts()).toEqual([2, 10, 8])
  mock.clock.advance(12 * 3_600_000 - 1)
  expect(await counts()).toEqual([1, 10, 9])
  mock.restore(mock.snapshot())
  expect(await counts()).toEqual([1, 10, 9])
  await state('next_run_fails')
  await call('runTask', { id: await newTask() })
  expect(await counts()).toEqual([2, 10, 8])
  mock.clock.advance(1)
  expect(await counts()).toEqual([0, 8, 8])
  mock.clock.advance(2 * second)
  expect(await counts(), 'a refund of yesterday').toEqual([0, 9, 9])
})

describe('keys', () => {
  test('keys are listed newest first, with a part of the secret and the time of last use', async () => {
    const { mock, call } = createFrozenMockWithClient()
    expect((await call('listKeys')).body.keys).toMatchObject([
      { name: 'First key', prefix: 'wak_te', last_used_at: null },
    ])
    const { key, secret } = (await call('createKey', { body: { name: 'CI' } })).body
    const [listed] = (await call('listKeys')).body.keys
    expect(listed).toEqual(key)
    expect(listed).toMatchObject({ name: 'CI', last_used_at: null, prefix: secret.slice(0, 13) })
    expect(secret).toMatch(/^wak_live_\w{20,}$/)
    mock.clock.advance(second)
    await call('whoami', { as: 'nobody', headers: bearer(secret) })
    expect((await call('listKeys')).body.keys[0]?.last_used_at).toBe(isoAfter(second))
  })

  test('deleting an unknown or deleted key is 404; a deleted test key stays deleted and unlisted', async () => {
    const { call } = checkedClientOf(createFrozenMock())
    const id = String((await call('listKeys')).body.keys[0]?.id)
    const statuses = [await call('deleteKey', { id }), await call('deleteKey', { id }), await call('whoami')]
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 401])
    expect((await call('listKeys')).body.keys).toEqual([])
  })

  test.each([
    ['Bearer wak_test_', 401],
    [`Bearer wak_test_${'n'.repeat(201)}`, 401],
    [`Bearer wak_test_${'n'.repeat(200)}`, 200],
  ])('Authorization: %s is answered %i', async (authorization, status) => {
    const { call } = checkedClientOf(createFrozenMock())
    expect((await call('whoami', { as: 'nobody', headers: { authorization } })).status).toBe(status)
  })

  test.each([
    'theme=dark; work_agent_session=was_test_demo; other=%zz',
    frozenCookie('50% & co; =x'),
    frozenCookie('東京'),
  ])('the cookie %s is a session', async (cookie) => {
    const { call } = checkedClientOf(createFrozenMock())
    expect((await call('listKeys', { as: 'nobody', headers: { cookie } })).status).toBe(200)
  })

  test('with keysOnly, no other key and no other session is valid, and each owns an organization', async () => {
    const { mock, call } = createFrozenMockWithClient({ keysOnly: 'alpha,wak_test_alpha,wak_test_beta' })
    const whoami = async (secret: string) => {
      const { status, body } = await call('whoami', { as: 'nobody', headers: bearer(secret) })
      return status === 200 ? body.org.id : status
    }
    const ids = await Promise.all(['alpha', 'wak_test_alpha', 'wak_test_beta'].map(whoami))
    expect(new Set(ids.filter((id) => typeof id === 'string')).size).toBe(3)
    for (const secret of ['wak_test_demo', 'beta']) expect(await whoami(secret)).toBe(401)
    expect(mock.credentials()).toMatchObject({ apiKey: 'alpha', otherApiKey: 'wak_test_alpha' })
    expect(() => mock.organization('gamma')).toThrow('keysOnly has no key of this organization')
    expect((await call('listKeys')).status).toBe(200)
    const headers = { cookie: 'work_agent_session=was_test_demo' }
    expect((await call('listKeys', { as: 'nobody', headers })).status).toBe(401)
  })
})

function frozenCookie(name: string): string {
  return `work_agent_session=${encodeURIComponent(`was_test_${name}`)}`
}

describe('documents', () => {
  test('lists: outside folders without a query, in one folder, of all; without content, newest first', async () => {
    const { call } = checkedClientOf(createFrozenMock())
    const body = { kind: 'anything', content_md: '# A', summary: '', folder_id: 'folder/1?#%' }
    for (const [title, more] of [
      ['loose', {}],
      ['filed', body],
    ] as const)
      await call('createDocument', { body: { title, ...more } })
    const list = async (query: Record<string, string> = {}) =>
      (await call('listDocuments', { query })).body.items
    const titles = async (query?: Record<string, string>) => (await list(query)).map(({ title }) => title)
    expect((await titles())[0]).toBe('loose')
    expect(await titles()).not.toContain('filed')
    expect(await titles({ folder_id: body.folder_id })).toEqual(['filed'])
    expect(await titles({ folder_id: 'unknown' })).toEqual([])
    for (const query of [{ all: '1' }, { all: '1', folder_id: 'unknown' }])
      expect((await titles(query)).slice(0, 2)).toEqual(['filed', 'loose'])
    const [filed, loose] = await list({ all: '1' })
    for (const field of ['content_md', 'summary']) expect(filed).not.toHaveProperty(field)
    expect((await call('getDocument', { id: filed?.id ?? '' })).body.item).toMatchObject(body)
    expect((await call('getDocument', { id: loose?.id ?? '' })).body.item).toMatchObject({
      ...{ kind: null, content_md: null, summary: null, folder_id: null },
    })
  })
})

describe('the extended set', () => {
  test.each([
    ['640x320', 640, 320],
    [undefined, 1024, 1024],
    [5, 1024, 1024],
    ['huge', 1024, 1024],
    [['1x1'], 1024, 1024],
    ['0x20', 16, 20],
    ['99999x1536', 4096, 1536],
  ])('a creative of the size %j is an SVG of %i by %i, with its prompt as text', async (size, width, height) => {
    const mock = createFrozenMock()
    const prompt = '<script>&"\'\u0000 \u{1f600}'
    const { body } = await checkedClientOf(mock).call('generateCreative', { body: { prompt, size } })
    expect(body.url).toContain(body.artifactId)
    const image = await mock.fetch(new Request(body.url))
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    const svg = await image.text()
    expect(svg).toContain(`width="${width}" height="${height}"`)
    expect(svg).toContain('&lt;script&gt;&amp;&quot;&#39; \u{1f600}')
    expect(svg).not.toContain('\u0000')
  })

  test('a creative belongs to one organization', async () => {
    const mock = createFrozenMock()
    const one = checkedClientOf(mock, 'one')
    const other = await checkedClientOf(mock, 'other').orgId()
    const { url } = (await one.call('generateCreative', { body: { prompt: 'a' } })).body
    const paths = ['nope.svg', 'nope', '..%2f..%2fetc%2fpasswd.svg'].map((path) =>
      url.replace(/[^/]+$/, path),
    )
    for (const elsewhere of [url.replace(await one.orgId(), other), ...paths])
      expect((await mock.fetch(new Request(elsewhere))).status).toBe(404)
  })

  test('a landing page keeps its fields, is published if so wished, and has a subdomain of its own', async () => {
    const { call } = checkedClientOf(createFrozenMock())
    const body = { business_name: 'Café Zoë', publish: true, spec: { hero: ['a'] } }
    const page = (await call('createLandingPage', { body })).body
    expect(page).toMatchObject({ business_name: 'Café Zoë', published: true, version: 1, spec: body.spec })
    expect(page.subdomain).toBe('cafe-zoe')
    expect((await call('createLandingPage', { body: {} })).body.published).toBe(false)
    for (const preferred_subdomain of ['x-4', 'x', 'x', 'x', '', '!!!'])
      await call('createLandingPage', { body: { preferred_subdomain } })
    const urls = (await call('listLandingPages')).body.items.map(({ url }) => url)
    expect(new Set(urls).size).toBe(urls.length)
  })

  test('insights accept any range, and differ between ranges', async () => {
    const { call } = checkedClientOf(createFrozenMock())
    const read = async (range: string) => (await call('getInsights', { query: { range } })).text
    expect(await read('last_7d')).toBe(await read('last_7d'))
    expect(await read('last_7d')).not.toBe(await read('anything'))
    expect((await call('getInsights')).body.range).toBe('last_30d')
  })
})

describe('the seeded past', () => {
  test('an organization initially has data on every route; addresses are of reserved domains', async () => {
    const { call } = checkedClientOf(createFrozenMock())
    const { items: tasks } = (await call('listTasks')).body
    expect(tasks.map(({ status }) => status)).toEqual(expect.arrayContaining(['completed', 'failed']))
    const { items: notifications, unread } = (await call('listNotifications')).body
    expect([notifications.length, unread]).toEqual([tasks.length, tasks.length])
    const all = (await call('listDocuments', { query: { all: '1' } })).body.items
    const loose = (await call('listDocuments')).body.items
    expect([all.length > loose.length, loose.length > 0]).toEqual([true, true])
    const emails = (await call('listLeads')).body.prospects.map(({ email }) => email)
    expect(emails).toContainEqual(expect.any(String))
    for (const email of emails) expect(email).toMatch(/@example\.(com|net|org)$/)
    expect((await call('listLandingPages')).body.items.length).toBeGreaterThan(0)
    expect((await call('listCampaigns')).body.campaigns).toHaveLength(2)
  })

  test.each([0, 1, 25, 0.5, 1e12])('an organization initially has exactly %d credits', async (credits) => {
    expect(await checkedClientOf(createFrozenMock({ credits })).credits()).toBe(credits)
  })

  test('a past of so many tasks has as many, all finished, and the same each time', async () => {
    const [one, other] = [1, 2].map(() => checkedClientOf(createFrozenMock({ past: 300 })))
    const listed = await one?.call('listTasks')
    expect(listed?.body.items.length).toBe(300)
    expect(new Set(listed?.body.items.map(({ status }) => status))).toEqual(new Set(['completed', 'failed']))
    expect((await other?.call('listTasks'))?.text).toBe(listed?.text)
  })
})
