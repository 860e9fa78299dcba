/** The page by mouse: what stands still, what is said, and what a copy or a link of a moment gives elsewhere. */
import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { createMock } from '#mocks/index.ts'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { checkedClientOf } from '#mocks/testing/client.ts'
import { createControlClient } from '#mocks/testing/control.ts'
import { addTasks, openPage, openPageAtView, openPageWithTasks } from './testing/browser-page.ts'

describeInBrowser('the page by mouse', () => {
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const unfold = (page: Page, menu: string) =>
    page.locator('summary').getByText(menu, { exact: true }).click()
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  const boxOf = async (page: Page, selector: string) => page.locator(selector).first().boundingBox()

  test.each([
    1024, 1280, 1440, 1600, 1920,
  ])('at %i px, choosing a row moves no row: a second click hits the next one', async (width) => {
    const { page, send } = await openPageWithTasks('requests')
    await page.setViewportSize({ width, height: 800 })
    await page.getByText('5 of 5', { exact: true }).waitFor()
    const topOf = async (place: number) => (await page.locator('.list-row').nth(place).boundingBox())?.y
    const before = [await topOf(0), await topOf(3)]
    await page.locator('.list-row').nth(2).click()
    await page.locator('#request-title').waitFor()
    expect([await topOf(0), await topOf(3)]).toEqual(before)
    await send('GET', '/whoami')
    await page.getByText('5 of 6, 1 newer', { exact: true }).waitFor()
    expect([await topOf(0), await topOf(3)]).toEqual(before)
    const [x, y] = [100, (before[1] ?? 0) + 10]
    await page.mouse.click(x, y)
    await page.getByText('#2 ·').waitFor()
  })

  test('a link of a chosen request has the rules of its moment, and what an operator did right before it', async () => {
    const { page, mock, send, go } = await openPage({ options: { credits: 5 }, expected: /402|400/ })
    await send('POST', '/creative/generate', { prompt: 'sea' })
    await go('requests')
    await press(page, 'No credits')
    await expect.poll(() => mock.organization('demo').ledgers()[0]?.balance).toBe(0)
    await send('POST', '/creative/generate', { prompt: 'sea' })
    await press(page, 'Too many requests')
    await page.getByText('1 fault armed').waitFor()
    await send('GET', '/whoami')
    await page.locator('.list-row').filter({ hasText: '429' }).waitFor()
    await page.locator('.list-row').filter({ hasText: '402' }).click()
    await unfold(page, 'State before it')
    await press(page, 'Copy link')
    await page.getByText('Copied a link').waitFor()
    const elsewhere = createMock({ seed: 'empty' })
    const [, state] = (await copied(page)).split('#')
    await createControlClient(elsewhere).done('POST /restore', { body: { state } })
    const answer = await checkedClientOf(elsewhere).call('generateCreative', { body: { prompt: 'sea' } })
    expect(answer.status).toBe(402)
    expect((await checkedClientOf(elsewhere).call('whoami')).status).toBe(200)
    await unfold(page, 'State before it')
    await press(page, 'Fork from here')
    await page.getByText('Forked').waitFor()
    expect(mock.organization('demo-fork').ledgers()[0]?.balance).toBe(0)
    expect(mock.organization('demo-fork').faults.list()).toEqual([])
  })

  test('the moment of a request has what each of the five buttons did before it', async () => {
    const { page, send, go } = await openPage({ options: { credits: 5, runDuration: '1h' } })
    const { task } = await send<{ task: { id: string } }>('POST', '/tasks', { text: 'Once' })
    await go('requests')
    await press(page, 'Busy')
    await page.getByText('409 busy, for a minute').waitFor()
    await send('POST', `/tasks/${task.id}/run`)
    await page.locator('.list-row').filter({ hasText: '409' }).click()
    await unfold(page, 'State before it')
    await page.getByRole('link', { name: 'Go to this moment' }).click()
    await page.getByText('As it was right before request #2').waitFor()
    await page.getByText('agent idle').waitFor()
    await press(page, 'Copy link')
    // The browser keeps what an earlier test has copied.
    await page.getByText('Copied a link').waitFor()
    const elsewhere = createMock({ seed: 'empty' })
    const [, state] = (await copied(page)).split('#')
    await createControlClient(elsewhere).done('POST /restore', { body: { state } })
    expect((await checkedClientOf(elsewhere).call('runTask', { id: task.id })).status).toBe(409)
    await press(page, 'Right after it')
    await page.getByText('As it was right after request #2').waitFor()
  })

  test('after a reset and its undo, a request still says what it changed, and its moment has its time', async () => {
    const { page, go, mock } = await openPageWithTasks('requests?n=4', { options: { credits: 5 } })
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('ledger').waitFor()
    await go('overview')
    await press(page, 'Reset demo')
    await page.getByText('demo is as it began').waitFor()
    mock.clock.advance('1h')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: Reset').waitFor()
    await go('requests?n=4')
    await changes.getByText('ledger').waitFor()
    await page.getByText('Credits 5 → 4').waitFor()
    const at = mock.journal.entries()[3]?.at ?? ''
    await go('travel?at=-4')
    await page.getByText(`As it was right before request #4, ${at.slice(0, 19).replace('T', ' ')}`).waitFor()
  })

  test('in a fresh mock, the first view starts everything', async () => {
    const { page, url, mock } = await openPage()
    await page.goto(`${url}/`)
    await page.getByText('Nothing yet').waitFor()
    await press(page, 'Too many requests')
    await page.getByText('Too many requests for demo: the next request gets 429').waitFor()
    await press(page, 'Send GET /whoami')
    await page.locator('.list-row').filter({ hasText: '429' }).waitFor()
    expect(mock.journal.entries()[0]?.status).toBe(429)
  })

  test('a title that is too long stays readable when it is chosen, and one from right to left is cut at its end', async () => {
    const { page, go, send } = await openPage()
    for (const title of ['Donaudampfschiff '.repeat(20), 'مرحبا بالعالم '.repeat(20)])
      await send('POST', '/documents', { title, content_md: '' })
    await send('POST', '/tasks', { text: 'مرحبا بالعالم '.repeat(20) })
    await go('data')
    for (const place of [0, 1]) {
      const cell = page.locator('tbody tr').nth(place).locator('td').first()
      await cell.getByRole('link').click()
      await page.locator('.entry').waitFor()
      await cell.getByRole('link').focus()
      const shown = await cell.evaluate((one) => [one.scrollLeft, getComputedStyle(one).direction])
      expect(shown).toEqual([0, place === 0 ? 'rtl' : 'ltr'])
    }
    await go('tasks')
    const text = page.locator('.list-row').first().locator('.grow')
    expect(await text.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl')
  })

  test('the newest run that failed shows its refund', async () => {
    const { page, go, send, mock } = await openPage({ options: { past: 'none', runOutcome: 'failed' } })
    const { task } = await send<{ task: { id: string } }>('POST', '/tasks', { text: 'Fails' })
    await send('POST', `/tasks/${task.id}/run`)
    mock.clock.advance('1h')
    await go('tasks')
    const refunded = page.locator('.timeline').getByText('refunded', { exact: true })
    const isWhole = await refunded.evaluate((one) => {
      const { left, right } = one.getBoundingClientRect()
      const card = one.closest('.card')?.getBoundingClientRect()
      return left > 0 && right <= (card?.right ?? 0) && one.parentElement?.className !== 'lane'
    })
    expect(isWhole).toBe(true)
  })

  test('in Reports, / searches; j and Enter keep the focus', async () => {
    const { page, go, send } = await openPage()
    await addTasks(send)
    await send('POST', '/documents', { title: 'A', content_md: '' })
    await go('reports')
    await page.getByText('Your client, live').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('3')
    expect(await page.getByLabel('Search reports').inputValue()).toBe('3')
    expect(page.url()).toContain('#/reports')
    const focused = () =>
      page.evaluate(() => document.activeElement?.className || document.activeElement?.localName)
    await go('requests')
    await page.locator('.list-row').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('#request-title').waitFor()
    await expect.poll(focused).toBe('details')
    await go('data')
    await page.getByRole('link', { name: 'A', exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.locator('.entry').waitFor()
    await expect.poll(focused).toBe('a')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('entry details')
  })

  test('an undone reset leaves the organizations in their order', async () => {
    const { page, send, go } = await openPageAtView('overview')
    await send('GET', '/whoami', undefined, 'bob')
    const names = () => page.locator('.tile strong').allInnerTexts()
    await expect.poll(names).toEqual(['bob', 'demo'])
    await press(page, 'Reset demo')
    await page.getByText('demo is as it began').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: Reset').waitFor()
    await go('overview')
    await expect.poll(names).toEqual(['bob', 'demo'])
  })

  test('a notice goes when what it promises has happened; its undo takes back nothing else', async () => {
    const { page, send, mock } = await openPageAtView('requests')
    const notice = page.locator('.notice')
    await press(page, 'Too many requests')
    await notice.getByText('the next request gets 429').waitFor()
    await page.getByText('1 fault armed').waitFor()
    await send('GET', '/whoami')
    await expect.poll(() => notice.count()).toBe(0)
    await press(page, 'Failed run')
    await notice.getByText('the next run fails').waitFor()
    await send('POST', '/tasks', { text: 'Since' })
    await notice.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: Failed run').waitFor()
    expect(
      mock
        .organization()
        .changed()
        .tasks.map(({ text }) => text),
    ).toContain('Since')
  })

  test('an undo of Zero gives back what it took, and leaves what was added and paid since', async () => {
    const { page, send, mock } = await openPageAtView('overview', { options: { credits: 25 } })
    await press(page, 'Zero')
    await page.getByText('No credits are left. Undo gives them back').waitFor()
    await press(page, 'Top up 10')
    await page.getByText('10 credits', { exact: true }).first().waitFor()
    await send('POST', '/creative/generate', { prompt: 'sea' })
    await press(page, 'Undo')
    await page.getByText('Undone: Set to zero').waitFor()
    expect(mock.organization().ledgers()[0]?.balance).toBe(34)
  })

  test('an undo that takes back what clients did since says so', async () => {
    const { page, send } = await openPageAtView('overview')
    await press(page, 'Reset demo')
    await page.getByText('demo is as it began').waitFor()
    await send('POST', '/tasks', { text: 'Since' })
    await page.getByText('Undo takes back what 1 request did since, too').waitFor()
  })

  test('the answer that is lost is that of the next paid request', async () => {
    const { page, send, mock } = await openPageAtView('requests', { options: { credits: 5 } })
    await press(page, 'Lost answer')
    await page.getByText('the next paid request takes effect, its answer is lost').waitFor()
    await send('GET', '/whoami')
    await send('POST', '/creative/generate', { prompt: 'sea' }).catch(() => undefined)
    expect(mock.journal.entries().map(({ wire }) => wire)).toContain('reset')
    expect(mock.journal.entries({ operation: 'whoami' }).every(({ wire }) => wire === null)).toBe(true)
  })

  test('an organization needs a name, and what is wrong in a form stands at its field', async () => {
    const { page, mock } = await openPageAtView('overview', { expected: /400/ })
    const form = page.getByRole('form', { name: 'New organization' })
    await page.getByText('New organization').click()
    await form.getByRole('button', { name: 'Create' }).click()
    expect(await form.getByLabel('Name').evaluate((one: HTMLInputElement) => one.validity.valueMissing)).toBe(
      true,
    )
    await form.getByLabel('Name').fill('bob')
    await form.getByLabel('Run takes').fill('2 parsecs')
    await form.getByRole('button', { name: 'Create' }).click()
    const messageOf = () =>
      form.getByLabel('Run takes').evaluate((one: HTMLInputElement) => one.validationMessage)
    await expect.poll(messageOf).toContain('takes a duration')
    expect(await page.locator('.notice').count()).toBe(0)
    await form.getByLabel('Run takes').fill('2s')
    expect(await messageOf()).toBe('')
    expect((await createControlClient(mock).done('GET /organizations')).organizations).toHaveLength(1)
  })

  test('credits that were set are called so everywhere', async () => {
    const { page, go, send } = await openPageAtView('requests', { options: { credits: 25 } })
    await press(page, 'No credits')
    await page.getByText('1 set').waitFor()
    await send('POST', '/creative/generate', { prompt: 'sea' })
    await page.locator('.list-row').filter({ hasText: '402' }).click()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('set', { exact: true }).waitFor()
    expect(await changes.getByText('top_up').count()).toBe(0)
    await go('overview')
    await page.getByRole('row').filter({ hasText: '−25' }).getByText('set', { exact: true }).waitFor()
  })

  test('what operators did is a sentence, a reset is one row, and all of it can be hidden', async () => {
    const { page, go, call, mock } = await openPageWithTasks('overview')
    await press(page, 'Busy for 1 min')
    await page.getByText('Busy with other work').waitFor()
    await press(page, 'Reset demo')
    await page.getByText('demo is as it began').waitFor()
    await call('PUT /clock', { action: 'advance', by: '1h', org_id: mock.organization().id })
    await go('requests')
    const rows = page.locator('.list-row').filter({ hasText: 'Operator' })
    const says = async () =>
      (await rows.allInnerTexts()).map((text) => text.replace(/^.*Operator: |\s*demo$/gs, ''))
    await expect
      .poll(says)
      .toEqual(['clock advanced by 1h', 'reset: state, faults, clock', 'agent busy for 1 min'])
    await press(page, 'operators')
    await expect.poll(() => rows.count()).toBe(0)
    await page.locator('.list-row').first().waitFor()
  })

  test('the list has the whole width until a request is chosen', async () => {
    const { page } = await openPageWithTasks('requests')
    await page.locator('.list-row').first().waitFor()
    const wide = (await boxOf(page, '.list'))?.width ?? 0
    expect(wide).toBeGreaterThan(1_150)
    await page.locator('.list-row').first().click()
    await page.locator('#request-title').waitFor()
    expect((await boxOf(page, '.list'))?.width).toBeLessThan(800)
  })

  test('on a phone, rows have time and error, and the filters fold', async () => {
    const { page } = await openPageWithTasks('requests')
    await page.setViewportSize({ width: 390, height: 844 })
    const row = page.locator('.list-row').filter({ hasText: '404' })
    for (const cell of ['.col-time', '.col-error', '.col-status'])
      await expect.poll(() => row.locator(cell).isVisible()).toBe(true)
    const search = page.getByLabel('Search requests')
    expect(await search.isVisible()).toBe(false)
    await press(page, 'Filters')
    expect(await search.isVisible()).toBe(true)
  })

  test('on a phone, no cell of a table is cut', async () => {
    const { page, go, send } = await openPageWithTasks('overview')
    await send('POST', '/documents', { title: 'Long '.repeat(40), content_md: '' })
    await page.setViewportSize({ width: 390, height: 844 })
    for (const view of [
      'overview',
      'data',
      'data?kind=notifications',
      'data?kind=keys',
      'data?kind=prospects',
    ]) {
      await go(view)
      await page.locator('tbody td').first().waitFor()
      const ends = await page
        .locator('tbody td')
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().right))
      expect(ends.length).toBeGreaterThan(0)
      expect(Math.max(...ends), view).toBeLessThanOrEqual(390)
    }
  })

  test('a list is as high as its rows, and no two of them have one place', async () => {
    const { page } = await openPageWithTasks('tasks')
    const rows = page.locator('.list-row')
    await rows.first().waitFor()
    const tops = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(tops.length)
    const end = await rows.last().evaluate((row) => row.getBoundingClientRect().bottom)
    const list = await page.locator('.list').evaluate((one) => one.getBoundingClientRect().bottom)
    expect(list - end).toBeLessThan(8)
  })
})
