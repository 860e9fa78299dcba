/** The HTML report in a real browser; skipped where there is none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { presentedSample } from '#contract-tests/report/testing/sample.ts'
import { describeInBrowser, sharedTestBrowser } from '#mocks/testing/browser.ts'
import { renderHtml } from './html.ts'

const folder = mkdtempSync(join(tmpdir(), 'report-'))
afterAll(() => rmSync(folder, { recursive: true }))

describeInBrowser('the HTML report', () => {
  let page: Page
  const requests: string[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    page = await (await sharedTestBrowser()).newPage()
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
  })
  afterAll(() => page?.close())

  const open = async (report = presentedSample()) => {
    const file = join(folder, 'report.html')
    writeFileSync(file, renderHtml(report))
    await page.goto(pathToFileURL(file).href)
    return pathToFileURL(file).href
  }

  test('it shows, hides, filters and finds requirements, opens exchanges, and loads nothing', async () => {
    const shown = () => page.locator('article:visible .id').allTextContents()
    const count = () => page.locator('#shown').textContent()
    const address = await open()
    expect(await page.title()).toBe('Conformance: the service failed: http://service.test/v1')
    expect(await page.locator('h1').innerText()).toBe(
      'Conformance: the service failed http://service.test/v1',
    )
    expect(await shown()).toEqual([
      'SAMPLE-FAILED',
      'SAMPLE-SUSPECTED',
      'SAMPLE-HARNESS-ERROR',
      'SAMPLE-WARNED',
      'SAMPLE-EXPECTED-FAILURE',
      'SAMPLE-NOT-EXERCISED',
      'SAMPLE-NOT-APPLICABLE',
      'SAMPLE-PASSED',
    ])
    expect(await count()).toBe('8 of 8 shown')

    await page.keyboard.press('/')
    await page.keyboard.type('not sample-not-ex')
    expect(await shown()).toEqual(['SAMPLE-NOT-EXERCISED'])
    await page.locator('#search').fill('nowhere to be found')
    expect(await page.locator('.empty').isVisible()).toBe(true)
    await page.locator('#reset').click()
    expect(await count()).toBe('8 of 8 shown')

    const exchange = page.locator('#SAMPLE-FAILED details')
    expect(await exchange.locator('pre').first().isVisible()).toBe(false)
    await exchange.locator('summary').click()
    expect(await exchange.locator('pre.curl').innerText()).toContain('$WORK_AGENT_API_KEY')
    expect(await exchange.innerText()).toContain('"error": "internal_error"')

    const passed = page.locator('label', { hasText: '1 passed' })
    await passed.click()
    expect(await shown()).not.toContain('SAMPLE-PASSED')
    expect(await count()).toBe('7 of 8 shown')
    await passed.click()
    expect(await shown()).toContain('SAMPLE-PASSED')
    await page.locator('input[value=MUST]').press('Space')
    expect(await shown()).toEqual(['SAMPLE-WARNED', 'SAMPLE-NOT-APPLICABLE'])
    await page.locator('#reset').click()

    expect(await page.locator('#section option').allTextContents()).toEqual(['all', '§4 Tasks', '§7'])
    await page.locator('#section').selectOption('§7')
    expect(await shown()).toHaveLength(8)
    await page
      .locator('article')
      .first()
      .evaluate((one) => one.setAttribute('data-sections', '§2'))
    await page.locator('#section').selectOption('§4 Tasks')
    expect(await shown()).toHaveLength(7)

    await page.setViewportSize({ width: 360, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
    expect([requests, complaints]).toEqual([[address], []])
  })

  test('at 1,280 px the filters are one line, and the matrix touches nothing', async () => {
    await page.setViewportSize({ width: 1280, height: 720 })
    const cell = { outcome: 'failed', findings: [], note: '', repeat: '', trace: [] } as const
    const cells = [{ ...cell, id: 'a', row: 'listTasks#1', column: 'lost' }]
    const columns = [{ id: 'lost', title: 'lost' }]
    await open({
      ...presentedSample(),
      matrix: { names: ['Request', 'fault'], columns, rows: ['listTasks#1'], cells },
    })
    const tops = await page
      .locator('nav label, nav select, nav button')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top / 20)))
    expect(new Set(tops).size).toBe(1)
    const [header, table, nav] = await Promise.all(
      ['header', '.matrix', 'nav'].map((part) => page.locator(part).first().boundingBox()),
    )
    expect((table?.y ?? 0) - ((header?.y ?? 0) + (header?.height ?? 0))).toBeGreaterThanOrEqual(12)
    expect((nav?.y ?? 0) - ((table?.y ?? 0) + (table?.height ?? 0))).toBeGreaterThanOrEqual(12)
  })

  test('no heading of a matrix breaks inside a word', async () => {
    const columns = ['lost_connection', 'rate_limited', 'slow', 'unavailable', 'malformed'].flatMap((id) =>
      ['', '-2', '-3', '-4'].map((more) => ({ id: id + more, title: id })),
    )
    const rows = ['createLandingPage#1', 'listTasks#2']
    await page.setViewportSize({ width: 1280, height: 720 })
    await open({ ...presentedSample(), matrix: { names: ['Request', 'fault'], columns, rows, cells: [] } })
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
})
