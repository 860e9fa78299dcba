/** Reports in a real browser: the client live, and reports from files. */
import { expect, test } from 'vitest'
import { createConformanceReport } from '#contract-tests/report/report.ts'
import { sampleRun } from '#contract-tests/report/testing/sample.ts'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { openFile, openPage } from './testing/browser-page.ts'

/** A report of verify with a result of each outcome. */
const sample = createConformanceReport(
  sampleRun(),
  { outcome: 'failed', strict: false, problems: [] },
  { name: 'suite', version: '1' },
  [],
)

describeInBrowser('the reports of the page', () => {
  test('the report on the client is live, failures first; a report of verify is opened from a file', async () => {
    const { page, go, send, mock } = await openPage({ options: { credits: 0 }, expected: /400/ })
    await send('POST', '/creative/generate', { prompt: 'sea' })
    await go('reports')
    await page.getByText('stops-at-402').waitFor({ state: 'attached' })
    await send('POST', '/creative/generate', { prompt: 'sea' })
    const first = page.getByRole('region', { name: 'Your client, live' }).locator('article').first()
    await expect.poll(() => first.innerText(), { timeout: 10_000 }).toMatch(/stops-at-402\s*failed/)
    await first
      .getByRole('button', { name: /402 no_credits/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'POST /api/cli/creative/generate' }).waitFor()
    await page.goBack()
    await openFile(page, /Drop reports/, 'verify.json', JSON.stringify(sample))
    const report = page.getByRole('region', { name: 'verify.json' })
    expect(await report.locator('article').first().innerText()).toContain('SAMPLE-FAILED')
    const passed = report.getByText('SAMPLE-PASSED')
    expect(await passed.isVisible()).toBe(false)
    await page.getByLabel('Search reports').fill('sample-passed')
    await passed.waitFor()
    expect(await report.locator('article').count()).toBe(1)
    await page.reload()
    await passed.waitFor()
    const elsewhere = {
      ...mock.report(),
      rules: [{ ...mock.report().rules.find(({ id }) => id === 'stops-at-402') }],
    }
    const text = JSON.stringify(elsewhere).replaceAll(/"at":"\d{4}/g, '"at":"1999')
    await page.getByLabel('Search reports').fill('')
    await openFile(page, /Drop reports/, 'elsewhere.json', text)
    await page
      .getByRole('region', { name: 'elsewhere.json' })
      .getByRole('button', { name: /402 no_credits/ })
      .first()
      .click()
    await page.getByRole('alert').getByText('not in this mock').waitFor()
    await openFile(page, /Drop reports/, 'else.json', '[1]')
    await page.getByRole('alert').getByText('no report, history, saved state or HAR').waitFor()
  })

  test('a matrix of every fault is opened from a file, and each cell says what happened and how to repeat it', async () => {
    const { page, go, send, mock } = await openPage()
    await send('GET', '/whoami')
    const trace = [{ request_id: 'req_1', at: '', method: 'POST', path: '/api/cli/tasks', answer: 'reset' }]
    const cell = (request: string, fault: string, outcome: string) => ({
      id: `${request}=${fault}`,
      request,
      fault,
      outcome,
      violations: outcome === 'failed' ? [{ id: 'no-blind-repeat', what: 'paid twice' }] : [],
      end: 'exited with code 0',
      requests: 1,
      repeat: `npm run check -- --faults ${request}=${fault}`,
      trace,
    })
    const matrix = {
      usual: { ok: true, requests: 2, end: 'exited with code 0' },
      faults: [
        { id: 'lost', title: 'The answer is lost.' },
        { id: '503', title: 'Unavailable.' },
      ],
      requests: ['runTask#1', 'createTask#1'],
      cells: [cell('runTask#1', 'lost', 'failed'), cell('createTask#1', '503', 'passed')],
      others: [],
    }
    await go('reports')
    await openFile(page, /Drop reports/, 'check.json', JSON.stringify({ ...mock.report(), matrix }))
    const table = page.locator('.matrix')
    await table.waitFor()
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['lost', '503'])
    expect(await table.getByRole('button').count()).toBe(2)
    await table.getByRole('button', { name: 'F', exact: true }).click()
    const details = page.locator('details.run').filter({ hasText: 'runTask#1=lost' })
    expect(await details.innerText()).toMatch(/no-blind-repeat.*paid twice/s)
    expect(await details.locator('pre').last().innerText()).toBe('npm run check -- --faults runTask#1=lost')
  })
})
