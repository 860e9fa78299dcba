/** The handlers in a real browser, which loads nothing of Node: `setupWorker` on a page with cookies. */
import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeInBrowser, sharedTestBrowser } from '../testing/browser.ts'
import { bundlePage, servePageChunks } from '../testing/page-server.ts'
import { sampleUnlessExhaustive } from '../testing/sample.ts'

describe.each(sampleUnlessExhaustive(['msw', 'msw-2'], 2))('%s', (msw) =>
  describeInBrowser(`${msw}'s setupWorker`, () => {
    let page: Page
    beforeAll(async () => {
      const server = await servePageChunks(await bundlePage('mocks/testing/msw-page.ts', msw), msw)
      page = await (await sharedTestBrowser()).newPage()
      await page.goto(server.url)
      await page.waitForFunction(() => 'tools' in globalThis)
      return async () => {
        await page.context().close()
        server.close()
      }
    })

    test('a login handler of the page sets the cookie, and only requests with credentials send it', async () => {
      const statuses = await page.evaluate(async () => {
        const { http, HttpResponse, worker, mock, api, call } = tools
        const login = { 'set-cookie': `${mock.credentials('ada').sessionCookie}; path=/` }
        worker.use(http.post('/login', () => new HttpResponse('{}', { headers: login })))
        const send = async (url: string, credentials: RequestCredentials) =>
          (await call(`${url}/api/cli/keys`, { credentials })).status
        const before = await send(api, 'include')
        await call('/login', { method: 'POST' })
        const here = location.origin
        return [
          before,
          await send(api, 'include'),
          await send(api, 'same-origin'),
          await send(here, 'same-origin'),
          await send(here, 'omit'),
        ]
      })
      expect(statuses).toEqual([401, 200, 401, 200, 401])
    })

    test('a body reaches the mock, network errors and Retry-After the page, and other requests pass through', async () => {
      const seen = await page.evaluate(async () => {
        const { mock, api, call } = tools
        const headers = { authorization: `Bearer ${mock.credentials('ada').apiKey}` }
        const send = (init: HeadersInit = {}) =>
          fetch(`${api}/api/cli/whoami`, { headers: { ...headers, ...init } })
        const created = await call(`${api}/api/cli/tasks`, { method: 'POST', headers, body: '{"text":"Hi"}' })
        mock.faults.add('whoami=lost;times=1')
        const lost = await send().catch((error) => error.name)
        const limited = await send({ prefer: 'code=429' })
        const through = await fetch('/nothing-here')
        const waits = limited.headers.get('retry-after') !== null
        return [created.body.task.text, lost, limited.status, waits, through.status]
      })
      expect(seen).toEqual(['Hi', 'TypeError', 429, true, 404])
    })
  }))
