/** Every control of every view, pressed in both schemes at three widths: each does something, and none is refused. */
import { expect, test, vi } from 'vitest'
import { inBrowser } from '#mocks/testing/browser.ts'
import { sample } from '#mocks/testing/sample.ts'
import { drawn, fill, openPage } from './testing/browser-page.ts'
import { addresses } from './testing/views.ts'

vi.setConfig({ testTimeout: 900_000, hookTimeout: 60_000 })

/** What opens something of the browser itself, or leads to where the page already is. */
const other = /^(Choose|Send again|.*, scrollable)$/

inBrowser('the controls of the page', () => {
  const widths = [1600, 1024, 390] as const
  const schemes = ['light', 'dark'] as const
  const looks = widths.flatMap((width) => schemes.map((scheme) => ({ width, scheme })))

  test.each(sample(looks, 6))('every button at %o does something, and none is refused', async ({
    width,
    scheme,
  }) => {
    const { page, url, go, send, mock } = await openPage({
      options: { credits: 500, runDuration: '1h' },
      // A press may take away what the page is just loading, such as an organization.
      expected: /404/,
    })
    const [task = ''] = await fill(send)
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: scheme })
    const snapshot = await (await fetch(`${url}/__admin/state`)).text()
    /** What a press may change: what is shown, the address, the clipboard, the mock. */
    const seen = async () =>
      JSON.stringify([
        page.url(),
        await page.locator('body').innerHTML(),
        await page.evaluate(() => navigator.clipboard.readText()),
        mock.journal.count(),
      ])
    const idle: string[] = []
    let pressed = 0
    const views = addresses.filter((address) => !/help|at=/.test(address))
    for (const view of views) {
      const address = view.replace('TASK', task)
      const names = new Set<string>()
      await page.goto('about:blank')
      for (let place = 0; ; place++) {
        await go(address)
        await drawn(page).catch(async () => {
          const text = (await page.locator('main').innerText()).slice(0, 300)
          expect.fail(`${address}, control ${place}, after ${[...names].at(-1)}: ${page.url()} ${text}`)
        })
        const controls = page.getByRole('main').locator('button:enabled').filter({ visible: true })
        if (place >= (await controls.count())) break
        const control = controls.nth(place)
        const name = (await control.getAttribute('aria-label')) ?? (await control.innerText())
        if (names.has(name) || other.test(name)) continue
        names.add(name)
        await page.evaluate(() => navigator.clipboard.writeText(''))
        const before = await seen()
        await control.click()
        pressed++
        const where = `${address}: ${name}`
        await expect
          .poll(seen, { timeout: 2_000, message: where })
          .not.toBe(before)
          .catch(() => idle.push(where))
        const alerts = await page.getByRole('alert').allInnerTexts()
        expect(alerts, where).toEqual([])
      }
      await fetch(`${url}/__admin/state`, { method: 'PUT', body: snapshot })
      await fetch(`${url}/__admin/reset/faults`, { method: 'POST', body: '{}' })
    }
    expect(idle).toEqual([])
    console.log(`${pressed} controls pressed at ${width} px, ${scheme}`)
    expect(pressed).toBeGreaterThan(60)
  })
})
