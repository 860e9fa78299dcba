/** The embedded mock as a target: no socket, and its time moves as the suite waits. */
import { createMock, type Mock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/config/options.ts'
import type { Target } from '../client/target.ts'
import type { Access } from '../harness/settings.ts'

const baseUrl = 'http://embedded-mock.invalid'

/** A mock, by whoever creates it, and what the suite must be told to judge all of it. */
export function embeddedMock(
  options: MockOptions = {},
  create: (options: MockOptions) => Mock = createMock,
): {
  mock: Mock
  target: Target
  access: Access
} {
  const mock = create({ credits: 40, rateLimit: 'off', now: Date.now(), ...options })
  mock.clock.freeze()
  const credentials = mock.credentials()
  return {
    mock,
    access: { ...credentials, statesUrl: `${baseUrl}/__admin/states` },
    target: {
      baseUrl,
      transport: (url, { method, headers, body, signal }) => {
        const init: RequestInit = { method, headers }
        if (body !== undefined) init.body = body
        if (signal) init.signal = signal
        return mock.fetch(new Request(url, init))
      },
      sleep: async (ms) => void mock.clock.advance(ms),
      now: () => mock.clock.now(),
      close: async () => undefined,
    },
  }
}
