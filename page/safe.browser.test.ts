/** The page destroys nothing by one click, changes nothing from the past, and works in many tabs. */
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { checkedClientOf } from '#mocks/testing/client.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import {
  addTasks,
  dropFile,
  openFile,
  openPage,
  openPageAtView,
  startRelay,
  waitUntilDrawn,
} from './testing/browser-page.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

describeInBrowser('the safe page', () => {
  /** Returns everything that a destroying click could take, as text. */
  const everything = async (url: string) => {
    const read = async (path: string) => (await fetch(`${url}/__admin${path}`)).json()
    const { mock, organizations } = await read('/overview')
    const states = []
    for (const { org_id, overrides, agent } of organizations) {
      const { at: _, ledger: __, ...state } = await read(`/organization?org_id=${org_id}`)
      states.push([org_id, state, overrides, agent])
    }
    return JSON.stringify([mock.faults.map(({ text }: { text: string }) => text), states.sort()])
  }

  /** Names of controls that lead elsewhere, or make something new. */
  const elsewhere =
    /Right before it|copy|link|now|create|close|whole|pause|edit|curl|har|flag|code|typescript|fork|file/i

  const destroying = [
    { view: 'overview', button: /^Reset demo/ },
    { view: 'overview', button: 'Zero' },
    { view: 'break', button: 'Remove all rules' },
    { view: 'data?kind=keys', button: /^Delete the key/ },
    { view: 'requests', button: 'No credits' },
    { view: 'requests', button: 'Busy' },
    { view: 'requests', button: 'Lost answer' },
    { view: 'break', button: /: start for demo$/ },
    { view: 'break', button: /: start for all$/ },
  ]

  test('what destroys is undone from its notice', async () => {
    const { page, url, go, send, call, mock } = await openPage({ options: { credits: 5, runDuration: '1h' } })
    await addTasks(send)
    await send('GET', '/whoami', undefined, 'bob')
    for (const rule of ['getTask=503;times=3', 'whoami=delay 5ms'] as const) mock.faults.add(rule)
    const org_id = mock.organization().id
    mock.clock.freeze()
    await call('POST /states', {
      state: 'agent_busy',
      params: { org_id, duration_ms: 1_000 },
      action: 'setup',
    })
    const before = await everything(url)
    for (const { view, button } of sampleUnlessExhaustive(destroying, 2)) {
      const [path, query = ''] = view.split('?')
      await go(`${path}?${query && `${query}&`}org=${org_id}`)
      await page.getByRole('main').getByRole('button', { name: button }).first().click()
      const undo = page.getByRole('button', { name: 'Undo' })
      await undo.waitFor()
      expect(await everything(url), `${button}`).not.toBe(before)
      await undo.click()
      await page
        .getByText(/^Undone/)
        .first()
        .waitFor()
      await expect.poll(() => everything(url), { message: `${button}` }).toBe(before)
      const shown = () => page.getByRole('combobox', { name: 'Organization' }).inputValue()
      await expect.poll(shown).toBe(org_id)
    }
  })

  test('a state restored from a link, a file or a dropped HAR is undone from the notice, which names its faults', async () => {
    const { page, url, go, send, mock } = await openPage({
      options: { credits: 5, runDuration: '1h' },
      expected: /404/,
    })
    await send('GET', '/whoami')
    const { file, fragment } = await (
      await fetch(`${url}/__admin/link?org_id=${mock.organization().id}`)
    ).json()
    await addTasks(send)
    const before = await everything(url)
    const isUndone = async (says = 'Restored demo with 5 credits, as of') => {
      await page.getByText(says).waitFor()
      expect(await everything(url)).not.toBe(before)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => everything(url)).toBe(before)
    }
    await page.goto(`${url}/#${fragment}`)
    await page.getByText(/^demo with 5 credits, as of \d{4}-.* It replaces what is there/).waitFor()
    const restore = () => page.getByRole('button', { name: 'Restore' }).click()
    await restore()
    await isUndone()
    await page.goto('about:blank')
    await go('travel')
    await openFile(page, /^Drop a saved/, 'state.json', JSON.stringify(file))
    await page.getByText(/^demo with 5 credits, as of/).waitFor()
    expect(await everything(url)).toBe(before)
    await restore()
    await isUndone()
    const staging = createMock({ fault: 'whoami=unavailable' })
    await checkedClientOf(staging).call('whoami')
    await dropFile(page, 'staging.har', JSON.stringify({ comment: '', ...staging.journal.har() }))
    const said = page.getByRole('region', { name: 'Restore this state?' })
    await said.getByText('The service broke nothing that the recording shows').first().waitFor()
    await restore()
    await isUndone('Restored the whole mock; entry 1: 503 unavailable stays as a fault')
    const shown = () => page.getByRole('combobox', { name: 'Organization' }).inputValue()
    await expect.poll(shown).toBe(mock.organization().id)
    await dropFile(page, 'whole.json.gz', gzipSync(JSON.stringify(mock.snapshot())))
    await restore()
    await page.getByText('Restored the whole mock', { exact: true }).waitFor()
    expect(await shown()).toBe(mock.organization().id)
  })

  test('a dropped file that is refused is forgotten once it is left, and one that is cut off is called no JSON', async () => {
    const { page, go, mock } = await openPageAtView('overview', { expected: /400/ })
    const state = JSON.stringify(mock.snapshot())
    const question = page.getByRole('region', { name: 'Restore this state?' })
    const leaveAndReturn = async () => {
      await go('overview')
      await page.getByRole('region', { name: 'Mock clock' }).waitFor()
      await go('travel')
      await page.getByRole('region', { name: 'This state', exact: true }).waitFor()
    }
    await dropFile(page, 'none.json', '{"of":"nothing"}')
    await question.getByText(/^400 /).waitFor()
    await leaveAndReturn()
    expect(await question.count()).toBe(0)
    await dropFile(page, 'none.json', '{"of":"nothing"}')
    await question.getByText(/^400 /).waitFor()
    await dropFile(page, 'state.json', state)
    await question.getByText('the whole mock').waitFor()
    await leaveAndReturn()
    await question.getByText('the whole mock').waitFor()
    await dropFile(page, 'cut.json', state.slice(0, -5))
    await page.getByRole('alert').getByText('Open cut.json: no valid JSON; it may be cut off').waitFor()
    await dropFile(page, 'har.zip', 'PK\u0003\u0004')
    await page.getByRole('alert').getByText('Open har.zip: it is packed with zip: unpack it first').waitFor()
    await dropFile(page, 'empty.har', '')
    await page.getByRole('alert').getByText('Open empty.har: it is empty').waitFor()
  })

  test('from an earlier moment no control changes the present; a copy can be made', async () => {
    const { page, url, go, send, mock } = await openPage({ options: { credits: 5, runDuration: '1h' } })
    const [task = ''] = await addTasks(send)
    const before = await everything(url)
    const requests = mock.journal.count()
    let pressed = 0
    const views = ['overview', `tasks?task=${task}`, 'data', 'data?kind=keys', 'break', 'requests?n=2']
    for (const view of views) {
      await go(`${view}${view.includes('?') ? '&' : '?'}at=2`)
      await page.getByText('As it was right after request').waitFor()
      await waitUntilDrawn(page)
      expect(await page.getByRole('main').getByText('New organization').count(), view).toBe(0)
      if (view.includes('n=')) await page.locator('#request-title').waitFor()
      const controls = page.getByRole('main').locator('button:enabled').filter({ visible: true })
      const namesNow = () =>
        controls.evaluateAll((all: HTMLElement[]) =>
          all.map((one) => one.getAttribute('aria-label') ?? one.innerText),
        )
      let names = await namesNow()
      for (let place = 0; place < names.length; place += isExhaustiveTestRun ? 1 : 4) {
        if (elsewhere.test(names[place] ?? '')) continue
        await controls.nth(place).click()
        pressed++
        await page.waitForTimeout(50)
        if (!page.url().includes('at=2')) await page.goBack()
        names = await namesNow()
      }
      expect(await everything(url), view).toBe(before)
    }
    expect(mock.journal.count()).toBe(requests)
    expect(pressed).toBeGreaterThan(15)
    await page.getByRole('button', { name: 'Fork from here' }).click()
    await page.getByText('Forked').waitFor()
    expect((await (await fetch(`${url}/__admin/overview`)).json()).organizations).toHaveLength(2)
  })

  // A browser opens six connections to a host. Without locks (insecure address), several tabs may start reading.
  test.each([
    ['a secure address', 3],
    ['an address that is not secure', 7],
  ])('at %s %i tabs follow the mock over fewer streams than connections, and all say soon that it is lost', async (where, count) => {
    const { page, url, send } = await openPage({ foreign: true, expected: /ERR_/ })
    await send('GET', '/whoami')
    const relay = await startRelay(url)
    const context = (await page.context().browser()?.newContext()) ?? page.context()
    onTestFinished(() => context.close())
    let streams = 0
    context.on('request', (one) => {
      if (one.url().endsWith('/stream')) streams++
    })
    // Browsers offer no locks at such an address.
    if (where !== 'a secure address')
      await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
    const tabs: Page[] = []
    while (tabs.length < count) tabs.push(await context.newPage())
    for (const tab of tabs) await tab.goto(`${relay.url}/#/requests`)
    for (const tab of tabs) await tab.getByText('Live', { exact: true }).waitFor()
    await send('POST', '/tasks', { text: 'For every tab' })
    for (const tab of tabs) await expect.poll(() => tab.locator('.list-row').count()).toBe(2)
    if (where === 'a secure address') expect(streams).toBe(1)
    // The tab that reads for all tabs is closed; another one takes over.
    await tabs[0]?.goto('about:blank')
    await send('GET', '/tasks')
    for (const tab of tabs.slice(1))
      await expect.poll(() => tab.locator('.list-row').count(), { timeout: 5_000 }).toBe(3)
    relay.cut()
    const start = performance.now()
    await Promise.all(
      tabs.slice(1).map((tab) => tab.getByText(/Connection lost/).waitFor({ timeout: 10_000 })),
    )
    expect(performance.now() - start).toBeLessThan(4_000)
    relay.mend()
    for (const tab of tabs.slice(1)) await tab.getByText('Live', { exact: true }).waitFor()
  })
})
