/** The script of a page with its own mock; browser tests bundle it and control the page. */
import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'
import { createMock, handlers } from '../msw.ts'

const api = 'https://api.example/base'

const mock = createMock()
const worker = setupWorker(...handlers(mock, api), ...handlers(mock, location.origin))

async function call(url: string, init: RequestInit) {
  const response = await fetch(url, init)
  return { status: response.status, body: await response.json() }
}

const pageTools = { http, HttpResponse, worker, mock, api, call }

declare global {
  var tools: typeof pageTools
}

await worker.start({ quiet: true })
globalThis.tools = pageTools
