/** The page under load and on a bad connection: it stays quick, counts right, shifts nothing, and resumes. */
import type { Page } from '@playwright/test'
import { expect, test, vi } from 'vitest'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { openPage, openPageAtView, startRelay } from './testing/browser-page.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

/** An entry of `layout-shift`, which TypeScript does not know. */
interface Shift {
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

describeInBrowser('the live page', () => {
  /** Measures the longest frame and the layout shifts from now on. */
  const measure = (page: Page) =>
    page.evaluate(() => {
      const seen = { longest: 0, frames: 0, shifted: [] as string[] }
      Object.assign(window, { seen })
      let last = performance.now()
      const frame = (now: number) => {
        seen.longest = Math.max(seen.longest, now - last)
        seen.frames++
        last = now
        requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { sources, hadRecentInput } = entry as PerformanceEntry & Shift
          if (!hadRecentInput)
            for (const { node } of sources) {
              const parent = node?.parentElement
              // A longer number in a column that is aligned to the right begins further left.
              if (node?.nodeType === Node.TEXT_NODE && parent?.matches('.number')) continue
              seen.shifted.push(parent?.outerHTML ?? 'removed')
            }
        }
      }).observe({ type: 'layout-shift' })
    })
  const measured = (page: Page) =>
    page.evaluate(
      () => (window as unknown as { seen: { longest: number; frames: number; shifted: string[] } }).seen,
    )

  /** Sends requests in process, evenly over seconds. */
  async function load(mock: { fetch: typeof fetch }, key: string, perSecond: number, seconds: number) {
    const step = 20
    const start = performance.now()
    let sent = 0
    while (sent < perSecond * seconds) {
      const due = Math.min(perSecond * seconds, ((performance.now() - start) / 1_000) * perSecond)
      while (sent < due) {
        await mock.fetch('http://mock.test/api/cli/whoami', { headers: { authorization: `Bearer ${key}` } })
        sent++
      }
      await new Promise((resolve) => setTimeout(resolve, step))
    }
    return sent
  }

  test('2,000 requests a second: no freeze, no shift, the count right, and the newest can be paused', async () => {
    const { page, mock } = await openPageAtView('requests', { options: { journal: 20_000 } })
    const list = page.locator('.list')
    await expect.poll(() => list.getByRole('option').count()).toBe(1)
    await page.getByText('Live', { exact: true }).waitFor()
    await measure(page)
    const sent = await load(mock as never, mock.credentials().apiKey, 2_000, isExhaustiveTestRun ? 4 : 1)
    const { longest, frames, shifted } = await measured(page)
    console.log(`at 2,000 requests/s: ${frames} frames, the longest ${Math.round(longest)} ms`)
    expect(shifted).toEqual([])
    expect(longest).toBeLessThan(1_000)
    await expect
      .poll(() => page.locator('.counts .number').first().innerText(), { timeout: 10_000 })
      .toBe((sent + 1).toLocaleString('en'))
    await page.getByRole('button', { name: 'Pause' }).click()
    const newest = list.getByRole('option').first()
    const before = await newest.innerText()
    await load(mock as never, mock.credentials().apiKey, 500, 1)
    await page.getByText(/of [\d,]+, \d+ newer$/).waitFor()
    expect(await newest.innerText()).toBe(before)
    await page.getByRole('button', { name: 'Show newest' }).click()
    await expect.poll(() => newest.innerText()).not.toBe(before)
  })

  const many = isExhaustiveTestRun ? 100_000 : 5_000

  test(`${many} requests scroll`, async () => {
    const { page, go, mock } = await openPage({ options: { journal: many, past: 'none' } })
    const { apiKey } = mock.credentials()
    const headers = { authorization: `Bearer ${apiKey}` }
    for (let sent = 0; sent < many; sent++) await mock.fetch('http://mock.test/api/cli/whoami', { headers })
    await go('requests')
    const list = page.locator('.list')
    await expect
      .poll(() => list.getByRole('option').first().getAttribute('aria-setsize'), { timeout: 60_000 })
      .toBe(String(many))
    await measure(page)
    for (const part of [1, 0.5, 0.25, 0.75, 0.99]) {
      await list.evaluate((element, to) => {
        element.scrollTop = element.scrollHeight * to
      }, part)
      await expect.poll(() => list.getByRole('option').count()).toBeGreaterThan(10)
    }
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await expect.poll(() => list.getByRole('option').last().getAttribute('id')).toBe('request-1')
    expect(await page.locator('.list-row').count()).toBeLessThan(100)
    expect((await measured(page)).longest).toBeLessThan(1_000)
  })

  test('a lost connection says so, and resumes where it stopped; what the journal dropped meanwhile is counted', async () => {
    const { page, url, mock, send } = await openPage({
      options: { journal: 600 },
      expected: /ERR_/,
      foreign: true,
    })
    await send('GET', '/whoami')
    const relay = await startRelay(url)
    await page.goto(`${relay.url}/#/requests`)
    const rows = page.locator('.list').getByRole('option')
    const counted = page.locator('.counts .number').first()
    await expect.poll(() => rows.count()).toBe(1)
    const cut = async () => {
      relay.cut()
      await page.getByText('Connection lost; trying again').waitFor()
    }
    await cut()
    for (let sent = 0; sent < 3; sent++) await send('GET', '/tasks')
    expect(await rows.count()).toBe(1)
    relay.mend()
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 20_000 })
    await expect.poll(() => rows.count()).toBe(4)
    expect(await counted.innerText()).toBe('4')
    await cut()
    const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
    for (let sent = 0; sent < 700; sent++) await mock.fetch('http://mock.test/api/cli/whoami', { headers })
    relay.mend()
    await page.getByText('100 requests missing: dropped by the journal').waitFor({ timeout: 20_000 })
    await expect.poll(() => rows.first().getAttribute('aria-setsize')).toBe(String(4 + 600))
    expect(await counted.innerText()).toBe('704')
    // More requests than the stream carries, and than the journal still has when the page loads them.
    for (let sent = 0; sent < 2_000; sent++) await mock.fetch('http://mock.test/api/cli/whoami', { headers })
    const missing = async () =>
      Number.parseInt((await page.getByText('requests missing').innerText()).replace(',', ''), 10)
    const known = async () => Number(await rows.first().getAttribute('aria-setsize'))
    await expect.poll(async () => (await missing()) + (await known()), { timeout: 10_000 }).toBe(2_704)
  })
})
