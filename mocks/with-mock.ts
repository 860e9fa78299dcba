/** Runs a function with a mock behind a listener, and closes it afterwards. */
import { z } from 'zod'
import { callback, checked, fields } from '#contract/input/checked.ts'
import { createMock, type Mock } from './app.ts'
import { mockOptions } from './config/options.ts'
import { type Address, listen, placeInput } from './edges/http.ts'
import type { MockOptions } from './scenarios/index.ts'

/** A mock that listens, and credentials for it. */
export type RunningMock = ReturnType<Mock['credentials']> & {
  readonly mock: Mock
  /** Its URL, such as `http://127.0.0.1:41234`, without a trailing slash. */
  readonly url: string
}

/** `createMock` reads the options. */
const input = fields({
  ...Object.fromEntries(Object.keys(mockOptions.shape).map((option) => [option, z.unknown().optional()])),
  ...placeInput,
})

/**
 * Calls `use` with a mock that listens on a free port of 127.0.0.1, and returns its result. The listener is closed
 * whatever happens. @throws the first internal error of the mock, if there was one.
 */
export async function withMock<T>(
  given: MockOptions & Pick<Address, 'port' | 'host'>,
  use: (running: RunningMock) => T | Promise<T>,
): Promise<T> {
  const { port, host, ...options } = checked('withMock', input, given)
  checked('withMock', callback, use)
  const mock = createMock(options as MockOptions)
  const { url, close } = await listen(mock, { port, host })
  try {
    const result = await use({ mock, url, ...mock.credentials() })
    if (mock.bugs.length > 0) throw mock.bugs[0]
    return result
  } finally {
    await close()
  }
}
