/** Entry point for tests in Node: a mock, with handlers for msw if it is installed. */
import type { HttpHandler } from 'msw'
import { z } from 'zod'
import { callbackSchema, createStrictObjectSchema, parseOrThrow } from '#contract/input/checked.ts'
import { createMock as createPlainMock, type Mock as PlainMock } from './app.ts'
import { mockOptionsSchema } from './config/options.ts'
import { createMswHandlers } from './edges/fetch.ts'
import { type Address, listen, listenFieldSchemas } from './edges/http.ts'
import type { MockOptions } from './scenarios/index.ts'

export { type Address, type Listener, listen } from './edges/http.ts'
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
  return Object.assign(mock, {
    handlers: (baseUrl: string) => createMswHandlers(loadMsw().http, mock, baseUrl),
  })
}

/** Loads the copy of msw that tests import; it is an optional peer dependency. */
function loadMsw(): typeof import('msw') {
  try {
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)('msw')
  } catch (cause) {
    throw new Error('handlers() needs msw, which is not installed: npm install --save-dev msw', { cause })
  }
}

/** A mock that listens on a port, with credentials for it. */
export type RunningMock = ReturnType<PlainMock['credentials']> & {
  readonly mock: PlainMock
  /** Its URL, such as `http://127.0.0.1:41234`, without a trailing slash. */
  readonly url: string
}

/** The values of options pass unchecked: `createMock` parses them. */
const input = createStrictObjectSchema({
  ...Object.fromEntries(
    Object.keys(mockOptionsSchema.shape).map((option) => [option, z.unknown().optional()]),
  ),
  ...listenFieldSchemas,
})

/**
 * Calls `use` with a mock that listens on a free port of 127.0.0.1, and returns its result. The listener is closed
 * whatever happens. @throws the first internal error of the mock, if there was one.
 */
export async function withMock<T>(
  given: MockOptions & Pick<Address, 'port' | 'host'>,
  use: (running: RunningMock) => T | Promise<T>,
): Promise<T> {
  const { port, host, ...options } = parseOrThrow('withMock', input, given)
  parseOrThrow('withMock', callbackSchema, use)
  const mock = createPlainMock(options as MockOptions)
  const { url, close } = await listen(mock, { port, host })
  try {
    const result = await use({ mock, url, ...mock.credentials() })
    if (mock.bugs.length > 0) throw mock.bugs[0]
    return result
  } finally {
    await close()
  }
}
