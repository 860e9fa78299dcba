/** The script of a page with its own mock; browser tests bundle it and control the page. */
import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'
import { createMock, handlers } from '../msw.ts'

const api = 'https://api.example/base'

const mock = createMock({ credits: 1 })
const worker = setupWorker(...handlers(mock, api), ...handlers(mock, location.origin))

/** Sends a request and returns the status and body of its response. */
async function call(
  url: string,
  init: RequestInit & { json?: object } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url, init.json ? { ...init, body: JSON.stringify(init.json) } : init)
  return { status: response.status, body: await response.json() }
}

/** What tests use on the page. */
const pageTools = { http, HttpResponse, worker, mock, api, call }

declare global {
  /** The API of the page for tests. */
  var tools: typeof pageTools
}

await worker.start({ quiet: true })
globalThis.tools = pageTools
