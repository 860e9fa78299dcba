/** The page: served compressed and once, only to those who may make control calls, and with nothing else let in; and the page that lists everything. */

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { routeOf } from '#contract/operation.ts'
import { listenUntilTestEnd, runCurl } from '../testing/listening.ts'
import { createFrozenMock } from '../testing/mock.ts'
import { controlRoutes } from './admin/index.ts'
import { type Address, listen } from './http.ts'
import type { PagePart } from './page/source.ts'
import { createPageLoader } from './page.ts'
import type { EdgeBindings } from './request.ts'

const built = {
  html: '<!doctype html><link rel="stylesheet" href="/__page/page.css"><script type="module" src="/__page/page.js"></script>',
  script: `console.log(${JSON.stringify('x'.repeat(5_000))})`,
  style: 'body { margin: 0 }',
}

/** Listens with a page alone; notes which parts are loaded. */
async function served(address: Address = {}, load = async (part: PagePart) => built[part]) {
  const loads: PagePart[] = []
  const respond = createPageLoader((part) => {
    loads.push(part)
    return load(part)
  })
  const app = new Hono<{ Bindings: EdgeBindings }>()
  app.get('*', async (c) => (await respond(c)) ?? c.notFound())
  const listener = await listen(
    { handle: (request) => app.fetch(request.toRequest(), { guard: request.guard }) },
    address,
  )
  onTestFinished(() => listener.close())
  return { ...listener, loads }
}

/** The status of an answer to any headers, which `fetch` would replace. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

describe('files', () => {
  test.each([
    ['/', 'text/html', built.html],
    ['/__page/page.js', 'text/javascript', built.script],
    ['/__page/page.css', 'text/css', built.style],
  ])('%s is sent with its type, plain or compressed', async (path, type, text) => {
    const { url } = await served()
    for (const coding of [null, 'gzip']) {
      const response = await fetch(url + path, { headers: { 'accept-encoding': coding ?? 'identity' } })
      const [received, coded] = ['content-type', 'content-encoding'].map((name) => response.headers.get(name))
      expect([received, coded, await response.text()]).toEqual([`${type}; charset=utf-8`, coding, text])
    }
  })

  test('an unchanged file is not sent again', async () => {
    const { url } = await served()
    const first = await fetch(`${url}/__page/page.js`)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{24}"$/)
    const headers = { 'if-none-match': `"other", W/${etag}` }
    expect((await fetch(`${url}/__page/page.js`, { headers })).status).toBe(304)
    expect((await fetch(`${url}/__page/page.css`, { headers })).status).toBe(200)
  })

  test('each is loaded when somebody first asks for it, and once', async () => {
    const { url, loads } = await served()
    expect(loads).toEqual([])
    await Promise.all(['/', '/__page/page.js', '/', '/__page/page.css'].map((path) => fetch(url + path)))
    expect(loads.sort()).toEqual(['html', 'script', 'style'])
  })

  test('the HTML and the style sheet do not wait for the script', async () => {
    const never = new Promise<string>(() => undefined)
    const { url } = await served({}, (part) => (part === 'script' ? never : Promise.resolve(built[part])))
    expect(await (await fetch(`${url}/`)).text()).toBe(built.html)
    expect(await (await fetch(`${url}/__page/page.css`)).text()).toBe(built.style)
  })

  test('where it cannot be loaded, there is none', async () => {
    const { url } = await served({}, () => Promise.reject(new Error('no bundler')))
    expect((await fetch(`${url}/`)).status).toBe(404)
  })
})

describe('safety', () => {
  test('nothing but its own files may run or load, and nobody may frame it', async () => {
    const { url } = await served()
    for (const path of ['/', '/__page/page.js', '/__page/page.css']) {
      const { headers } = await fetch(url + path)
      const policy = headers.get('content-security-policy') ?? ''
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "trusted-types 'none'",
      ])
        expect(policy).toContain(rule)
      for (const rule of ["frame-ancestors 'none'", "require-trusted-types-for 'script'"])
        expect(policy).toContain(rule)
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      // Each would make a browser start a new process before the first paint.
      for (const name of ['cross-origin-opener-policy', 'origin-agent-cluster', 'clear-site-data'])
        expect(headers.get(name)).toBeNull()
    }
  })

  // guard.test.ts has every way in.
  test('the page goes through the guard of control calls', async () => {
    const { url } = await served()
    for (const path of ['/', '/__page/page.js']) {
      expect(await statusOf(url + path, { host: 'evil.example' })).toBe(403)
      expect(await statusOf(url + path, { host: 'localhost:80' })).toBe(200)
    }
  })

  test('on another address the page and its files need the token, which its files get too', async () => {
    const { url, adminToken: token = '' } = await served({ host: '0.0.0.0' })
    for (const path of ['/', '/__page/page.js', '/__page/page.css', '/?token=x', '/__page/page.js?token=x']) {
      const { status, headers } = await fetch(url + path)
      expect([path, status]).toEqual([path, 401])
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    const response = await fetch(`${url}/?token=${token}`)
    const html = await response.text()
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(html).toContain(`src="/__page/page.js?token=${token}"`)
    expect(html).toContain(`href="/__page/page.css?token=${token}"`)
    expect((await fetch(`${url}/__page/page.js?token=${token}`)).status).toBe(200)
  })

  test('a token is written as text', async () => {
    const { url } = await served({ adminToken: `"><script>alert(1)</script>` })
    const token = encodeURIComponent('"><script>alert(1)</script>')
    const html = await (await fetch(`${url}/?token=${token}`)).text()
    expect(html).not.toContain('<script>alert')
  })

  test('control routes cannot be framed, nor read by other sites', async () => {
    const { url } = await listenUntilTestEnd(createFrozenMock())
    for (const path of ['/__admin/health', '/__admin/report?format=html', '/__admin/nope', '/__admin']) {
      const { headers } = await fetch(url + path)
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY'])
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })
})

test('curl gets text at /: with credentials, every route of the API and every control route', async () => {
  const mock = createFrozenMock()
  const { url } = await listenUntilTestEnd(mock)
  const { out } = await runCurl('--include', `${url}/`)
  expect(out).toMatch(/^content-type: text\/plain/im)
  const { apiKey, sessionCookie } = mock.credentials()
  for (const shown of [apiKey, sessionCookie, routeOf('runTask').path, '/api/cli/leads', '/openapi.json'])
    expect(out).toContain(shown)
  for (const { method, path } of controlRoutes) expect(out).toContain(`${method} /__admin${path} `)
  expect(out).not.toContain('<')
})

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('a browser gets HTML, and each of its links opens', async () => {
  const mock = createFrozenMock()
  const page = await mock.fetch('http://mock.test/__admin', { headers: asBrowser })
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const links = [...(await page.text()).matchAll(/<a href="([^"]+)"/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(8)
  const opened = await Promise.all(
    links.map(async (link) => {
      const { status, body } = await mock.fetch(`http://mock.test${link}`)
      await body?.cancel()
      return [link, status]
    }),
  )
  expect(opened.filter(([, status]) => status !== 200)).toEqual([])
})

test('whoever may not control the mock sees no credentials', async () => {
  const mock = createFrozenMock()
  const { apiKey, sessionCookie } = mock.credentials()
  const local = await listenUntilTestEnd(mock)
  const open = await listenUntilTestEnd(mock, { host: '0.0.0.0', adminToken: 'token' })
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
