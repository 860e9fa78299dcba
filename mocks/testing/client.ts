/** A client for tests: sends requests by operation id, and checks every response against the contract. */

import { errorBody, failures } from '#contract/errors.ts'
import { type AnswerOf, failuresOf, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { Mock } from '../app.ts'

/** The parts of a request that a test can set; all are optional. */
export interface RequestParts {
  /** The `:id` of the path, before percent-encoding. */
  readonly id?: string | number
  /** Sent as JSON. */
  readonly body?: unknown
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  /** The credential to send; default: the one that the operation requires. */
  readonly as?: 'key' | 'cookie' | 'nobody'
  readonly prefer?: Variant
}

/** The part of a mock that a test client uses. */
export interface MockForTestClient {
  fetch(request: Request): Promise<Response>
  credentials(name?: string): { apiKey: string; sessionCookie: string }
  readonly settings: { readonly variant: Variant }
}

/**
 * Creates a client of one organization of a mock, which sends valid requests by default and checks answers against the
 * contract.
 */
export function checkedClientOf(mock: MockForTestClient, name?: string) {
  const raw = uncheckedClientOf(mock, name)

  /**
   * Sends a request. The body is typed as that of a success; that of an error has `error` and `message`.
   * @throws Error if the contract does not allow the response.
   */
  async function call<O extends OperationId>(operation: O, input: RequestParts = {}) {
    const { status, headers, body, text } = await raw.call(operation, input)
    const variant = input.prefer ?? mock.settings.variant
    const reason = headers.get('x-mock-reason')
    const violations = contractViolationsOf({ operation, variant, status, body, reason })
    if (violations.length > 0) throw new Error(violations.join('\n'))
    return { status, headers, body: body as unknown as AnswerOf<O>, text }
  }

  /** Sets up or tears down a provider state of this organization; returns the status. */
  async function state(
    name: string,
    params: Record<string, unknown> = {},
    action: 'setup' | 'teardown' = 'setup',
  ): Promise<number> {
    const org_id = await orgId()
    const body = JSON.stringify({ state: name, params: { org_id, ...params }, action })
    const response = await mock.fetch(new Request(`${testOrigin}/__admin/states`, { method: 'POST', body }))
    return response.status
  }

  let id: string | undefined
  /** Requested only once, because provider states may make the route unavailable later. */
  async function orgId(): Promise<string> {
    id ??= String((await call('whoami')).body.org.id)
    return id
  }

  return {
    call,
    state,
    orgId,
    credits: async () => (await call('whoami')).body.credits,
    newTask: async (text = 'Say hello') =>
      String((await call('createTask', { body: { text } })).body.task.id),
    poll: async (task: string) => {
      const { body } = await call('getTask', { id: task })
      return { status: body.task.status, finished: body.finished }
    },
  }
}

/** The origin of the URLs of test requests; the mock accepts any host. */
export const testOrigin = 'http://mock.test'

/** Builds a `Request` for an operation, with the headers of a credential. `base`: the URL of the mock. */
export function buildRequest(
  operation: OperationId,
  input: RequestParts,
  credential: Record<string, string>,
  base = testOrigin,
): Request {
  const { method, path } = routeOf(operation)
  const query = input.query ? `?${new URLSearchParams(input.query)}` : ''
  const filled = path.replace(':id', encodeURIComponent(input.id ?? 'none'))
  return new Request(base + filled + query, {
    method,
    headers: {
      ...credential,
      ...(input.body !== undefined && { 'content-type': 'application/json' }),
      ...(input.prefer && { prefer: `variant=${input.prefer}` }),
      ...input.headers,
    },
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
  })
}

/** A response whose body was parsed as JSON but not checked against the contract. */
export type UncheckedResponse = Awaited<ReturnType<ReturnType<typeof uncheckedClientOf>['call']>>

/** Creates a client of the organization with a name, which does not check responses against the contract. */
export function uncheckedClientOf(mock: Pick<MockForTestClient, 'fetch' | 'credentials'>, name?: string) {
  const { apiKey, sessionCookie } = mock.credentials(name)
  const credentials = {
    key: { authorization: `Bearer ${apiKey}` },
    cookie: { cookie: sessionCookie },
    nobody: {},
  }

  async function call(operation: OperationId, input: RequestParts = {}) {
    const { auth, method } = routeOf(operation)
    const { body: _, ...bodiless } = input
    const sent = method === 'GET' ? bodiless : input
    const response = await mock.fetch(buildRequest(operation, sent, credentials[input.as ?? auth]))
    const { status, headers } = response
    const text = await response.text()
    const body: Record<string, unknown> & { readonly task?: Record<string, unknown> } = JSON.parse(text)
    return { status, headers, body, text }
  }

  return {
    call,
    newTask: async (text = 'Say hello') =>
      String((await call('createTask', { body: { text } })).body.task?.id),
  }
}

/** A response, with its operation and variant. */
interface Answer {
  readonly operation: OperationId
  readonly variant: Variant
  readonly status: number
  readonly body: unknown
  /** The value of `X-Mock-Reason`. */
  readonly reason?: string | null
}

/** The ways in which a response violates the contract, in words; empty: there are none. */
export function contractViolationsOf({ operation, variant, status, body, reason }: Answer): string[] {
  if (status >= 300) {
    // A preference that the mock cannot follow is rejected on every operation.
    if (status === 400 && reason?.endsWith('; not understood')) return []
    const code = errorBody.safeParse(body).data?.error
    const declared = failuresOf(operation).map((name) => failures[name])
    if (declared.some((one) => one.code === code && one.status[variant] === status)) return []
    return [`${operation} (${variant}) returns ${status} ${JSON.stringify(body)}, which is not declared`]
  }
  const { [variant]: own, [variant === 'first' ? 'second' : 'first']: other } = routeOf(operation).answer
  const issues = own.safeParse(body).error?.issues ?? []
  const missing = Object.keys(own.shape).filter((field) => !Object.hasOwn(Object(body), field))
  const foreign = Object.keys(other.shape).filter(
    (field) => !Object.hasOwn(own.shape, field) && Object.hasOwn(Object(body), field),
  )
  return [
    ...(status === 200 ? [] : [`${operation} returns ${status}`]),
    ...issues.map(({ path, message }) => `${operation} (${variant}) ${path.join('.')}: ${message}`),
    ...missing.map((field) => `${operation} (${variant}) lacks ${field}`),
    ...foreign.map((field) => `${operation} (${variant}) has ${field} of the other variant`),
  ]
}

/** Calls `whoami` `count` times, and returns the statuses. */
export async function collectWhoamiStatuses(mock: Mock, count: number, name?: string): Promise<number[]> {
  const { call } = checkedClientOf(mock, name)
  const received: number[] = []
  for (let i = 0; i < count; i++) received.push((await call('whoami')).status)
  return received
}

const reads = operationIds.filter((id) => routeOf(id).method === 'GET' && !routeOf(id).path.includes(':id'))

/**
 * Sends a fixed sequence of requests of every kind for each organization, and collects the responses, so that two mocks
 * can be compared.
 */
export async function collectScriptedResponses(mock: Mock, names: readonly string[]): Promise<string[]> {
  const responses: string[] = []
  const send = async (request: Request) => {
    const answer = await mock.fetch(request).catch((error: Error) => error)
    if (answer instanceof Error) return void responses.push(String(answer.cause))
    const text = await answer.text()
    responses.push(JSON.stringify([answer.status, [...answer.headers], text]))
    return text.startsWith('<') ? undefined : JSON.parse(text)
  }
  for (const name of names) {
    const { apiKey, sessionCookie } = mock.credentials(name)
    const credentials = { authorization: `Bearer ${apiKey}`, cookie: sessionCookie }
    const call = (operation: OperationId, input: RequestParts = {}) =>
      send(buildRequest(operation, input, credentials))
    for (const operation of reads) await call(operation)
    for (let i = 0; i < 4; i++) {
      const id = (await call('createTask', { body: { text: `later ${i}` } }))?.task?.id ?? 'none'
      await call('runTask', { id })
      await call('getTask', { id })
      mock.clock.advance(1_700)
    }
    await call('createKey', { body: { name: 'later' } })
    await call('createDocument', { body: { title: 'Notes', folder_id: 'F' } })
    await call('createLandingPage', { body: {} })
    const creative = await call('generateCreative', { body: { prompt: 'x' } })
    if (creative?.url) await send(new Request(creative.url))
    mock.clock.advance(3_600_000)
    for (const operation of reads) await call(operation)
  }
  return responses
}
