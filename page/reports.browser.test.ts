/** Reports in a real browser: the client live, and reports from files. */
import { expect, test, vi } from 'vitest'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { writeHistory } from '#contract-tests/model/ndjson.ts'
import { explore } from '#contract-tests/search/explore.ts'
import { saveFinding } from '#contract-tests/search/saved.ts'
import { embeddedMock } from '#contract-tests/targets/in-process.ts'
import { inBrowser } from '#mocks/testing/browser.ts'
import { createMutated } from '#proof/mutations/mutation.ts'
import { rewriteField } from '#proof/mutations/reply.ts'
import { openPage } from './testing/browser-page.ts'
import { presentedReport } from './testing/sample-report.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

inBrowser('the reports of the page', () => {
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
    await page.getByLabel(/Open reports/).setInputFiles({
      name: 'verify.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(presentedReport())),
    })
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
    await page
      .getByLabel(/Open reports/)
      .setInputFiles({ name: 'elsewhere.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await page
      .getByRole('region', { name: 'elsewhere.json' })
      .getByRole('button', { name: /402 no_credits/ })
      .first()
      .click()
    await page.getByRole('alert').getByText('not in this mock').waitFor()
    await page.getByLabel(/Open reports/).setInputFiles({
      name: 'else.json',
      mimeType: 'application/json',
      buffer: Buffer.from('[1]'),
    })
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
    await page.getByLabel(/Open reports/).setInputFiles({
      name: 'check.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ ...mock.report(), matrix })),
    })
    const table = page.locator('.matrix')
    await table.waitFor()
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['lost', '503'])
    expect(await table.getByRole('button').count()).toBe(2)
    await table.getByRole('button', { name: 'F', exact: true }).click()
    const details = page.locator('details.run').filter({ hasText: 'runTask#1=lost' })
    expect(await details.innerText()).toMatch(/no-blind-repeat.*paid twice/s)
    expect(await details.locator('pre').last().innerText()).toBe('npm run check -- --faults runTask#1=lost')
  })

  test('what the search wrote is opened: its history in lanes, and a finding with what was possible before each step', async () => {
    let reads = 0
    const mutation = rewriteField('task.text', (text) => (++reads > 2 ? 'another text' : text), 'getTask')
    const { target, access } = embeddedMock({}, (options) => createMutated([mutation], options))
    const settings = settingsWith({ ...access, extended: 'on', runId: 'verify-test', consistency: 100 })
    const { findings, history } = await explore(settings, target, {
      until: { steps: 100 },
      seed: 3,
      clients: 4,
    })
    const [finding] = findings
    if (!finding) throw new Error('nothing was found')
    const { page, go, send } = await openPage()
    await send('GET', '/whoami')
    await go('reports')
    const file = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) })
    await page.getByLabel(/Open reports/).setInputFiles([
      file(
        'history.ndjson',
        writeHistory(history, (text) => text),
      ),
      file('found.json', saveFinding(finding)),
    ])
    const found = page.getByRole('region', { name: 'found.json' })
    const possible = found.locator('.box.possible')
    expect(await possible.last().innerText()).toContain(finding.before[0])
    const inLanes = finding.steps.filter(({ kind }) => kind !== 'wait')
    expect(await possible.count()).toBe(inLanes.length)
    expect(await possible.first().innerText()).toContain('Nothing was known.')
    const [above, below] = await Promise.all([
      possible.last().boundingBox(),
      found.locator('.box.wrong').first().boundingBox(),
    ])
    expect(above && below && above.y + above.height <= below.y).toBe(true)
    const lanes = page.getByRole('region', { name: 'history.ndjson' }).locator('.lanes')
    expect(await lanes.locator('.box').count()).toBe(Math.min(1_000, history.length))
    const names = await lanes.locator('.lane-name').allInnerTexts()
    expect(names).toContain('main')
  })
})
