/** Forms of the page: what is written stays until it is sent, and Enter presses the button beside a field. */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/index.ts'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { openPageAtView, openPageWithTasks } from './testing/browser-page.ts'

describeInBrowser('the forms of the page', () => {
  test('a half-written task outlasts other views and its organization, and is gone once it is sent', async () => {
    const { page, call } = await openPageAtView('tasks', { expected: /404/ })
    const field = page.getByRole('textbox', { name: 'New task' })
    await field.fill('Write a launch')
    const leaveAndReturn = async () => {
      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByRole('region', { name: 'Mock clock' }).waitFor()
      await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    }
    await leaveAndReturn()
    await expect.poll(() => field.inputValue()).toBe('Write a launch')
    const other = createMock({ seed: 'other' })
    const { id } = other.organization('bob')
    await call('PUT /state', other.snapshot())
    await page.getByText('This organization is not in the mock').waitFor()
    expect(await field.count()).toBe(0)
    await page.getByRole('combobox', { name: 'Organization' }).selectOption(id)
    await expect.poll(() => field.inputValue()).toBe('Write a launch')
    await field.press('Enter')
    await page.getByRole('option').filter({ hasText: 'Write a launch' }).waitFor()
    expect(await field.inputValue()).toBe('')
    await leaveAndReturn()
    expect(await field.inputValue()).toBe('')
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
  })

  test('an edited request keeps its own text while others are chosen, and after a refusal', async () => {
    const { page, go, mock } = await openPageWithTasks('requests?n=1&edit=1')
    const body = page.getByLabel('Body', { exact: true })
    await body.fill('{"text":"Changed"}')
    await page.getByLabel('Headers', { exact: true }).fill('x-a: 1\nx-a: 2\n\nnone')
    await go('requests?n=2&edit=1')
    await expect.poll(() => body.inputValue()).toContain('Compare three competitors')
    await go('requests?n=1&edit=1')
    await expect.poll(() => body.inputValue()).toBe('{"text":"Changed"}')
    const press = () => page.getByRole('button', { name: 'Send', exact: true }).click()
    await press()
    const headers = page.getByLabel('Headers', { exact: true })
    const message = () => headers.evaluate((one: HTMLTextAreaElement) => one.validationMessage)
    await expect.poll(message).toContain('one header a line')
    await headers.fill('x-a: 1\nx-a: 2\n\n Content-Type: application/json')
    await press()
    // The page opens the request that was sent.
    await expect.poll(() => page.url()).not.toContain('edit=1')
    expect(mock.journal.count()).toBe(6)
    const sent = mock.journal.entries().at(-1)?.request
    expect([sent?.body, sent?.headers]).toMatchObject(['{"text":"Changed"}', { 'x-a': '1, 2' }])
    await go('requests?n=1&edit=1')
    await expect.poll(() => body.inputValue()).toContain('Write a launch plan')
  })

  test('Enter in a field of Break it does what the button beside it does', async () => {
    const { page, mock } = await openPageAtView('break')
    const followedBy = page.getByLabel('Followed by')
    await followedBy.fill('ok, reset')
    await followedBy.press('Enter')
    await expect.poll(() => mock.organization().faults.list().length).toBe(1)
    const quirks = page.getByLabel('Quirks: seed or ids')
    await quirks.fill('7')
    await quirks.press('Enter')
    await page.getByText('chaos off, quirks 7').waitFor()
  })
})
