/** Entry point for msw in Node and in browsers: handlers for a mock. */
import { type HttpHandler, http } from 'msw'
import { createMock as createPlainMock, type Mock } from './app.ts'
import { createMswHandlers, type MockWithFetch } from './edges/fetch.ts'
import type { MockOptions } from './scenarios/index.ts'

/**
 * Creates msw handlers that pass requests to `baseUrl` to a mock; they work with `setupServer` and `setupWorker`, in
 * msw 2 and 3. To log a page in, set `document.cookie = mock.credentials().sessionCookie`, or set this cookie in a
 * login handler of your own.
 */
export function handlers(mock: MockWithFetch, baseUrl: string): HttpHandler[] {
  return createMswHandlers(http, mock, baseUrl)
}

/** Creates a mock; mocks share no state. @throws TypeError that names every invalid option. */
export const createMock: (options?: MockOptions) => Mock = createPlainMock

export type { Mock, MockOptions }
