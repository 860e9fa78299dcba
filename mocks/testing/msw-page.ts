/** What a page imports that works against a mock of its own; the tests in a browser bundle this and drive it. */
import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'
import { createMock, handlers } from '../msw.ts'

/** Not where the page comes from. */
const api = 'https://api.example/base'

const mock = createMock({ credits: 1 })
const worker = setupWorker(...handlers(mock, api), ...handlers(mock, location.origin))

/** Status and body of an answer. */
async function ask(
  url: string,
  init: RequestInit & { json?: object } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(url, init.json ? { ...init, body: JSON.stringify(init.json) } : init)
  return { status: answer.status, body: await answer.json() }
}

export const things = { http, HttpResponse, worker, mock, api, ask }

declare global {
  /** What the tests find on the page. */
  var tools: typeof things
}

await worker.start({ quiet: true })
globalThis.tools = things
