/** The embedded mock as a target: without a socket, and with a clock that advances when the suite waits. */
import { createMock, type Mock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { bodyBytesOf } from '#traffic/malformed-input.ts'
import { streamInHalves, type Target } from '../client/target.ts'
import type { OperatorAccess } from '../harness/terms.ts'
import { withVirtualClock } from './virtual-time.ts'

const baseUrl = 'http://embedded-mock.invalid'

/**
 * Creates a mock in this process, with a target for it and the credentials that let the suite exercise every
 * requirement.
 */
export function createEmbeddedMock(
  options: MockOptions = {},
  create: (options: MockOptions) => Mock = createMock,
): {
  mock: Mock
  target: Target
  access: OperatorAccess
} {
  const { now = Date.now() } = options
  const mock = create({ credits: 40, rateLimit: 'off', ...options, now })
  // The clock starts at `now` however long the creation took, so that a run repeats exactly.
  mock.clock.freeze(now)
  const credentials = mock.credentials()
  return {
    mock,
    access: {
      ...credentials,
      ...freshCredentialPatterns(credentials),
      statesUrl: `${baseUrl}/__admin/states`,
    },
    target: withVirtualClock(
      {
        baseUrl,
        transport: (url, { method, headers: given, body, signal, fresh, secondHalf }) => {
          // HTTP clients say that there is no body, unless they are told to leave the length out.
          const { 'content-length': length = method === 'POST' && body === undefined && '0', ...others } =
            given
          const headers = {
            ...others,
            ...(fresh && { connection: 'close' }),
            ...(length && { 'content-length': length }),
          }
          const init: RequestInit = { method, headers }
          if (body !== undefined) init.body = bodyBytesOf(body)
          if (body !== undefined && secondHalf)
            Object.assign(init, {
              body: streamInHalves(Buffer.from(bodyBytesOf(body)), secondHalf),
              duplex: 'half',
            })
          if (signal) init.signal = signal
          return mock.fetch(new Request(url, init))
        },
        close: async () => undefined,
      },
      mock.clock,
    ),
  }
}

/** Patterns for the credentials of unused organizations of a mock, in which `*` stands for any text. */
export const freshCredentialPatterns = ({
  apiKey,
  sessionCookie,
}: {
  readonly apiKey: string
  readonly sessionCookie: string
}) => ({ freshKeys: `${apiKey}-*`, freshSessions: `${sessionCookie}-*` }) as const
