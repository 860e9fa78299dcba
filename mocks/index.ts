/** Entry point for tests in Node: a mock, with handlers for msw if it is installed. */
import type { HttpHandler } from 'msw'
import { createMock as createPlainMock, type Mock as PlainMock } from './app.ts'
import { handlersWith } from './edges/msw.ts'
import type { MockOptions } from './scenarios/index.ts'

export { type Address, type Listener, listen } from './edges/http.ts'
export { type RunningMock, withMock } from './with-mock.ts'
export type { MockOptions }

/** A mock for tests. */
export interface Mock extends PlainMock {
  /**
   * msw handlers for requests to `baseUrl`.
   * @throws Error if msw is not installed; TypeError if `baseUrl` is not an http or https URL.
   */
  handlers(baseUrl: string): HttpHandler[]
}

/**
 * Creates a mock: `fetch`, `handlers(baseUrl)`, `clock`, `faults`, `journal`, `reset()`. Mocks share no state.
 * @throws TypeError that names every invalid option.
 */
export function createMock(options: MockOptions = {}): Mock {
  const mock = createPlainMock(options)
  return Object.assign(mock, { handlers: (baseUrl: string) => handlersWith(loadMsw().http, mock, baseUrl) })
}

/** Loads the copy of msw that tests import; it is an optional peer dependency. */
function loadMsw(): typeof import('msw') {
  try {
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)('msw')
  } catch (cause) {
    throw new Error('handlers() needs msw, which is not installed: npm install --save-dev msw', { cause })
  }
}
