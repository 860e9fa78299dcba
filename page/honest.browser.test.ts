/**
 * The page tells the truth: which organization and requests it shows, what is set, and what was done between requests.
 */
import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { createMock } from '#mocks/index.ts'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { addTasks, openPage, openPageAtView, openPageWithTasks, startRelay } from './testing/browser-page.ts'

describeInBrowser('the honest page', () => {
  const choice = (page: Page) => page.getByRole('combobox', { name: 'Organization' }).inputValue()
  const rows = (page: Page) => page.locator('.list-row').allInnerTexts()

  test('a reset by somebody else shows no other organization', async () => {
    const { page, call, go, send, mock } = await openPage()
    await send('GET', '/whoami')
    const org_id = mock.organization().id
    await go('requests')
    await page.getByText('For demo').waitFor()
    await send('GET', '/whoami', undefined, 'bob')
    await call('POST /reset', { org_id })
    await expect.poll(async () => (await rows(page)).length).toBe(2)
    await page.waitForTimeout(500)
    expect(await choice(page)).toBe(org_id)
    await page.getByText('For demo').waitFor()
  })

  test('after a restore of a whole mock by somebody else, no view is left loading', async () => {
    // Expected are 404s: the page asks for the organization that has gone.
    const { page, call } = await openPageWithTasks('travel', { expected: /404/ })
    await page.getByText('credits, agent').waitFor()
    const other = createMock({ seed: 'other' })
    const { id } = other.organization('bob')
    expect((await call('PUT /state', other.snapshot())).status).toBe(200)
    await page.getByText('This organization is not in the mock').waitFor()
    await page.getByRole('combobox', { name: 'Organization' }).selectOption(id)
    await page.getByText('credits, agent').waitFor()
  })

  test('an intent says for whom, and what comes first; what it sets is counted, and one entry', async () => {
    const { page, go, send } = await openPageAtView('requests', { options: { credits: 5 } })
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await press('No credits')
    await page.getByText('No credits for demo: every paid request gets 402 until there are credits').waitFor()
    await page.getByRole('link', { name: '1 set' }).click()
    await page.getByText('No credits: every paid request gets 402').waitFor()
    await go('requests')
    await press('Busy')
    await page.getByText('gets 409 busy, for a minute; but without credits it gets 402 before that').waitFor()
    await send('POST', '/creative/generate', { prompt: 'sea' })
    await page.locator('.list-row').filter({ hasText: '402' }).click()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('What time and operators had changed').waitFor()
    expect(await changes.getByText(/added.*ledger/).count()).toBe(1)
    await go('break')
    await page.getByRole('button', { name: /^Add 10/ }).click()
    await expect.poll(async () => (await send<{ credits: number }>('GET', '/whoami')).credits).toBe(10)
  })

  test('what operators did stands between the requests, and is counted as none', async () => {
    const { page, call, go, send } = await openPage()
    await send('GET', '/whoami')
    await call('PUT /clock', { action: 'advance', by: '1h' })
    await send('POST', '/tasks', { text: 'Later' })
    await go('requests')
    await expect.poll(async () => (await rows(page)).length).toBe(3)
    const [newest, between, oldest] = await rows(page)
    expect([newest, between, oldest]).toEqual([
      expect.stringContaining('/tasks'),
      expect.stringContaining('Operator: clock advanced by 1h'),
      expect.stringContaining('/whoami'),
    ])
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await page.locator('.list-row').nth(1).click()
    await page
      .locator('.details')
      .getByText(/clock advanced by 1h \(an operator sent PUT \/clock action=advance/)
      .waitFor()
    expect(await rows(page)).toHaveLength(3)
    await page.getByRole('button', { name: '2xx' }).click()
    await expect.poll(async () => (await rows(page)).length).toBe(2)
  })

  test('counts are those of the mock after a reset of one organization, and the rate begins at none', async () => {
    const { page, call, go, send, mock } = await openPage()
    for (const name of ['bob', 'bob', 'demo', 'bob']) await send('GET', '/whoami', undefined, name)
    await go('requests')
    await page.getByText('4 of 4', { exact: true }).waitFor()
    const rates = new Set<string>()
    for (const end = Date.now() + 3_000; Date.now() < end; await page.waitForTimeout(100))
      rates.add(await page.locator('.counts .number').last().innerText())
    expect([...rates]).toEqual(['0'])
    await call('POST /reset', { org_id: mock.organization('bob').id })
    await page.getByText('1 of 1', { exact: true }).waitFor()
  })

  test('a link to a request of another mock says so', async () => {
    const { page } = await openPageAtView('requests')
    await page.locator('.list-row').click()
    await page.getByRole('heading', { name: 'GET /api/cli/whoami' }).waitFor()
    await page.getByText('No body.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.goto(page.url().replace(/t=\w+/, 't=abc'))
    await page.getByText('The request of this link is not in this mock').waitFor()
  })

  test('ids are links: of a run in the ledger to its task, and back to the request that paid for it', async () => {
    const {
      page,
      tasks: [task = ''],
    } = await openPageWithTasks('overview', { options: { runDuration: '1h' } })
    const ledger = page.getByRole('table', { name: 'Ledger' })
    await ledger.getByRole('link', { name: /^run_/ }).first().click()
    await page.getByRole('heading', { name: task }).waitFor()
    await page.goBack()
    await ledger.getByRole('link', { name: '#4' }).click()
    await page.locator('.list-row').filter({ hasText: '/run' }).click()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByRole('link', { name: /^run_/ }).first().click()
    await page.getByRole('heading', { name: task }).waitFor()
  })

  test('notices cover nothing, and at 1,280 px neither an error nor the ledger is cut', async () => {
    const { page, url, go, send, mock } = await openPage({ expected: /401/ })
    await addTasks(send)
    await fetch(`${url}/api/cli/whoami`)
    await go('requests?n=2')
    await page.getByRole('heading', { name: 'POST /api/cli/tasks' }).waitFor()
    const error = page.locator('.list .col-error', { hasText: 'unauthorized' })
    expect(await error.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    for (const name of ['Lost answer', 'Too many requests', 'Failed run', 'Busy'])
      await page.getByRole('button', { name, exact: true }).click()
    await expect.poll(() => page.locator('.notice').count()).toBe(4)
    const boxOf = async (selector: string) =>
      (await page.locator(selector).boundingBox()) ?? { y: 0, height: 0 }
    const [main, notices] = [await boxOf('main'), await boxOf('.notices')]
    expect(main.y + main.height).toBeLessThanOrEqual(notices.y)
    expect(notices.y + notices.height).toBe(800)
    await page.locator('summary').getByText('Copy', { exact: true }).click()
    for (const name of ['Copy HAR', 'Copy TypeScript test', 'Send again'])
      await page.getByRole('button', { name }).click({ trial: true, timeout: 2_000 })
    mock.organization().setCredits(1_000)
    await go('overview')
    const table = page.getByRole('group', { name: 'Ledger', exact: true })
    expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  })

  test('a prospect shows when it was created', async () => {
    const { page } = await openPageAtView('data?kind=prospects')
    const created = page.getByRole('table', { name: 'Prospects' }).locator('tbody td:nth-child(3)').first()
    await expect.poll(() => created.innerText()).toMatch(/^\d{4}-/)
  })

  test('a started scenario says that Undo does not bring back the requests', async () => {
    const { page, mock } = await openPageAtView('break')
    await page
      .getByRole('button', { name: /: start for demo$/ })
      .first()
      .click()
    await page.getByText('Undo restores no requests').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(mock.journal.count()).toBe(0)
  })

  test.each([
    ['tasks?task=nope', 'The task of this link is not in this list.'],
    ['data?kind=documents&id=nope', 'The entry of this link is not in this list.'],
    ['data?kind=nope', 'The kind of this link is not in this list.'],
    ['requests?status=zzz', 'No request passes the filter.', 'zzz'],
    ['tasks?q=zzz', 'No task found.', '0 of 3'],
  ])('a link to what is not there says so: %s', async (link, ...says) => {
    const { page } = await openPageWithTasks(link, { options: { past: 'none' } })
    for (const text of says) await page.getByText(text, { exact: true }).waitFor()
    // A status without a button of its own is shown as a pressed button.
    expect(await page.getByRole('button', { name: 'zzz', pressed: true }).count()).toBe(
      link.includes('status') ? 1 : 0,
    )
  })

  test('the views of an organization stay at an earlier moment, by tab, key and link', async () => {
    const { page } = await openPageWithTasks('travel?at=2')
    const bar = page.getByRole('region', { name: 'Past' })
    await page.getByRole('link', { name: 'Overview at this moment' }).click()
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByRole('option').filter({ hasText: 'Compare three competitors' }).waitFor()
    expect(await page.getByRole('option').filter({ hasText: 'Draft the newsletter' }).count()).toBe(0)
    await page.keyboard.press('4')
    await page.getByRole('link', { name: /^Prospects/ }).click()
    await bar.waitFor()
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await expect.poll(() => bar.count()).toBe(0)
  })

  test.each([
    ['requests', 'Overview', 'Credits'],
    ['tasks', 'Break it', 'A fault'],
  ])('while nothing answers, a view that has nothing to show says so, until something does: from %s to %s', async (from, to, card) => {
    const { page, url, send } = await openPage({ foreign: true, expected: /ERR_/ })
    await send('GET', '/whoami')
    const relay = await startRelay(url)
    await page.goto(`${relay.url}/#/${from}`)
    await page.getByText('Live', { exact: true }).waitFor()
    relay.cut()
    await page.getByRole('link', { name: to }).click()
    await page.getByText('No answer from the mock', { exact: true }).waitFor()
    relay.mend()
    await page.getByRole('region', { name: card, exact: true }).waitFor()
  })

  test('what got no answer may have been done, which its notice says', async () => {
    const { page } = await openPageAtView('tasks', { expected: /ERR_/ })
    await page.getByRole('textbox', { name: 'New task' }).fill('[[mock:create:lost]]')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Create a task: no answer from the mock; it may have been done').waitFor()
    await page.getByRole('option').filter({ hasText: 'create:lost' }).first().waitFor()
  })
})
