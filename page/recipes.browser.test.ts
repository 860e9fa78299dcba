/** Error cases of docs/error-cases.md, reproduced with the mouse alone: no key is pressed, no header and no code written. */
import type { Locator } from '@playwright/test'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { createMock } from '#mocks/index.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { checkedClientOf } from '#mocks/testing/client.ts'
import { createControlClient } from '#mocks/testing/control.ts'
import { openPage, openPageAtView, type SendRequest } from './testing/browser-page.ts'

/** Longest time for all of them, ms. */
const limit = 300_000

describeInBrowser('the recipes', () => {
  const start = performance.now()
  afterEach(() => expect(performance.now() - start).toBeLessThan(limit))

  /** Creates a task as a client and runs it; returns the answer to the run and the id. */
  async function run(send: SendRequest) {
    const { task } = await send<{ task: { id: string } }>('POST', '/tasks', { text: 'From a client' })
    const answer = await send<{ error?: string; status?: string }>('POST', `/tasks/${task.id}/run`)
    return { id: task.id, answer }
  }
  const creditsOf = async (send: SendRequest) => (await send<{ credits: number }>('GET', '/whoami')).credits

  test('from an empty mock to a 402 and out of it, without a client', async () => {
    const { page, go, mock } = await openPage({ expected: /402/ })
    await go('overview')
    await page.getByRole('button', { name: 'Create demo' }).click()
    await page.getByRole('button', { name: 'Zero' }).click()
    const tasks = page.getByRole('link', { name: 'Tasks', exact: true })
    await tasks.click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const run = page.locator('.details').getByRole('button', { name: 'Run', exact: true })
    await run.click()
    await page.getByText('Run: 402 no_credits').waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('button', { name: 'Top up 10', exact: true }).click()
    await tasks.click()
    await page.locator('.list').getByRole('option').first().click()
    await run.click()
    await expect.poll(() => mock.journal.count({ operation: 'runTask', status: 200 })).toBe(1)
  })

  test('an outage: two requests answer 503, the third succeeds, and the counter shows it', async () => {
    const { page, send } = await openPageAtView('overview')
    await page.getByRole('link', { name: 'Break it' }).click()
    await page.getByLabel('When').selectOption('createTask')
    await page.getByRole('combobox', { name: 'Then', exact: true }).selectOption('unavailable')
    await page.getByLabel('How often').selectOption('2')
    await page.getByRole('button', { name: 'Break it' }).click()
    const counter = page.locator('.counter')
    await expect.poll(() => counter.innerText()).toBe('2 left')
    const errors: (string | undefined)[] = []
    errors.push((await send<{ error?: string }>('POST', '/tasks', { text: 'x' })).error)
    await expect.poll(() => counter.innerText()).toBe('1 left')
    const line = await page.locator('.copy-line code').first().innerText()
    errors.push((await send<{ error?: string }>('POST', '/tasks', { text: 'x' })).error)
    await expect.poll(() => counter.count()).toBe(0)
    errors.push((await send<{ error?: string }>('POST', '/tasks', { text: 'x' })).error)
    expect(errors).toEqual(['unavailable', 'unavailable', undefined])
    expect(line).toBe("npm start -- --fault 'createTask=unavailable;times=2'")
  })

  test('a busy agent: 409 busy, and the run starts by itself', async () => {
    const { page, send } = await openPageAtView('overview')
    await page.getByRole('button', { name: 'Busy for 1 min' }).click()
    await page.getByText('Busy with other work').waitFor()
    const { id, answer } = await run(send)
    expect(answer.error).toBe('busy')
    await page.getByRole('button', { name: 'Next event' }).click()
    await page
      .getByText(/^Runs /)
      .getByRole('link')
      .waitFor()
    expect((await send<{ task: { status: string } }>('GET', `/tasks/${id}`)).task.status).toBe('in_progress')
  })

  describe('in at most four clicks', () => {
    /** Opens the page and counts clicks, of which a recipe has at most four. */
    async function clicking(options: MockOptions = {}) {
      const opened = await openPage({ options: { runDuration: '1h', credits: 5, ...options } })
      const { page, send, url } = opened
      await send('GET', '/whoami')
      await page.goto(`${url}/`)
      let clicks = 0
      onTestFinished(() => {
        console.log(`${expect.getState().currentTestName}: ${clicks} clicks`)
        expect(clicks).toBeLessThanOrEqual(4)
      })
      const click = async (target: Locator) => {
        await target.click()
        clicks++
      }
      const pick = async (label: string, value: string) => {
        await page.getByRole('combobox', { name: label, exact: true }).selectOption(value)
        clicks++
      }
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const row = (status: string) => page.locator('.col-status').getByText(status, { exact: true }).first()
      return { ...opened, click, pick, button, row }
    }

    test('a 429, and why', async () => {
      const { page, send, click, button, row } = await clicking()
      await click(button('Too many requests'))
      await page.getByText('the next request gets 429').waitFor()
      expect((await send<{ error: string }>('GET', '/whoami')).error).toBe('rate_limited')
      await click(row('429'))
      const why = page.getByRole('region', { name: 'Why this answer' })
      await why.getByText('rate_limited').first().waitFor()
      const changes = page.getByRole('region', { name: 'Changes' })
      await changes
        .locator('summary', { hasText: /^Specification/ })
        .evaluate((one: HTMLElement) => one.click())
      await changes.getByText('§8').first().waitFor()
    })

    test('paid twice after a lost answer', async () => {
      const { page, send, click, button, row } = await clicking()
      await click(button('Lost answer'))
      await page.getByText('its answer is lost').waitFor()
      for (let sent = 0; sent < 2; sent++) await send('POST', '/creative/generate', { prompt: 'sea' })
      expect(await creditsOf(send)).toBe(3)
      const credits = () => page.locator('.list-row .col-credits').allInnerTexts()
      await expect.poll(credits).toHaveLength(4)
      expect((await credits()).filter((text) => text === '−1')).toHaveLength(2)
      await click(row('lost'))
      const why = page.getByRole('region', { name: 'Why this answer' })
      await why.getByText('Its answer was never sent').waitFor()
      await why.getByText('Credits 5 → 4').waitFor()
    })

    test('the state before a failure, shared with a colleague', async () => {
      const { page, send, click, row, mock } = await clicking()
      await send('POST', '/tasks', { text: 'Before' })
      mock.organization().setCredits(0)
      await send('POST', '/creative/generate', { prompt: 'sea' })
      await click(row('402'))
      await click(page.locator('summary').getByText('State before it', { exact: true }))
      await click(page.getByRole('button', { name: 'Copy link' }))
      await page.getByText('Copied a link').waitFor()
      const [, state] = (await page.evaluate(() => navigator.clipboard.readText())).split('#')
      const elsewhere = createMock({ seed: 'empty' })
      await createControlClient(elsewhere).done('POST /restore', { body: { state } })
      const { status } = await checkedClientOf(elsewhere).call('generateCreative', {
        body: { prompt: 'sea' },
      })
      expect(status).toBe(402)
    })

    test('a failed run with its refund', async () => {
      const { page, send, click, button } = await clicking()
      await click(button('Failed run'))
      await page.locator('.notice').getByText('the next run fails').waitFor()
      await run(send)
      await click(page.getByRole('link', { name: 'Overview' }))
      await click(button('Next event'))
      await expect.poll(() => creditsOf(send)).toBe(5)
      await page.getByRole('table', { name: 'Ledger' }).getByText('refunded').first().waitFor()
    })
  })
})
