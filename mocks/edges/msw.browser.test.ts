/** The handlers in a real browser: `setupWorker` on a page that logs in with cookies. */
import type { Browser, Page } from '@playwright/test'
import type { OutputChunk } from 'rolldown'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { inBrowser, launch } from '../testing/browser.ts'
import { bundlePage, servePage } from '../testing/page-server.ts'

// A browser takes its time on a slow day.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const bundles = new Map<string, Promise<OutputChunk[]>>()
/** The chunks of the page, made once for each msw. */
function bundleWith(msw: string): Promise<OutputChunk[]> {
  return bundles.getOrInsertComputed(msw, () => bundlePage('mocks/testing/msw-page.ts', msw))
}

describe.each(['msw', 'msw-2'])('%s', (msw) => {
  test('a bundle for browsers needs no module of Node, nor any other from outside', async () => {
    const chunks = await bundleWith(msw)
    const own = chunks.map(({ fileName }) => fileName)
    const needed = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    expect(needed.filter((name) => !own.includes(name))).toEqual([])
    expect(chunks.flatMap(({ code }) => code.match(/["']node:[\w/]+["']/g) ?? [])).toEqual([])
  })

  inBrowser(`${msw}'s setupWorker`, () => {
    let browser: Browser
    let page: Page
    let server: Awaited<ReturnType<typeof servePage>>
    beforeAll(async () => {
      server = await servePage(await bundleWith(msw), msw)
      browser = await launch()
    })
    afterAll(async () => {
      await browser?.close()
      server.close()
    })

    beforeEach(async () => {
      page = await browser.newPage()
      await page.goto(server.url)
      await page.waitForFunction(() => 'tools' in globalThis)
      return () => page.context().close()
    })

    test('a page with a session makes a key, and works with it: create, run, look', async () => {
      const seen = await page.evaluate(async () => {
        const { mock, api, ask } = tools
        // biome-ignore lint/suspicious/noDocumentCookie: what a page without the Cookie Store API does.
        document.cookie = mock.credentials().sessionCookie
        const json = { name: 'Laptop' }
        const key = await ask(`${api}/api/cli/keys`, { method: 'POST', credentials: 'include', json })
        const headers = { authorization: `Bearer ${key.body.secret}` }
        const created = await ask(`${api}/api/cli/tasks`, { method: 'POST', headers, json: { text: 'Hi' } })
        const at = `${api}/api/cli/tasks/${(created.body.task as { id: string }).id}`
        const run = await ask(`${at}/run`, { method: 'POST', headers })
        const before = await ask(at, { headers })
        mock.clock.advance(60_000)
        const after = await ask(at, { headers })
        const refused = await ask(`${at}/run`, { method: 'POST', headers })
        return {
          statuses: [key.status, created.status, run.status, before.status, after.status],
          finished: [before.body.finished, after.body.finished],
          refused: [refused.status, refused.body.error],
        }
      })
      expect(seen).toEqual({
        statuses: [200, 200, 200, 200, 200],
        finished: [false, true],
        refused: [402, 'no_credits'],
      })
    })

    test("a page's own login sets the cookie, and only requests with credentials carry it", async () => {
      const statuses = await page.evaluate(async () => {
        const { http, HttpResponse, worker, mock, api, ask } = tools
        const login = { 'set-cookie': `${mock.credentials('ada').sessionCookie}; path=/` }
        worker.use(http.post('/login', () => new HttpResponse('{}', { headers: login })))
        const look = async (url: string, credentials: RequestCredentials) =>
          (await ask(`${url}/api/cli/keys`, { credentials })).status
        const before = await look(api, 'include')
        await ask('/login', { method: 'POST' })
        const here = location.origin
        return [
          before,
          await look(api, 'include'),
          await look(api, 'same-origin'),
          await look(here, 'same-origin'),
          await look(here, 'omit'),
        ]
      })
      expect(statuses).toEqual([401, 200, 401, 200, 401])
    })

    test("a page's own handler comes before the mock's, until handlers are reset", async () => {
      const statuses = await page.evaluate(async () => {
        const { http, HttpResponse, worker, mock, api, ask } = tools
        const headers = { authorization: `Bearer ${mock.credentials('ada').apiKey}` }
        const look = async () => (await ask(`${api}/api/cli/whoami`, { headers })).status
        const first = await look()
        worker.use(http.get(`${api}/api/cli/whoami`, () => HttpResponse.json({}, { status: 418 })))
        const second = await look()
        worker.resetHandlers()
        return [first, second, await look()]
      })
      expect(statuses).toEqual([200, 418, 200])
    })

    test('faults of the network and Retry-After reach the page, and other requests go through', async () => {
      const seen = await page.evaluate(async () => {
        const { mock, api } = tools
        const headers = { authorization: `Bearer ${mock.credentials('ada').apiKey}` }
        const look = (init: HeadersInit = {}) =>
          fetch(`${api}/api/cli/whoami`, { headers: { ...headers, ...init } })
        mock.faults.add('whoami=lost;times=1')
        const lost = await look().catch((error) => error.name)
        const limited = await look({ prefer: 'code=429' })
        const through = await fetch('/nothing-here')
        return [lost, limited.status, limited.headers.get('retry-after') !== null, through.status]
      })
      expect(seen).toEqual(['TypeError', 429, true, 404])
    })
  })
})
