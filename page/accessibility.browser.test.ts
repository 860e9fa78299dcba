/** The page for everybody: axe finds nothing, keys do everything, and at every width everything stays in its box. */
import axe from 'axe-core'
import { expect, test, vi } from 'vitest'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import {
  addTasks,
  openPage,
  openPageWithTasks,
  pageAddresses,
  waitUntilDrawn,
} from './testing/browser-page.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/** Shows each address in turn and calls back once it is drawn. */
type Visit = (look: (address: string) => Promise<void>) => Promise<void>

describeInBrowser('the accessible page', () => {
  /** Opens a filled mock; returns how to visit every address. */
  async function visits() {
    const opened = await openPage()
    const [task = ''] = await addTasks(opened.send)
    await opened.send('POST', '/creative/generate', { prompt: 'A calm sea' })
    let document = ''
    for (const text of ['Donaudampfschiff'.repeat(20), 'مرحبا بالعالم '.repeat(20)]) {
      const content_md = `${text}\n\n| ${text} |\n|---|\n| ${text.replaceAll(' ', '')} |`
      await opened.send('POST', '/tasks', { text })
      const { item } = await opened.send<{ item: { id: string } }>('POST', '/documents', {
        title: text,
        content_md,
      })
      document = item.id
      await opened.send('GET', `/tasks/${encodeURIComponent(text)}`)
    }
    await opened.send('GET', '/whoami', undefined, 'longname'.repeat(8))
    await opened.call('POST /faults', { rule: 'getTask=503;times=3' })
    const visit: Visit = async (look) => {
      for (const address of sampleUnlessExhaustive(pageAddresses, 3)) {
        await opened.go(address.replace('TASK', task).replace(/document_\w+/, document))
        await waitUntilDrawn(opened.page)
        await look(address)
      }
    }
    return { ...opened, visit }
  }

  /** Returns the texts of elements that are wider than their box, unless something cuts them off or scrolls them. */
  const outside = () =>
    [...document.querySelectorAll('main :not(.hidden)')]
      .filter((one) => {
        const { display, overflowX } = getComputedStyle(one)
        const isWider = one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1
        // A menu is wider than its button, below which it hangs.
        return (
          isWider &&
          !one.matches('.menu') &&
          display !== 'inline' &&
          overflowX === 'visible' &&
          !one.querySelector('.hidden')
        )
      })
      .map((one) => `${one.className}: ${one.textContent.slice(0, 40)}`)

  const schemes = ['light', 'dark'] as const

  test('axe finds nothing in any view, light and dark; nothing leaves its box at 320 to 2,000 px', async () => {
    const { page, go, visit } = await visits()
    const found: string[] = []
    let looks = 0
    // Once: only the fragment of the address changes.
    await go('overview')
    await page.evaluate(axe.source)
    await visit(async (address) => {
      await page.evaluate(() => {
        for (const folded of document.querySelectorAll('details')) folded.open = true
      })
      // In the gate, the schemes alternate between views; otherwise each view is tried in both.
      for (const colorScheme of isExhaustiveTestRun ? schemes : schemes.slice(looks++ % 2).slice(0, 1)) {
        await page.emulateMedia({ colorScheme })
        // Colors change gradually; axe has to see the final ones.
        await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
        const { violations } = await page.evaluate(() =>
          (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
        )
        for (const { id, nodes } of violations)
          for (const { html } of nodes) found.push(`${address}, ${colorScheme}: ${id}: ${html.slice(0, 160)}`)
      }
      for (const width of [320, 768, 2000, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (over > 0) found.push(`${address}: ${over} px too wide at ${width}`)
        for (const text of await page.evaluate(outside)) found.push(`${address} at ${width}: ${text}`)
      }
    })
    expect(found).toEqual([])
  })

  test('texts of 84,000 characters bury nothing, and axe finds nothing in what shows them', async () => {
    const { page, go, send, mock } = await openPage({
      options: { runDuration: '1h' },
      expected: /40[04]/,
    })
    const long = 'A very long text. '.repeat(4_667)
    const ids: string[] = []
    for (let nth = 0; nth < 2; nth++) {
      const { task } = await send<{ task: { id: string } }>('POST', '/tasks', { text: long })
      ids.push(task.id)
      await send('POST', `/tasks/${task.id}/run`)
    }
    const { item } = await send<{ item: { id: string } }>('POST', '/documents', {
      title: long,
      content_md: long,
      summary: long,
    })
    mock.organization().notify(long, long)
    await send('GET', `/tasks/${long.slice(0, 9_000)}`)
    const count = mock.journal.count()
    const notification = 'data?kind=notifications'
    const problems: string[] = []
    for (const address of [
      `tasks?task=${ids[0]}`,
      `data?id=${item.id}`,
      notification,
      'overview',
      'requests?n=1',
      `requests?n=${count}`,
      'reports',
    ]) {
      await go(address)
      await waitUntilDrawn(page)
      if (address === notification) await page.locator('tbody a').first().click()
      if (address.includes('n=')) await page.locator('#request-title').waitFor()
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate(() =>
        (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
      )
      problems.push(...violations.map(({ id, nodes }) => `${address}: ${id} ${nodes[0]?.html.slice(0, 80)}`))
      const height = await page.evaluate(() =>
        Math.max(...[...document.querySelectorAll('main, .details')].map((one) => one.scrollHeight)),
      )
      if (height > 2_000) problems.push(`${address}: ${height} px high`)
    }
    expect(problems).toEqual([])
    await go(`tasks?task=${ids[0]}`)
    const box = await page.getByRole('button', { name: 'Finish now' }).boundingBox()
    expect(box?.y).toBeLessThan(500)
  })

  // Those that move, find and copy are pressed in keys.browser.test.ts.
  test('Enter, Escape, s, p and ? do what the help says', async () => {
    const { page, mock } = await openPageWithTasks('requests?n=4')
    const details = page.locator('.details')
    await details.getByRole('heading', { name: /run$/ }).waitFor()
    await page.keyboard.press('Enter')
    expect(await details.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.locator('.list').evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('s')
    // The list stands still at the request that was sent.
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(mock.journal.count()).toBe(6)
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('copy the open request as curl').waitFor()
  })

  test('every control can be reached by the Tab key', async () => {
    const { page } = await openPageWithTasks('overview')
    await page.getByRole('region', { name: 'Credits' }).waitFor()
    const controls = 'button:enabled, a[href], input:enabled, select, summary, [tabindex="0"]'
    const unreached = await page.evaluate((selector) => {
      const all = [...document.querySelectorAll<HTMLElement>(selector)]
      const visible = all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true }))
      return visible.filter((one) => one.tabIndex < 0).map((one) => one.outerHTML)
    }, controls)
    expect(unreached).toEqual([])
    const seen = new Set<string>()
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      seen.add(await page.evaluate(() => document.activeElement?.outerHTML ?? ''))
    }
    expect(seen.size).toBeGreaterThan(30)
  })
})
