/** The code of `docs/browsers.md` in a real browser: with a mock inside the page, and from another origin. */
import { resolve } from 'node:path'
import type { Browser } from '@playwright/test'
import { beforeAll, expect, test } from 'vitest'
import { type MockOptions, withMock } from '#mocks/index.ts'
import { describeInBrowser, sharedTestBrowser } from '#mocks/testing/browser.ts'
import { bundlePage, servePageChunks } from '#mocks/testing/page-server.ts'
import { pages } from './testing/pages.ts'

const blocks = pages.find(({ path }) => path === 'docs/browsers.md')?.blocks ?? []
const codeOf = (file: string) => blocks.find((block) => block.file === file)?.text ?? ''

/** Calls `use` with a page of the browser that runs code of the document; its address has the name `localhost`. */
async function onPage<T>(
  browser: Browser,
  code: string,
  use: (evaluate: Evaluate) => Promise<T>,
): Promise<T> {
  const entry = resolve('docs/page.ts')
  const modules = { [entry]: `${code}\nglobalThis.ready = true` }
  const server = await servePageChunks(await bundlePage(entry, 'msw', modules), 'msw')
  const page = await browser.newPage()
  try {
    await page.goto(server.url.replace('127.0.0.1', 'localhost'))
    await page.waitForFunction('globalThis.ready')
    return await use((script) => page.evaluate(script))
  } finally {
    await page.context().close()
    server.close()
  }
}

type Evaluate = (script: string) => Promise<unknown>

const read = (url: string, headers: object) =>
  `fetch('${url}/api/cli/whoami', { headers: ${JSON.stringify(headers)} }).then(
    async (answer) => [answer.status, answer.headers.get('retry-after'), (await answer.json()).credits],
    (error) => error.name,
  )`
const key = { authorization: 'Bearer wak_test_ada' }

describeInBrowser('the page about browsers', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await sharedTestBrowser()
  })

  test('inside the page, the snippet answers requests with a key and with the session', async () => {
    const session = `fetch('https://api.example.com/api/cli/keys', { credentials: 'include' }).then((a) => a.status)`
    const seen = await onPage(browser, codeOf('page.ts'), async (evaluate) => [
      await evaluate(read('https://api.example.com', key)),
      await evaluate(session),
    ])
    expect(seen).toEqual([[200, null, 3], 200])
  })

  test.each<[string, MockOptions, unknown[]]>([
    ['with cors, a page on another origin reads answers', { cors: true }, [200, null, 25]],
    ['with cors, it reads Retry-After', { cors: true, force: 'rate_limited' }, [429, '1', undefined]],
  ])('%s', async (_, options, expected) => {
    await withMock(options, async ({ url }) => {
      const seen = await onPage(browser, '', (evaluate) => evaluate(read(url, key)))
      expect(seen).toEqual(expected)
    })
  })

  test('without cors, fetch rejects with a bare TypeError, and the mock has seen only the preflight', async () => {
    await withMock({}, async ({ url, mock }) => {
      expect(await onPage(browser, '', (evaluate) => evaluate(read(url, key)))).toBe('TypeError')
      expect([mock.journal.count(), mock.journal.count({ method: 'OPTIONS' })]).toEqual([1, 1])
    })
  })

  test('a page on another port of the same host logs in by a cookie and creates a key', async () => {
    await withMock({ cors: true }, async ({ url, mock }) => {
      const code = `${codeOf('login.ts')}\nglobalThis.createKey = createKey`
      const address = url.replace('127.0.0.1', 'localhost')
      const secret = await onPage(browser, code, (evaluate) => evaluate(`createKey('${address}')`))
      const answer = await mock.fetch(`${url}/api/cli/whoami`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      expect((await answer.json()).org.id).toBe(mock.organization('ada').id)
    })
  })
})
