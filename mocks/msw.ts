/** Entry for msw, in Node and in the browser: handlers for a mock. */
import { type HttpHandler, http } from 'msw'
import { type Answerer, handlersWith } from './edges/msw.ts'

/**
 * msw handlers that answer requests to `baseUrl` from a mock; they work with `setupServer` and
 * with `setupWorker`, in msw 2 and 3. A page is logged in by `document.cookie = mock.credentials().sessionCookie`,
 * or by a login handler of its own that sets this cookie.
 */
export function handlers(mock: Answerer, baseUrl: string): HttpHandler[] {
  return handlersWith(http, mock, baseUrl)
}

export { createMock, type Mock } from './app.ts'
export type { MockOptions } from './config/options.ts'
