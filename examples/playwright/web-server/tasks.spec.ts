/** The same page against the mock that Playwright started; a key gives each test its own organization. */
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'

const file = join(import.meta.dirname, '../page.html')

/** `open` shows the page to an organization with these options: `.credits=0`, `.fault=runTask=busy`. */
const test = base.extend<{ open: (options?: string) => Promise<{ authorization: string }> }>({
  open: async ({ page }, use, { testId }) => {
    await use(async (options = '') => {
      const key = `wak_test_${testId}${options}`
      await page.addInitScript((key) => localStorage.setItem('api-key', key), key)
      await page.route('/', (route) => route.fulfill({ path: file }))
      await page.goto('/')
      return { authorization: `Bearer ${key}` }
    })
  },
})

test('a task is run to its end, an hour later', async ({ page, open, request }) => {
  const headers = await open('.run-duration=1h')
  await page.getByLabel('What is to be done?').fill('Say hello')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('Working …')
  await request.put('/__admin/clock', { headers, data: { action: 'advance', by: '1h' } })
  await expect(page.getByRole('status')).toHaveText('Done: Say hello')
})

test('out of credits, the page shows it', async ({ page, open }) => {
  await open('.credits=0')
  await page.getByLabel('What is to be done?').fill('Say hello')
  await page.getByRole('button').click()
  await expect(page.getByRole('alert')).toHaveText('You are out of Work Credits.')
})
