/**
 * The page of a mock in a real browser, for one test. The test fails if the page logs an error or loads from elsewhere.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, onTestFailed, onTestFinished } from 'vitest'
import { createMock } from '#mocks/index.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { sharedTestBrowser } from '#mocks/testing/browser.ts'
import { listenUntilTestEnd } from '#mocks/testing/listening.ts'

/** A function that sends a request as the demo organization, or another one; returns the JSON of the answer. */
export type SendRequest = <Answer>(
  method: string,
  path: string,
  body?: unknown,
  name?: string,
) => Promise<Answer>

/** The options for opening a page. */
interface Setup {
  readonly options?: MockOptions
  /** Matches the errors that the test expects. */
  readonly expected?: RegExp
  /** True if the page may be opened at another address than that of the mock. */
  readonly foreign?: boolean
}

const viewport = { width: 1280, height: 800 }

let kept: Promise<Page> | undefined

/** Returns the page of this worker. A test leaves it as it found it; after a failure, the next test gets another. */
async function keptPage(): Promise<Page> {
  kept ??= sharedTestBrowser().then(async (browser) => (await browser.newContext({ viewport })).newPage())
  const page = await kept
  onTestFailed(() => {
    kept = undefined
  })
  onTestFinished(async () => {
    page.removeAllListeners()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const context = page.context()
    await Promise.all(context.pages().map((one) => (one === page ? one.goto('about:blank') : one.close())))
    await Promise.all([
      context.clearCookies(),
      context.clearPermissions(),
      page.setViewportSize(viewport),
      page.emulateMedia({ colorScheme: null }),
    ])
  })
  return page
}

/** Opens the page of a new mock in a browser. */
export async function openPage({ options, expected, foreign: allowed }: Setup = {}) {
  const mock = createMock({ seed: 'page', rateLimit: 'off', ...options })
  const { url, send: request } = await listenUntilTestEnd(mock)
  const page = await keptPage()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (one) => {
    if (!/^(blob:|data:,)/.test(one.url()) && !one.url().startsWith(url)) foreign.push(one.url())
  })
  onTestFinished(() => {
    expect(complaints.filter((text) => !expected?.test(text))).toEqual([])
    if (!allowed) expect(foreign).toEqual([])
    expect(mock.bugs).toEqual([])
  })
  const send: SendRequest = async (method, path, body, name) => {
    const key = mock.credentials(name).apiKey
    const { text } = await request(method, `/api/cli${path}`, { key, ...(body !== undefined && { body }) })
    return JSON.parse(text || 'null')
  }
  const go = async (view = '') => void (await page.goto(`${url}/#/${view}`))
  /** Makes a control call such as `PUT /clock`, as another operator would. */
  const call = (route: string, body: object = {}) => {
    const [method = '', path] = route.split(' ')
    return fetch(`${url}/__admin${path}`, { method, body: JSON.stringify(body) })
  }
  return { mock, page, url, send, go, call }
}

/** Waits until the view of the address is drawn and nothing is loading. */
export const waitUntilDrawn = (page: Page) =>
  page.waitForFunction(() => {
    const main = document.querySelector('main')
    const [, view] = /^#\/(\w+)/.exec(location.hash) ?? []
    return main?.className === (view ?? 'requests') && !main.textContent.includes('Loading')
  })

/** Creates a few tasks in the demo organization and runs one. */
export async function addTasks(send: SendRequest): Promise<string[]> {
  const ids: string[] = []
  for (const text of ['Write a launch plan', 'Compare three competitors', 'Draft the newsletter']) {
    const { task } = await send<{ task: { id: string } }>('POST', '/tasks', { text })
    ids.push(task.id)
  }
  await send('POST', `/tasks/${ids[0]}/run`)
  await send('GET', '/tasks/none')
  return ids
}

/** Opens the page in a browser at a view of the demo organization, which has sent a request. */
export async function openPageAtView(view: string, setup?: Setup) {
  const opened = await openPage(setup)
  await opened.send('GET', '/whoami')
  await opened.go(view)
  return opened
}

/** Opens the page in a browser at a view of the demo organization, which has a few tasks. */
export async function openPageWithTasks(view: string, setup?: Setup) {
  const opened = await openPage(setup)
  const tasks = await addTasks(opened.send)
  await opened.go(view)
  return { ...opened, tasks }
}

/** Opens a file by means of the file field with a label. */
export const openFile = (page: Page, label: RegExp, name: string, text: string): Promise<void> => {
  const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) }
  return page.getByLabel(label).setInputFiles(file)
}

/** Drops a file on the page. */
export async function dropFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, bytes]) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], fileName))
      return data
    },
    [name, [...Buffer.from(content)]] as const,
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer })
}

/** Addresses of the page, after `#/`, that together show every part of it; `TASK` stands for the id of a task. */
export const pageAddresses: readonly string[] = [
  'overview',
  'overview?at=3',
  '?help=1',
  'tasks',
  'tasks?task=TASK',
  'data',
  'data?id=document_dzmmg5fx0hpx5qfk',
  'data?kind=notifications',
  'data?kind=keys',
  'data?kind=creatives',
  'data?kind=landing_pages',
  'data?kind=campaigns',
  'data?kind=prospects',
  'data?kind=wallet',
  'break',
  'break?fault=delay&rate=0.5&chaos=0.1&quirks=7',
  'requests',
  'requests?n=5',
  'requests?n=5&edit=1',
  'travel',
  'travel?at=4',
  'reports',
]

/** Starts a relay from a free port to a mock, until the test ends. It can be cut, as a network can. */
export async function startRelay(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let whole = true
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname)
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    if (whole) client.pipe(server).pipe(client)
    else end()
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const cut = () => {
    whole = false
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    relay.close()
  })
  const mend = () => {
    whole = true
  }
  return { url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`, cut, mend }
}
