/** The list at `/` and `/__admin`: complete, each link works, and credentials only for those who may control the mock. */
import { expect, test } from 'vitest'
import { routeOf } from '#contract/operation.ts'
import { curl, listening } from '../testing/listening.ts'
import { frozenMock } from '../testing/mock.ts'
import { controlRoutes } from './admin/index.ts'

const asBrowser = ['--header', 'Accept: text/html,application/xhtml+xml,*/*;q=0.8']

test('curl gets text with credentials, every route of the API and every control route', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const { out } = await curl(`${url}/`)
  const { apiKey, sessionCookie } = mock.credentials()
  for (const shown of [apiKey, sessionCookie, routeOf('runTask').path, '/api/cli/leads', '/openapi.json'])
    expect(out).toContain(shown)
  for (const { method, path } of controlRoutes) expect(out).toContain(`${method} /__admin${path} `)
  expect(out).not.toContain('<')
})

test('a browser gets HTML, and each of its links opens', async () => {
  const { url } = await listening(frozenMock())
  const { out } = await curl('--dump-header', '-', ...asBrowser, `${url}/__admin`)
  expect(out).toMatch(/^content-type: text\/html/im)
  const links = [...out.matchAll(/<a href="([^"]+)"/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(8)
  const opened = await Promise.all(
    links.map(async (link) => {
      const { out } = await curl(
        '--max-time',
        '2',
        '--output',
        '/dev/null',
        '--write-out',
        '%{http_code}',
        url + link,
      )
      return [link, out]
    }),
  )
  expect(opened.filter(([, status]) => status !== '200')).toEqual([])
})

test('routes that the mock does not serve are not listed', async () => {
  const { url } = await listening(frozenMock({ extended: false }))
  expect((await curl(`${url}/`)).out).not.toContain('/api/cli/leads')
})

test('whoever may not control the mock sees no credentials', async () => {
  const mock = frozenMock()
  const { apiKey, sessionCookie } = mock.credentials()
  const local = await listening(mock)
  const open = await listening(mock, { host: '0.0.0.0', adminToken: 'token' })
  const seen = [
    (await local.send('GET', '/', { headers: { host: 'evil.example' } })).text,
    (await local.send('GET', '/', { headers: { origin: 'https://evil.example' } })).text,
    (await open.send('GET', '/')).text,
  ]
  for (const page of seen) {
    expect(page).toContain('/openapi.json')
    expect(page).not.toContain(apiKey)
    expect(page).not.toContain(sessionCookie)
  }
  const { text } = await open.send('GET', '/__admin?token=token', { headers: { accept: 'text/html' } })
  expect(text).toContain(apiKey)
  expect(text).toContain('href="/__admin/report?format=html&amp;token=token"')
})
