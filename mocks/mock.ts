/** A mock as its users see it, and access to its parts for what saves or rebuilds its state. */
import type { MockSettings } from './config/options.ts'
import type { Controls, OrganizationControls } from './control/controls.ts'
import type { Fetch } from './edges/fetch.ts'
import type { RequestHandler } from './edges/request.ts'
import type { MockParts, RequestSummary } from './pipeline/service.ts'

/** A mock with its `fetch`, handlers and control methods. Mocks share no state. */
export interface Mock extends Controls {
  /**
   * A `fetch` for clients: takes what the global one takes, and returns the response to it, whatever its host.
   * @throws TypeError if a connection fault applies, as `fetch` does when a connection fails, and for an invalid URL;
   * the reason of an aborted signal.
   */
  readonly fetch: Fetch
  /** Answers a request of an edge, synchronously if possible; the edge applies the connection fault of the answer. */
  readonly handle: RequestHandler
  /** Returns the controls of one organization, by the name in its key; default: the demo organization. */
  organization(name?: string): OrganizationControls
  /** The current settings, including those of a started scenario. */
  readonly settings: MockSettings
  /**
   * Returns the credentials of an organization, which is created on first use. Organizations with different names
   * are isolated; the credentials named `other…` belong to a second one.
   */
  credentials(name?: string): {
    apiKey: string
    otherApiKey: string
    sessionCookie: string
    otherSessionCookie: string
  }
  /**
   * Calls back after every response of the API; returns a function that stops this. What the callback throws changes no
   * response: it is an uncaught error of the program.
   */
  observe(callback: (request: RequestSummary) => void): () => void
  /** Internal errors since the start. Each one is a bug of the mock. */
  readonly bugs: readonly unknown[]
}

const services = new WeakMap<Mock, MockParts>()

/** Registers the internal parts of a new mock, so that `mockPartsOf` finds them. */
export const registerMockParts = (mock: Mock, service: MockParts): unknown => services.set(mock, service)

/** Returns the internal parts of a mock, such as its journal. @throws TypeError if `createMock` did not create it. */
export function mockPartsOf(mock: Mock): MockParts {
  const service = services.get(mock)
  if (service) return service
  throw new TypeError('This is no mock of createMock.')
}
