/** The page of a mock in a real browser, for one test. What it complains about or loads from elsewhere fails the test. */
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { Mock } from '#mocks/app.ts'
import { createMock } from '#mocks/index.ts'
import type { MockOptions } from '#mocks/scenarios/settings.ts'
import { launch } from '#mocks/testing/browser.ts'
import { listening } from '#mocks/testing/listening.ts'

/** Sends a request of the demo organization, or of another one; returns the JSON of the answer. */
export type Send = <Answer>(method: string, path: string, body?: unknown, name?: string) => Promise<Answer>

/** What a test opens. */
interface Opened {
  readonly mock: Mock
  readonly page: Page
  readonly url: string
  readonly send: Send
  /** Opens a view. */
  go(view?: string): Promise<void>
}

/** How a browser is set up. */
interface Setup {
  readonly options?: MockOptions
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Complaints that the test expects. */
  readonly expected?: RegExp
  /** Whether the page may be opened at another address than that of the mock. */
  readonly foreign?: boolean
}

/** Returns a function that opens the page; one browser serves all tests of the file. */
export function browserPage(): (setup?: Setup) => Promise<Opened> {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  return async ({
    options,
    width = 1280,
    height = 800,
    colorScheme = 'light',
    expected,
    foreign: allowed,
  } = {}) => {
    const mock = createMock({ seed: 'page', rateLimit: 'off', ...options })
    const { url, send: request } = await listening(mock)
    const context = await browser.newContext({ viewport: { width, height }, colorScheme })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
    const page = await context.newPage()
    const complaints: string[] = []
    const foreign: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (one) => {
      if (!/^(blob:|data:,)/.test(one.url()) && !one.url().startsWith(url)) foreign.push(one.url())
    })
    onTestFinished(async () => {
      await context.close()
      expect(complaints.filter((text) => !expected?.test(text))).toEqual([])
      if (!allowed) expect(foreign).toEqual([])
      expect(mock.bugs).toEqual([])
    })
    const send: Send = async (method, path, body, name) => {
      const key = mock.credentials(name).apiKey
      const { text } = await request(method, `/api/cli${path}`, { key, ...(body !== undefined && { body }) })
      return JSON.parse(text || 'null')
    }
    return {
      mock,
      page,
      url,
      send,
      go: async (view = '') => void (await page.goto(`${url}/#/${view}`)),
    }
  }
}

/** A few tasks of the demo organization, one of them run. */
export async function fill(send: Send): Promise<string[]> {
  const ids: string[] = []
  for (const text of ['Write a launch plan', 'Compare three competitors', 'Draft the newsletter']) {
    const { task } = await send<{ task: { id: string } }>('POST', '/tasks', { text })
    ids.push(task.id)
  }
  await send('POST', `/tasks/${ids[0]}/run`)
  await send('GET', '/tasks/none')
  return ids
}
