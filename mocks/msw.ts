/** Entry point for msw in Node and in browsers: handlers for a mock. */
import { type HttpHandler, http } from 'msw'
import { type FetchHandler, handlersWith } from './edges/msw.ts'

/**
 * Creates msw handlers that pass requests to `baseUrl` to a mock; they work with `setupServer` and `setupWorker`, in
 * msw 2 and 3. To log a page in, set `document.cookie = mock.credentials().sessionCookie`, or set this cookie in a
 * login handler of your own.
 */
export function handlers(mock: FetchHandler, baseUrl: string): HttpHandler[] {
  return handlersWith(http, mock, baseUrl)
}

export { createMock, type Mock } from './app.ts'
export type { MockOptions } from './scenarios/settings.ts'
