/** Data from clients is shown as text: a set of attacks executes, loads and moves nothing. */
import type { Page } from '@playwright/test'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { attackTexts } from './testing/attacks.ts'
import { dropFile, openFile, openPage, waitUntilDrawn } from './testing/browser-page.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

describeInBrowser('the page under attack', () => {
  /** Sets a trap that remembers whether an attack worked. */
  async function trap(page: Page) {
    const script = await page.addInitScript(() => {
      Object.assign(window, { attacked: () => document.documentElement.setAttribute('data-attacked', '1') })
    })
    onTestFinished(() => script.dispose())
  }

  /** Returns what an attack left behind. */
  const traces = (page: Page) =>
    page.evaluate(() => ({
      attacked: document.documentElement.hasAttribute('data-attacked'),
      foreign: [
        ...document.querySelectorAll(
          '#page :is(script, iframe, object, embed, style, link, meta, base, svg use)',
        ),
      ].length,
      handlers: [...document.querySelectorAll('#page *')].filter((one) =>
        one.getAttributeNames().some((name) => name.startsWith('on')),
      ).length,
      links: [...document.querySelectorAll<HTMLAnchorElement>('#page a')].filter(
        ({ protocol }) => !/^(https?|mailto|blob):$/.test(protocol),
      ).length,
    }))
  const nothing = { attacked: false, foreign: 0, handlers: 0, links: 0 }

  const tried = sampleUnlessExhaustive(attackTexts, 16)

  test(`${tried.length} texts of tasks, documents, notifications and headers are text`, async () => {
    expect(attackTexts.length).toBeGreaterThanOrEqual(60)
    const { page, url, go, send, mock } = await openPage()
    await trap(page)
    const { apiKey } = mock.credentials()
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    for (const attack of tried) {
      const shown = encodeURIComponent(attack.toWellFormed())
      await send('POST', '/tasks', { text: attack })
      const fields = { title: attack, content_md: attack, summary: attack, folder_id: attack }
      await send('POST', '/documents', fields)
      await send('POST', '/landing-pages', { business_name: attack, page_type: attack })
      const printable = attack.replace(/[^\x20-\x7e]/g, '?')
      await fetch(`${url}/api/cli/tasks/${shown}?x=${shown}`, {
        headers: { ...headers, 'x-attack': printable, 'user-agent': printable },
      })
      mock.organization().notify(attack, attack)
    }
    await send('POST', '/creative/generate', { prompt: attackTexts.join(' ') })
    const found: unknown[] = []
    const look = async (where: string) => {
      const left = await traces(page)
      if (JSON.stringify(left) !== JSON.stringify(nothing)) found.push([where, left])
    }
    const kinds = ['notifications', 'landing_pages', 'creatives'].map((kind) => `data?kind=${kind}`)
    for (const view of ['', 'tasks', 'data', ...kinds, 'reports', 'travel']) {
      await go(view)
      await waitUntilDrawn(page)
      await look(view)
    }
    for (const view of ['tasks', 'data', 'requests']) {
      await go(view)
      await page
        .locator(view === 'data' ? 'tbody tr' : '.list-row')
        .first()
        .waitFor()
      for (let step = 0; step < tried.length; step++) {
        await page.keyboard.press('j')
        if (view === 'requests') await page.keyboard.press('j')
      }
      await look(`${view}, walked through`)
    }
    await go('requests?op=getTask&edit=1')
    await page.locator('.list').getByRole('option').first().waitFor()
    await page.keyboard.press('j')
    await page.locator('.details').getByText('x-attack').first().waitFor({ state: 'attached' })
    for (const summary of await page.locator('.details summary').all()) await summary.click()
    await look('headers')
    expect(found).toEqual([])
  })

  test('a report, a state and an address from elsewhere are text', async () => {
    const { page, go, send } = await openPage({ expected: /40[04]|Refused/ })
    await trap(page)
    await send('GET', '/whoami')
    await go('reports')
    const rules = attackTexts.map((attack, place) => ({
      id: `${place} ${attack}`,
      level: attack,
      section: attack,
      statement: attack,
      outcome: 'failed',
      situations: 1,
      findings: [
        {
          part: attack,
          what: attack,
          evidence: [{ request_id: attack, at: attack, method: attack, path: attack, answer: attack }],
        },
      ],
      more_findings: 0,
      evidence: [],
      mend: attack,
      needs: attack,
    }))
    const totals = { [attackTexts[1] ?? '']: 1 }
    const report = { schema_version: 1, outcome: 'failed', totals, parts: [], rules }
    await openFile(page, /Drop reports/, `${attackTexts[10]}.json`, JSON.stringify(report))
    await expect.poll(() => page.locator('article').count()).toBeGreaterThan(attackTexts.length)
    expect(await traces(page)).toEqual(nothing)
    for (const attack of sampleUnlessExhaustive(attackTexts.slice(0, 12), 2)) {
      const text = encodeURIComponent(attack)
      await go(`requests?q=${text}&org=${text}&n=${text}&status=${text}`)
      await go(`break?op=${text}&fault=${text}&with=${text}&next=${text}`)
      expect(await traces(page)).toEqual(nothing)
    }
  })

  test('files that are dropped on the page are text, whatever their names and contents are', async () => {
    const { page, go, send } = await openPage({ expected: /400/ })
    await trap(page)
    await send('GET', '/whoami')
    await go('reports')
    await page.locator('.drop').waitFor()
    const history = attackTexts.map((attack, place) => ({
      kind: 'request',
      id: place,
      operation: attack,
      tenant: attack,
      resource: attack,
      sent: { place },
      answer: { status: attack, received: { place: place + 1 } },
    }))
    const steps = [{ kind: attackTexts[1], tenant: attackTexts[2] }]
    const found = { requirement: attackTexts[0], steps, before: attackTexts }
    const files = [
      ['<img src=x onerror=attacked()>.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="attacked()"/>'],
      ['page.html', '<script>attacked()</script>'],
      ['<script>attacked()</script>.json', JSON.stringify(found)],
      ['javascript:attacked().ndjson', history.map((one) => JSON.stringify(one)).join('\n')],
    ] as const
    for (const [name, text] of files) await dropFile(page, name, text)
    await expect.poll(() => page.getByRole('alert').count(), { timeout: 10_000 }).toBe(2)
    await expect.poll(() => page.locator('.box').count()).toBeGreaterThan(attackTexts.length)
    expect(await traces(page)).toEqual(nothing)
  })
})
