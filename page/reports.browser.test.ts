/** Reports in a real browser: the client live, and reports from files. */
import { expect, test, vi } from 'vitest'
import { inBrowser } from '#mocks/testing/browser.ts'
import { browserPage } from './testing/browser-page.ts'
import { presentedReport } from './testing/sample-report.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

inBrowser('the reports of the page', () => {
  const openPage = browserPage()

  test('the report on the client is live, failures first; a report of verify is opened from a file', async () => {
    const { page, go, send } = await openPage({ options: { credits: 0 } })
    await send('POST', '/creative/generate', { prompt: 'sea' })
    await go('reports')
    await page.getByText('stops-at-402').waitFor()
    await send('POST', '/creative/generate', { prompt: 'sea' })
    const first = page.getByRole('region', { name: 'Client report' }).locator('.result').first()
    await expect.poll(() => first.innerText(), { timeout: 10_000 }).toContain('failed stops-at-402')
    await page.getByLabel(/Open reports/).setInputFiles({
      name: 'verify.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(presentedReport())),
    })
    const report = page.getByRole('region', { name: 'verify.json' })
    expect(await report.locator('.result').first().innerText()).toContain('SAMPLE-FAILED')
    await page.getByLabel(/Open reports/).setInputFiles({
      name: 'else.json',
      mimeType: 'application/json',
      buffer: Buffer.from('[1]'),
    })
    await page.getByRole('alert').getByText('no JSON report').waitFor()
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
      faults: [
        { id: 'lost', title: 'The answer is lost.' },
        { id: '503', title: 'Unavailable.' },
      ],
      requests: ['runTask#1', 'createTask#1'],
      cells: [cell('runTask#1', 'lost', 'failed'), cell('createTask#1', '503', 'passed')],
      others: [],
    }
    await go('reports')
    await page.getByLabel(/Open reports/).setInputFiles({
      name: 'check.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ ...mock.report(), matrix })),
    })
    const table = page.locator('.matrix')
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['lost', '503'])
    expect(await table.getByRole('button').count()).toBe(2)
    await table.getByRole('button', { name: 'runTask#1 lost: failed' }).click()
    const details = page.getByRole('region', { name: 'runTask#1=lost' })
    expect(await details.innerText()).toMatch(/no-blind-repeat.*paid twice/s)
    expect(await details.locator('.copy-line code').innerText()).toBe(
      'npm run check -- --faults runTask#1=lost',
    )
  })
})
