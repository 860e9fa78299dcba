/** In-process entry: a mock with handlers for msw. */

import type { HttpHandler } from 'msw'
import { createMock as createPlainMock, type Mock as PlainMock } from './app.ts'
import { handlers } from './edges/msw.ts'
import type { MockOptions } from './options.ts'

export type { MockOptions }

/** A mock for tests. */
export interface Mock extends PlainMock {
  /** msw handlers, one a route, for requests to `baseUrl`. */
  handlers(baseUrl: string): HttpHandler[]
}

/**
 * Creates a mock: `fetch`, `handlers(baseUrl)`, `clock`, `reset()`. It shares nothing with any other.
 * @throws TypeError that names every option that cannot be used.
 */
export function createMock(options: MockOptions = {}): Mock {
  const mock = createPlainMock(options)
  return Object.assign(mock, { handlers: (baseUrl: string) => handlers(mock, baseUrl) })
}
