/** Runs, credits and errors, as a person sees them. */
import { expect, test } from './mock.ts'

test.beforeEach(async ({ page }) => {
  await page.getByLabel('What is to be done?').fill('Say hello')
})

test('a task is run to its end, an hour later', async ({ page, organization }) => {
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('Working …')
  await expect(page.locator('#credits')).toHaveText('2')
  organization.clock.advance(3_600_000)
  await expect(page.getByRole('status')).toHaveText('Done: Say hello')
})

test('out of credits, the page says so, and asks no second time', async ({ page, organization }) => {
  organization.setCredits(0)
  await page.getByRole('button').click()
  await expect(page.getByRole('alert')).toHaveText('You are out of Work Credits.')
  expect(organization.journal.entries({ operation: 'runTask' })).toHaveLength(1)
})

test('an outage and a limit are waited out', async ({ page, organization }) => {
  organization.faults.add('createTask=unavailable,rate_limited,ok')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('Working …')
  const answers = organization.journal.entries({ operation: 'createTask' }).map(({ status }) => status)
  expect(answers).toEqual([503, 429, 200])
})

test('what cannot be fixed is told in the words of the service', async ({ page, organization }) => {
  organization.faults.add('createTask=internal_error')
  await page.getByRole('button').click()
  await expect(page.getByRole('alert')).toHaveText('Unexpected server error.')
})

test('while the agent is busy, a run waits for its turn', async ({ page, organization }) => {
  organization.scenarios.start('busy-then-starts')
  await page.reload()
  await page.getByLabel('What is to be done?').fill('Wait for me')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('Working …')
  organization.clock.advance(3_600_000)
  await expect(page.getByRole('status')).toHaveText('Done: Wait for me')
})
