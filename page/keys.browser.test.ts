/**
 * Quick keys and late answers: no key is lost or undone by the effect of an earlier one, and no answer moves the user.
 */
import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { addTasks, openPage, openPageWithTasks } from './testing/browser-page.ts'

describeInBrowser('quick hands', () => {
  const codes: Readonly<Record<string, number>> = { Enter: 13, Escape: 27 }

  /** Presses keys while the page is busy, so that all of them wait, in this order, when it is free again. */
  async function pressAtOnce(page: Page, keys: readonly string[]): Promise<void> {
    const session = await page.context().newCDPSession(page)
    const busy = page.evaluate(() => {
      const end = performance.now() + 50
      while (performance.now() < end);
    })
    const pressed = keys.map((key) => {
      const [windowsVirtualKeyCode, text] = [codes[key] ?? 0, key === 'Enter' ? '\r' : key]
      return session.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        key,
        windowsVirtualKeyCode,
        ...(key !== 'Escape' && { text }),
      })
    })
    await Promise.all([busy, ...pressed])
    await session.detach()
  }

  /** Holds back the answers to requests for a URL; returns the function that lets them go. */
  async function hold(page: Page, url: string): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(url, async (route) => {
      const response = await route.fetch()
      await promise
      await route.fulfill({ response })
    })
    return resolve
  }

  test('keys that are pressed at once do what they do one after the other', async () => {
    const { page, go, send } = await openPage()
    await addTasks(send)
    for (const [view, keys, address] of [
      ['requests', ['?', 'Escape', '3'], '#/tasks'],
      ['requests', ['?', 'Escape', 'j'], '#/requests?n=5&until=5'],
      ['requests', ['?', 'Escape', '?'], '#/requests?help=1'],
      ['requests', ['?', '2', 'j'], '#/requests?help=1'],
      ['requests', ['?', 'Enter', '4'], '#/data'],
      ['requests', ['j', 'j', 'j', 'k'], '#/requests?n=4&until=5'],
      ['requests', ['2', '5', '4'], '#/data'],
      ['tasks', ['1', 'j', 'j'], '#/requests?n=4&until=5'],
      ['requests', ['/', 'a', 'Escape', 'j'], '#/requests?q=a&n=5&until=5'],
    ] as const) {
      await go(view)
      await page.locator('.list-row').first().waitFor()
      await pressAtOnce(page, keys)
      const shown = () =>
        page.evaluate(() => [
          location.hash.replace(/&t=\w+/, ''),
          document.querySelector('main')?.className,
          document.querySelector('dialog')?.open,
        ])
      const [, path] = /(\w+)/.exec(address) ?? []
      await expect.poll(shown, { message: keys.join(' ') }).toEqual([address, path, address.includes('help')])
    }
  })

  test('the keys of a list belong to the row that was chosen last, whatever is still loading', async () => {
    const { page } = await openPageWithTasks('requests?n=5')
    await page.getByRole('heading', { name: '/api/cli/tasks/none' }).waitFor()
    await page.locator('.list-row').first().waitFor()
    await pressAtOnce(page, ['j', 'c'])
    await page.getByText('Copied: curl').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/run\b/)
  })

  test('an answer that comes when somebody has gone elsewhere moves nobody', async () => {
    const { page } = await openPageWithTasks('travel')
    const forked = await hold(page, '**/__admin/fork')
    await page.getByRole('button', { name: 'Fork from here' }).click()
    await pressAtOnce(page, ['3', '4'])
    forked()
    await page.getByText('Forked').waitFor()
    expect(page.url()).toMatch(/#\/data$/)
  })

  test('a form is sent once, and what is written meanwhile stays', async () => {
    const { page, mock } = await openPageWithTasks('tasks')
    const text = page.getByRole('textbox', { name: 'New task' })
    const created = await hold(page, '**/api/cli/tasks')
    await text.fill('First')
    await pressAtOnce(page, ['Enter', 'Enter', 'Enter'])
    await expect.poll(() => mock.journal.count({ operation: 'createTask' })).toBe(4)
    await text.fill('Second')
    created()
    await page.locator('.details').getByText('First').waitFor()
    expect(await text.inputValue()).toBe('Second')
    await text.press('Enter')
    await page.locator('.details').getByText('Second').waitFor()
    expect(mock.journal.count({ operation: 'createTask' })).toBe(5)
    await expect.poll(() => text.inputValue()).toBe('')
  })

  test('what was found for an earlier text is not shown for a later one', async () => {
    const { page, go, send } = await openPage()
    await addTasks(send)
    await send('POST', '/tasks', { text: 'needle' })
    await go('requests?q=needle')
    const rows = page.locator('.list-row')
    await expect.poll(() => rows.count()).toBe(1)
    const found = await hold(page, '**/rows?*text=need*')
    const asked = page.waitForRequest('**/rows?*text=need*')
    const answered = page.waitForResponse('**/rows?*text=need*')
    await page.getByLabel('Search requests').fill('need')
    await asked
    await page.getByLabel('Search requests').fill('no')
    found()
    await answered
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.innerText()).toContain('/tasks/none')
  })
})
