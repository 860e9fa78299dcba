/** The page in a real browser: every view, the address, what is done in it, and what goes wrong. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { openPage, openPageAtView, openPageWithTasks } from './testing/browser-page.ts'

describeInBrowser('the page', () => {
  test('on the overview, credits and the clock are changed, and the ledger follows', async () => {
    const {
      page,
      send,
      tasks: [id],
    } = await openPageWithTasks('overview', { options: { credits: 4, runDuration: '1h' } })
    const credits = page.getByRole('region', { name: 'Credits' })
    await expect.poll(() => credits.locator('.huge').innerText()).toBe('3 credits')
    await credits.getByRole('button', { name: 'Top up 10', exact: true }).click()
    await expect.poll(() => credits.locator('.huge').innerText()).toBe('13 credits')
    await credits.getByRole('spinbutton').fill('2.5')
    await credits.getByRole('button', { name: 'Set credits' }).click()
    await expect.poll(() => credits.locator('.huge').innerText()).toBe('2.5 credits')
    await credits.getByRole('button', { name: 'Zero' }).click()
    await expect.poll(() => credits.locator('.huge').innerText()).toBe('0 credits')
    const ledger = page.getByRole('table', { name: 'Ledger' })
    await expect.poll(() => ledger.locator('tbody').innerText()).toContain('−2.5')
    expect(await ledger.locator('tr', { hasText: 'set' }).allInnerTexts()).toEqual([
      expect.stringMatching(/set\s+−2\.5\s+0/),
      expect.stringMatching(/set\s+−10\.5\s+2\.5/),
    ])
    const clock = page.getByRole('region', { name: 'Mock clock' })
    await clock.getByRole('button', { name: 'Freeze' }).click()
    await clock.getByText('Frozen, apart from the clock of the mock').waitFor()
    await clock.getByRole('button', { name: 'Next event' }).click()
    await clock.getByText('no event ahead').waitFor()
    expect((await send<{ finished: boolean }>('GET', `/tasks/${id}`)).finished).toBe(true)
    await clock.getByLabel('Moment (UTC)').fill('2030-01-02T03:04:05')
    await clock.getByRole('button', { name: 'Set clock' }).click()
    await clock.getByText('2030-01-02 03:04:05').waitFor()
    // The years before the ledger, too, and the last second that there is.
    for (const moment of ['2020-01-01T00:00:00', '9999-12-31T23:59:59']) {
      await clock.getByLabel('Moment (UTC)').fill(moment)
      await clock.getByRole('button', { name: 'Set clock' }).click()
      await clock.getByText(moment.replace('T', ' ')).waitFor()
    }
    await page.waitForTimeout(1_100)
    expect(await clock.locator('time').innerText()).toBe('9999-12-31 23:59:59')
  })

  test('a task is created, run, and failed by hand; its credit comes back', async () => {
    const { page, send } = await openPageAtView('tasks', { options: { runDuration: '1h', credits: 5 } })
    await page.getByRole('textbox', { name: 'New task' }).fill('From the page')
    await page.getByRole('button', { name: 'Create' }).click()
    const details = page.locator('.details')
    await details.getByText('From the page').waitFor()
    await details.getByRole('button', { name: 'Run' }).click()
    await details.getByText('in_progress').first().waitFor()
    expect((await send<{ credits: number }>('GET', '/whoami')).credits).toBe(4)
    await details.getByRole('button', { name: 'Fail now' }).click()
    await details.getByText('refunded').first().waitFor()
    expect((await send<{ credits: number }>('GET', '/whoami')).credits).toBe(5)
  })

  test('the address holds everything: reload, back and a copied link show the same', async () => {
    const { page } = await openPageWithTasks('requests')
    await page.getByRole('button', { name: '4xx', exact: true }).click()
    await page.getByLabel('Search requests').fill('none')
    const row = page.locator('.list').getByRole('option')
    await expect.poll(() => row.count()).toBe(1)
    await row.click()
    await page.getByRole('heading', { name: 'GET /api/cli/tasks/none' }).waitFor()
    const link = page.url()
    const shown = async (one = page) => {
      await one.getByRole('heading', { name: 'GET /api/cli/tasks/none' }).waitFor()
      return [
        await one.getByRole('group', { name: 'Status' }).getByRole('button', { pressed: true }).innerText(),
        await one.locator('.list').getByRole('option').count(),
      ]
    }
    await page.reload()
    await expect.poll(() => shown()).toEqual(['4xx', 1])
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByRole('heading', { name: 'Timeline of runs' }).waitFor()
    await page.goBack()
    await expect.poll(() => shown()).toEqual(['4xx', 1])
    const other = await page.context().newPage()
    await other.goto(link)
    await expect.poll(() => shown(other)).toEqual(['4xx', 1])
  })

  test('a request is copied, sent again, edited and sent', async () => {
    const { page, go, send, mock } = await openPage({ expected: /400/ })
    await send('POST', '/tasks', { text: 'Once' })
    await go('requests')
    await page.locator('.list').getByRole('option').first().click()
    for (const [name, part] of [
      ['Copy curl', 'curl'],
      ['Copy HAR', '"log"'],
      ['Copy TypeScript test', 'test('],
    ] as const) {
      await page.locator('summary').getByText('Copy', { exact: true }).click()
      await page.getByRole('button', { name }).click()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(part)
      if (part === 'curl')
        expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Bearer wak_test_demo"')
    }
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => mock.journal.count({ operation: 'createTask' })).toBe(2)
    await page.getByRole('button', { name: 'Edit and send' }).click()
    await page.getByLabel('Body', { exact: true }).fill('{"text":"Edited"}')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(() => mock.journal.count({ body: 'Edited' })).toBe(1)
    await page.getByText('#3 ·').waitFor()
    const edit = async (label: string, text: string) => {
      if (!(await page.getByLabel(label, { exact: true }).isVisible()))
        await page.getByRole('button', { name: 'Edit and send' }).click()
      await page.getByLabel(label, { exact: true }).fill(text)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
    }
    await edit('Headers', 'x-a: 1\nx-b: \u2603')
    await page.getByText('Send: 400 headers.x-b: takes characters that a header can carry').waitFor()
    await edit('Headers', 'x-a: 1\nX-A: 2')
    await expect.poll(() => mock.journal.entries()[3]?.request.headers['x-a']).toBe('1, 2')
    await page.getByText('#4 ·').waitFor()
    await edit('Body', '')
    await page.getByText('#5 ·').waitFor()
    expect(mock.journal.entries()[4]).toMatchObject({ request: { body: null }, status: 400 })
  })

  test('without its first key an organization is reset by the page, and shown with the next one, if any', async () => {
    const { page, go } = await openPageAtView('data?kind=keys')
    await page.getByLabel('Name').fill('CI')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const line = page.locator('.copy-line').filter({ hasText: 'new secret' })
    const secret = await line.locator('code').innerText()
    const key = page
      .getByRole('region', { name: 'Variant and routes' })
      .locator('.copy-line', { hasText: 'key' })
    for (const [name, shown] of [
      ['First key', [secret]],
      ['CI', []],
    ] as const) {
      await go('data?kind=keys')
      await page.getByRole('button', { name: `Delete the key ${name}` }).click()
      await page.getByText(`Deleted the key ${name}`).waitFor()
      await go('overview')
      await expect.poll(() => key.locator('code').allInnerTexts()).toEqual(shown)
    }
    await page.getByRole('button', { name: 'Reset demo' }).click()
    await page.getByText('demo is as it began').waitFor()
    await expect.poll(() => key.locator('code').innerText()).toBe('wak_test_demo')
  })

  test('the secret of a created key is shown once, and works', async () => {
    const { page, url, go } = await openPageAtView('data?kind=keys')
    await page.getByLabel('Name').fill('CI')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const line = page.locator('.copy-line').filter({ hasText: 'new secret' })
    const secret = await line.locator('code').innerText()
    const answer = await fetch(`${url}/api/cli/whoami`, { headers: { authorization: `Bearer ${secret}` } })
    expect(answer.status).toBe(200)
    await go('requests?n=2')
    await page.getByRole('heading', { name: 'POST /api/cli/keys' }).waitFor()
    expect(await page.content()).not.toContain(secret)
    await go('data?kind=keys')
    await page.getByRole('link', { name: 'CI', exact: true }).waitFor()
    expect(await page.content()).not.toContain(secret)
  })

  test('quirks and chaos are set for an organization that exists, and an answer names its quirks', async () => {
    const { page, go, send } = await openPageWithTasks('break')
    await page.getByLabel('Quirks: seed or ids').fill('extra-fields')
    await page.getByLabel('Chaos: share').selectOption('')
    await page.getByRole('button', { name: 'Set for demo' }).click()
    await page.getByText('demo: chaos off, quirks extra-fields').waitFor()
    expect((await send<{ items: object[] }>('GET', '/tasks')).items.length).toBeGreaterThanOrEqual(3)
    await go('requests?n=6')
    const why = page.getByRole('region', { name: 'Why this answer' })
    await why.getByText('extra-fields:').waitFor()
    await go('break?chaos=1&cseed=9')
    await page.getByRole('button', { name: 'Set for demo' }).click()
    await page.getByText('demo: chaos 1, quirks off').waitFor()
    await go('break?quirks=my%20seed')
    await page.getByText("npm start -- --strict-client 'my seed'").waitFor()
  })

  test('all rules are removed, also those of the start; an Undo that fails can be tried again', async () => {
    const { page, go, mock } = await openPageAtView('break', {
      expected: /410/,
      options: { fault: 'getTask=503', force: 'busy@runTask' },
    })
    await page.getByRole('button', { name: 'Remove all rules' }).click()
    await page.getByText('Removed 2 rules').waitFor()
    expect(mock.faults.list()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => mock.faults.list()).toHaveLength(2)
    await go('overview')
    const credits = page.getByRole('region', { name: 'Credits' }).locator('.huge')
    await page.getByRole('button', { name: 'Zero' }).click()
    await expect.poll(() => credits.innerText()).toBe('0 credits')
    await page.evaluate(() => location.assign('#/overview?at=1'))
    await page.getByText('As it was right after request').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alert').getByText('Undo: Set to zero: this is an earlier moment').waitFor()
    await page.getByRole('button', { name: 'Back to now' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => credits.innerText()).toBe('25 credits')
  })

  test('lines to copy make control calls of a mock with an admin token', async () => {
    const { page, url, send } = await openPage()
    await send('GET', '/whoami')
    await page.goto(`${url}/?token=t#/break`)
    await page.locator('code', { hasText: `${url}/__admin/faults?org_id=` }).waitFor()
    expect(await page.locator('code', { hasText: '&token=t' }).count()).toBeGreaterThan(0)
    await page.goto(`${url}/?token=t#/requests?n=1`)
    await page.locator('summary').getByText('Copy', { exact: true }).click()
    await page.getByRole('button', { name: 'Copy curl' }).click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied).toContain('/__admin/restore?token=t')
  })

  test('a failed action is shown until it is closed, or attempted again', async () => {
    const { page, mock } = await openPageAtView('tasks', { expected: /503/ })
    await page.getByRole('textbox', { name: 'New task' }).waitFor()
    mock.faults.add('createTask=503;times=2')
    await page.getByRole('textbox', { name: 'New task' }).fill('Fails twice')
    const create = () => page.getByRole('button', { name: 'Create' }).click()
    const alert = page.getByRole('alert')
    await create()
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/^Create a task: 503 unavailable/)
    await alert.getByRole('button', { name: 'Close this notice' }).click()
    await expect.poll(() => alert.count()).toBe(0)
    await create()
    await alert.waitFor()
    await create()
    await expect.poll(() => alert.count(), { timeout: 5_000 }).toBe(0)
  })

  test('a link that was cut off restores nothing', async () => {
    const { page, go } = await openPage({ expected: /400/ })
    await go('travel?state=q1Yq')
    await page.getByText('This link holds no state, or was cut off').waitFor()
    expect(await page.getByRole('button', { name: 'Restore' }).isEnabled()).toBe(false)
  })

  test('the first paint comes soon: no more than a few times as late as that of a bare page', async () => {
    const { page, url, send } = await openPage({ foreign: true })
    await send('GET', '/whoami')
    const server = createServer((_, response) => response.end('<!doctype html><h1>Bare</h1>'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const bare = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const paintOf = async (address: string) => {
      await page.goto(address)
      const painted = () =>
        page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
      await expect.poll(painted).toBeGreaterThan(0)
      return painted()
    }
    // Other work on the machine only delays: the quickest of several count, and more are tried if they were all disturbed.
    let [ofBare, ofPage] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < 3 || (round < 12 && ofPage / ofBare >= 6); round++) {
      ofBare = Math.min(ofBare, await paintOf(bare))
      ofPage = Math.min(ofPage, await paintOf(`${url}/`))
    }
    console.log(`first paint after ${Math.round(ofPage)} ms; a bare page after ${Math.round(ofBare)} ms`)
    expect(ofPage).toBeLessThan(2_000)
    expect(ofPage / ofBare).toBeLessThan(6)
  })

  test('its frame is painted without the script', async () => {
    const { page, go, send } = await openPage({ expected: /ERR_/ })
    await send('GET', '/whoami')
    await page.route('**/page.js', (route) => route.abort())
    await go('overview')
    await page.getByRole('link', { name: 'Requests' }).waitFor()
    expect(await page.getByRole('status').first().innerText()).toBe('Connecting')
    const shell = await page.getByRole('navigation').boundingBox()
    await page.unroute('**/page.js')
    await page.reload()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await page.getByRole('navigation').boundingBox()).toEqual(shell)
  })
})
