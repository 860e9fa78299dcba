/** The mock behind msw: requests leave by the global fetch and are intercepted in the process. */
import { setupServer } from 'msw/node'
import { createMock, type MockOptions } from '#mocks/index.ts'
import { bytesOf } from '#traffic/odd-input.ts'
import type { Target } from '../client/target.ts'
import type { Access } from '../harness/terms.ts'
import { inVirtualTime } from './virtual-time.ts'

const baseUrl = 'https://work-agent.invalid/v1'

/** A mock as msw handlers under a base URL with a path. */
export function mswTarget(options: MockOptions = {}): {
  target: Target
  access: Access
} {
  const mock = createMock({ credits: 40, rateLimit: 'off', now: Date.now(), ...options })
  mock.clock.freeze()
  const server = setupServer(...mock.handlers(baseUrl))
  server.listen({ onUnhandledFrame: 'error' })
  const statesUrl = 'http://embedded-mock.invalid/__admin/states'
  const credentials = mock.credentials()
  return {
    access: { ...credentials, statesUrl },
    target: inVirtualTime(
      {
        baseUrl,
        transport(url, { method, headers, body, signal }) {
          const init: RequestInit = {
            method,
            headers,
            ...(body === undefined ? {} : { body: bytesOf(body) }),
            ...(signal ? { signal } : {}),
          }
          return url === statesUrl ? mock.fetch(new Request(url, init)) : fetch(url, init)
        },
        close: async () => server.close(),
      },
      mock.clock,
    ),
  }
}
