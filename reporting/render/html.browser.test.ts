/** The HTML report in a real browser; skipped where there is none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { presentedSample } from '#contract-tests/report/testing/sample.ts'
import { browserOfTests, inBrowser } from '#mocks/testing/browser.ts'
import { renderHtml } from './html.ts'

// A browser may start slowly on a busy machine.
const folder = mkdtempSync(join(tmpdir(), 'report-'))
afterAll(() => rmSync(folder, { recursive: true }))

inBrowser('the HTML report', () => {
  let page: Page
  const requests: string[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    page = await (await browserOfTests()).newPage()
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
  })
  afterAll(() => page?.close())

  const file = join(folder, 'report.html')
  beforeEach(async () => {
    writeFileSync(file, renderHtml(presentedSample()))
    await page.goto(pathToFileURL(file).href)
  })

  const shown = () => page.locator('article:visible .id').allTextContents()
  const count = () => page.locator('#shown').textContent()

  test('it shows the outcome and every requirement, failures first', async () => {
    expect(await page.title()).toBe('Conformance failed: http://service.test/v1')
    expect(await page.locator('h1').innerText()).toBe('Conformance failed http://service.test/v1')
    expect(await shown()).toEqual([
      'SAMPLE-FAILED',
      'SAMPLE-HARNESS-ERROR',
      'SAMPLE-WARNED',
      'SAMPLE-EXPECTED-FAILURE',
      'SAMPLE-NOT-EXERCISED',
      'SAMPLE-NOT-APPLICABLE',
      'SAMPLE-PASSED',
    ])
    expect(await count()).toBe('7 of 7 shown')
  })

  test('no heading of a matrix breaks inside a word', async () => {
    const columns = ['lost_connection', 'rate_limited', 'slow', 'unavailable', 'malformed'].flatMap((id) =>
      ['', '-2', '-3', '-4'].map((more) => ({ id: id + more, title: id })),
    )
    const rows = ['createLandingPage#1', 'listTasks#2']
    const matrix = { names: ['Request', 'fault'] as const, columns, rows, cells: [] }
    writeFileSync(file, renderHtml({ ...presentedSample(), matrix }))
    await page.reload()
    const lines = await page.locator('.matrix th').evaluateAll((all) =>
      all.map((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        return range.getClientRects().length
      }),
    )
    expect(lines).toEqual(Array(columns.length + rows.length).fill(1))
    expect((await page.locator('.matrix').boundingBox())?.width).toBeLessThan(1_100)
  })

  test('an outcome can be hidden and shown again, and a level, also with the keyboard', async () => {
    const passed = page.locator('label', { hasText: '1 passed' })
    await passed.click()
    expect(await shown()).not.toContain('SAMPLE-PASSED')
    expect(await count()).toBe('6 of 7 shown')
    await passed.click()
    expect(await shown()).toContain('SAMPLE-PASSED')
    await page.locator('input[value=MUST]').press('Space')
    expect(await shown()).toEqual(['SAMPLE-WARNED', 'SAMPLE-NOT-APPLICABLE'])
  })

  test('it filters by section of the specification', async () => {
    expect(await page.locator('#section option').allTextContents()).toEqual(['all', '§4 Tasks', '§7'])
    await page.locator('#section').selectOption('§7')
    expect(await shown()).toHaveLength(7)
    await page.evaluate(() => {
      const [first] = document.querySelectorAll('article')
      if (first) first.dataset.sections = '§2'
    })
    await page.locator('#section').selectOption('§4 Tasks')
    expect(await shown()).toHaveLength(6)
  })

  test('it finds ids and words, and reports an empty result', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('not sample-not-ex')
    expect(await shown()).toEqual(['SAMPLE-NOT-EXERCISED'])
    await page.locator('#search').fill('nowhere to be found')
    expect(await page.locator('.empty').isVisible()).toBe(true)
    await page.locator('#reset').click()
    expect(await count()).toBe('7 of 7 shown')
  })

  test('exchanges are folded, and open to request, answer and curl line', async () => {
    const exchange = page.locator('#SAMPLE-FAILED details')
    expect(await exchange.locator('pre').first().isVisible()).toBe(false)
    await exchange.locator('summary').click()
    expect(await exchange.locator('pre.curl').innerText()).toContain('$WORK_AGENT_API_KEY')
    expect(await exchange.innerText()).toContain('"error": "internal_error"')
  })

  test('it is never wider than the window', async () => {
    await page.setViewportSize({ width: 360, height: 700 })
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overhang).toBeLessThanOrEqual(0)
  })

  test('it loads nothing, and logs no error', () => {
    expect([...new Set(requests)]).toEqual([pathToFileURL(file).href])
    expect(complaints).toEqual([])
  })
})
