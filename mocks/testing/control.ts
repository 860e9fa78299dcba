/** A client of the control routes for tests: checks every response against the declaration of its route. */

import { isDeepStrictEqual } from 'node:util'
import { controlRoutesAt } from '../edges/admin/index.ts'
import { acknowledgedSchema } from '../edges/admin/route.ts'
import { type MockForTestClient, testOrigin } from './client.ts'

/** The optional parts of a control call in a test; `query` starts with `?`. */
export interface ControlCallOptions {
  readonly body?: unknown
  readonly query?: string
  readonly headers?: Record<string, string>
}

/**
 * Creates a client of the control routes, which checks each response. With a key, its calls concern the organization of
 * that key alone.
 */
export function createControlClient(mock: Pick<MockForTestClient, 'fetch'>, apiKey?: string) {
  const credential = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

  /** Makes a call such as `PUT /clock`. @throws Error if the route does not declare the success. */
  async function call(what: string, { body, query = '', headers }: ControlCallOptions = {}) {
    const [method = '', path = ''] = what.split(' ')
    const response = await mock.fetch(
      new Request(`${testOrigin}/__admin${path}${query}`, {
        method,
        headers: { ...credential, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const json = await response.json()
    if (response.ok) checkDeclared(method, path, json)
    return { status: response.status, body: json }
  }

  /** Makes a call and returns the body of its success. @throws Error if it fails. */
  async function done(what: string, input?: ControlCallOptions) {
    const { status, body } = await call(what, input)
    if (status !== 200) throw new Error(`${what} returned ${status}: ${body.title}`)
    return body
  }

  return { call, done }
}

function checkDeclared(method: string, path: string, json: unknown): void {
  const route = controlRoutesAt(path).find((one) => one.method === method)
  const { data, error } = (route?.answer ?? acknowledgedSchema).safeParse(json)
  if (!isDeepStrictEqual(data, json))
    throw new Error(`${method} ${path} does not return what it declares: ${error ?? JSON.stringify(data)}`)
}
