/** The extended route set (§4): creatives, landing pages, ads, wallet and billing. */
import { expect, test } from 'vitest'
import { operationIds, routeOf } from '#contract/operation.ts'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

test('a creative costs one credit and is served at its URL', async () => {
  const mock = frozenMock({ credits: 2 })
  const { call, credits } = clientOf(mock)
  const prompt = '<script>&"\'\u0000 \u{1f600}'
  const { body } = await call('generateCreative', { body: { prompt, size: '640x320' } })
  expect(await credits()).toBe(1)
  expect(body.url).toContain(body.artifactId)
  const image = await mock.fetch(new Request(body.url))
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  const svg = await image.text()
  expect(svg).toContain('width="640" height="320"')
  expect(svg).toContain('&lt;script&gt;&amp;&quot;&#39; \u{1f600}')
  expect(svg).not.toContain('\u0000')
})

test.each([
  undefined,
  5,
  'huge',
  '0x0',
  '99999x99999',
  ['1x1'],
])('a size of %j produces an image', async (size) => {
  const mock = frozenMock()
  const { body } = await clientOf(mock).call('generateCreative', { body: { prompt: 'a', size } })
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(
    await (await mock.fetch(new Request(body.url))).text(),
  ) as unknown as [string, string, string]
  for (const side of [Number(width), Number(height)]) {
    expect(side).toBeGreaterThanOrEqual(16)
    expect(side).toBeLessThanOrEqual(4096)
  }
})

test('a creative belongs to one organization', async () => {
  const mock = frozenMock()
  const one = clientOf(mock, 'one')
  const other = await clientOf(mock, 'other').orgId()
  const { url } = (await one.call('generateCreative', { body: { prompt: 'a' } })).body
  const elsewhere = url.replace(await one.orgId(), other)
  expect((await mock.fetch(new Request(elsewhere))).status).toBe(404)
  for (const path of ['nope.svg', 'nope', '..%2f..%2fetc%2fpasswd.svg']) {
    expect((await mock.fetch(new Request(url.replace(/[^/]+$/, path)))).status).toBe(404)
  }
})

test('a failed generation refunds its credit and hosts nothing', async () => {
  const { call, state, credits } = clientOf(frozenMock({ credits: 1 }))
  await state('next_creative_fails')
  const { status, body } = await call('generateCreative', { body: { prompt: 'a' } })
  expect([status, Reflect.get(body, 'error')]).toEqual([503, 'unavailable'])
  expect(await credits()).toBe(1)
  expect((await call('generateCreative', { body: { prompt: 'a' } })).status).toBe(200)
})

test('without a credit, nothing is generated', async () => {
  const { call, credits } = clientOf(frozenMock({ credits: 0 }))
  expect((await call('generateCreative', { body: { prompt: 'a' } })).status).toBe(402)
  expect(await credits()).toBe(0)
})

test('a creative neither waits for the agent nor keeps it busy', async () => {
  const { call, newTask } = clientOf(frozenMock())
  await call('runTask', { id: await newTask() })
  expect((await call('generateCreative', { body: { prompt: 'a' } })).status).toBe(200)
})

test('a created landing page has its fields at the top level and is listed', async () => {
  const { call } = clientOf(frozenMock())
  const body = { business_name: 'Café Zoë', publish: true, spec: { hero: ['a'] } }
  const page = (await call('createLandingPage', { body })).body
  expect(page).toMatchObject({ business_name: 'Café Zoë', published: true, version: 1, spec: body.spec })
  expect(page.subdomain).toBe('cafe-zoe')
  expect((await call('listLandingPages')).body.items[0]).toEqual(page)
})

test('a landing page needs no field and is not published by default', async () => {
  const { call } = clientOf(frozenMock())
  expect((await call('createLandingPage', { body: {} })).body.published).toBe(false)
})

test('landing pages have unique subdomains', async () => {
  const { call } = clientOf(frozenMock())
  for (const preferred_subdomain of ['x-4', 'x', 'x', 'x', '', '!!!']) {
    await call('createLandingPage', { body: { preferred_subdomain } })
  }
  const urls = (await call('listLandingPages')).body.items.map(({ url }) => url)
  expect(new Set(urls).size).toBe(urls.length)
})

test('insights are the same for the same range, and differ between ranges', async () => {
  const { call } = clientOf(frozenMock())
  const read = async (range: string) => (await call('getInsights', { query: { range } })).text
  expect(await read('last_7d')).toBe(await read('last_7d'))
  expect(await read('last_7d')).not.toBe(await read('last_30d'))
  expect((await call('getInsights')).body.range).toBe('last_30d')
})

test('billing returns the same credits as whoami', async () => {
  const { call, newTask, credits } = clientOf(frozenMock({ credits: 4 }))
  await call('runTask', { id: await newTask() })
  expect((await call('getBilling')).body.credits).toBe(await credits())
})

test('a mock without the extended set returns 404 on each of its routes', async () => {
  const { call, credits } = clientOf(frozenMock({ extended: false, credits: 5 }))
  for (const operation of operationIds.filter((id) => routeOf(id).set === 'extended')) {
    const { status, body } = await call(operation, routeOf(operation).body ? { body: { prompt: 'a' } } : {})
    expect([operation, status, Reflect.get(body, 'error')]).toEqual([operation, 404, 'not_found'])
  }
  expect(await credits()).toBe(5)
})
