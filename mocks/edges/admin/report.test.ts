/** `GET /__admin/report`: the client report over HTTP, in the requested format. */
import { expect, test } from 'vitest'
import { clientOf, origin } from '../../testing/client.ts'
import { frozenMock } from '../../testing/mock.ts'

const get = (mock: ReturnType<typeof frozenMock>, query = '', headers: Record<string, string> = {}) =>
  mock.fetch(new Request(`${origin}/__admin/report${query}`, { headers }))

test.each([
  ['', undefined, 'application/json'],
  ['', '*/*', 'application/json'],
  ['', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
  ['', 'text/plain', 'text/plain; charset=utf-8'],
  ['', 'text/markdown;q=0.9', 'text/markdown; charset=utf-8'],
  ['?format=junit', 'text/html', 'application/xml'],
  ['?format=text', undefined, 'text/plain; charset=utf-8'],
])('%j with Accept %j is %s', async (query, accept, type) => {
  const response = await get(frozenMock(), query, accept === undefined ? {} : { accept })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
})

test('the report over HTTP equals the one in process', async () => {
  const mock = frozenMock({ credits: 0 })
  const { call, newTask } = clientOf(mock)
  const id = await newTask()
  for (let i = 0; i < 2; i++) await call('runTask', { id })
  expect(await (await get(mock)).json()).toEqual(structuredClone(mock.report()))
})

test('a key or org_id selects the report of one organization', async () => {
  const mock = frozenMock()
  for (const name of ['ada', 'bob']) await clientOf(mock, name).call('whoami')
  const { id } = mock.organization('ada')
  const headers = { authorization: `Bearer ${mock.credentials('ada').apiKey}` }
  for (const answer of [await get(mock, '', headers), await get(mock, `?org_id=${id}`)])
    expect((await answer.json()).parts).toEqual([{ id, org_id: id, requests: 1, end: null }])
  expect((await (await get(mock)).json()).parts).toHaveLength(2)
})

test('strict=true fails on violated advice', async () => {
  const mock = frozenMock()
  const { call } = clientOf(mock)
  for (let i = 0; i < 2; i++) await call('getTask', { id: 'nope' })
  expect((await (await get(mock, '?strict=true')).json()).outcome).toBe('failed')
  expect((await (await get(mock)).json()).outcome).toBe('passed')
})

test.each(['?format=pdf', '?strict=yes'])('%s is rejected', async (query) => {
  expect((await get(frozenMock(), query)).status).toBe(400)
})

test('requesting the report changes nothing', async () => {
  const mock = frozenMock({ rateLimit: '2/10s' })
  for (let i = 0; i < 5; i++) await get(mock)
  expect((await clientOf(mock).call('whoami')).status).toBe(200)
  expect(mock.report().parts[0]?.requests).toBe(1)
})

test('a reset of the journal starts a new report', async () => {
  const mock = frozenMock()
  await clientOf(mock).call('whoami')
  mock.reset('journal')
  expect(mock.report().parts).toEqual([])
})
