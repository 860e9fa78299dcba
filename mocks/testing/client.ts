/** A client for tests: sends requests by operation id, and checks every response against the contract. */
import { type AnswerOf, type OperationId, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { Mock } from '../app.ts'
import { violationsOf } from './conformity.ts'

/** Parts of a request; all are optional. */
export interface RequestInput {
  /** The `:id` of the path, before percent-encoding. */
  readonly id?: string | number
  /** Sent as JSON. */
  readonly body?: unknown
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  /** The credential to send; default: the one that the operation requires. */
  readonly as?: 'key' | 'cookie' | 'nobody'
  /** The variant to request with a `Prefer` header. */
  readonly prefer?: Variant
}

/** A response. The body is typed as a success; that of an error has `error` and `message`. */
export interface Reply<O extends OperationId> {
  readonly status: number
  readonly headers: Headers
  readonly body: AnswerOf<O>
  readonly text: string
}

/** The part of a mock that a client uses. */
export interface Served {
  fetch(request: Request): Promise<Response>
  credentials(name?: string): { apiKey: string; sessionCookie: string }
  readonly settings: { readonly variant: Variant }
}

/** A client of one organization. */
export type Client = ReturnType<typeof clientOf>

/** Creates a client of the organization with a name. */
export function clientOf(mock: Served, name?: string) {
  const raw = rawClient(mock, name)

  /** Sends a request. @throws Error if the contract does not allow the response. */
  async function call<O extends OperationId>(operation: O, input: RequestInput = {}): Promise<Reply<O>> {
    const reply = await raw.call(operation, input)
    const { status, headers, body } = reply
    const variant = input.prefer ?? mock.settings.variant
    const violations = violationsOf({
      operation,
      variant,
      status,
      body,
      reason: headers.get('x-mock-reason'),
    })
    if (violations.length > 0) throw new Error(violations.join('\n'))
    return reply as unknown as Reply<O>
  }

  /** Sets up or tears down a provider state of this organization; returns the status. */
  async function state(
    name: string,
    params: Record<string, unknown> = {},
    action: 'setup' | 'teardown' = 'setup',
  ): Promise<number> {
    const org_id = await orgId()
    const body = JSON.stringify({ state: name, params: { org_id, ...params }, action })
    const response = await mock.fetch(new Request(`${origin}/__admin/states`, { method: 'POST', body }))
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
    /** Returns the spendable credits. */
    credits: async () => (await call('whoami')).body.credits,
    /** Creates a task and returns its id. */
    newTask: async (text = 'Say hello') =>
      String((await call('createTask', { body: { text } })).body.task.id),
    /** Polls a task: returns its status and whether it is finished. */
    poll: async (task: string) => {
      const { body } = await call('getTask', { id: task })
      return { status: body.task.status, finished: body.finished }
    },
  }
}

/** The origin of requests; the mock accepts any host. */
export const origin = 'http://mock.test'

/** Creates a request for an operation. */
export function requestFor(
  operation: OperationId,
  input: RequestInput,
  credential: Record<string, string>,
  base: string = origin,
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

/** A response. */
export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown> & { readonly task?: Record<string, unknown> }
  readonly text: string
}

/** Creates a client of the organization with a name, which takes any response. */
export function rawClient(mock: Pick<Served, 'fetch' | 'credentials'>, name?: string) {
  const { apiKey, sessionCookie } = mock.credentials(name)
  const credentials = {
    key: { authorization: `Bearer ${apiKey}` },
    cookie: { cookie: sessionCookie },
    nobody: {},
  }

  async function call(operation: OperationId, input: RequestInput = {}): Promise<RawResponse> {
    const { auth, method } = routeOf(operation)
    const { body: _, ...bodiless } = input
    const sent = method === 'GET' ? bodiless : input
    const response = await mock.fetch(requestFor(operation, sent, credentials[input.as ?? auth]))
    const { status, headers } = response
    const text = await response.text()
    return { status, headers, body: JSON.parse(text), text }
  }

  return {
    call,
    /** Creates a task and returns its id. */
    newTask: async (text = 'Say hello') =>
      String((await call('createTask', { body: { text } })).body.task?.id),
  }
}

/** Sends the requests and returns the responses. */
export async function probe(mock: Mock, name?: string) {
  const { call, newTask } = rawClient(mock, name)
  const created = await call('createTask', { body: { text: 'a' } })
  const id = String(created.body.task?.id)
  const responses = {
    created,
    whoami: await call('whoami'),
    ran: await call('runTask', { id }),
    early: await call('getTask', { id }),
    listed: await call('listTasks'),
    invalid: await call('createTask', { body: { text: 1 } }),
    limited: await call('whoami', { headers: { prefer: 'code=429' } }),
    failed: await call('whoami', { headers: { prefer: 'code=500' } }),
    key: await call('createKey', { body: { name: 'CI' } }),
    second: await call('runTask', { id: await newTask() }),
  }
  mock.clock.advance(2_000)
  return { ...responses, later: await call('getTask', { id }) }
}

/** The responses of a probe. */
export type ProbeResult = Awaited<ReturnType<typeof probe>>

/** Returns the task in a response; an empty object if there is none. */
export const taskIn = ({ body }: Pick<RawResponse, 'body'>): Record<string, unknown> => body.task ?? {}
