/** A client for the mock's own tests: speaks by operation id, and holds every answer against the contract. */
import { type AnswerOf, type OperationId, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { breachesOf } from './conformity.ts'

/** What a request says; everything may be left out. */
export interface Asked {
  /** The `:id` of the path, before percent-encoding. */
  readonly id?: string | number
  /** Sent as JSON. */
  readonly body?: unknown
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  /** The credential to send; by default the one that the operation asks for. */
  readonly as?: 'key' | 'cookie' | 'nobody'
  /** Asked for by a `Prefer` header. */
  readonly prefer?: Variant
}

/** What came back. The body has the type of a success; that of an error has `error` and `message`. */
export interface Reply<O extends OperationId> {
  readonly status: number
  readonly headers: Headers
  readonly body: AnswerOf<O>
  readonly text: string
}

/** What a client needs of a mock. */
export interface Served {
  fetch(request: Request): Promise<Response>
  credentials(name?: string): { apiKey: string; sessionCookie: string }
  readonly settings: { readonly variant: Variant }
}

export type Client = ReturnType<typeof clientOf>

/** A client of the organization of a name. */
export function clientOf(mock: Served, name?: string) {
  const { apiKey, sessionCookie } = mock.credentials(name)
  const credentials = {
    key: { authorization: `Bearer ${apiKey}` },
    cookie: { cookie: sessionCookie },
    nobody: {},
  }

  /** Asks; an answer that the contract does not allow is an error. */
  async function ask<O extends OperationId>(operation: O, asked: Asked = {}): Promise<Reply<O>> {
    const { auth } = routeOf(operation)
    const response = await mock.fetch(requestFor(operation, asked, credentials[asked.as ?? auth]))
    const text = await response.text()
    const body = JSON.parse(text) as AnswerOf<O>
    const variant = asked.prefer ?? mock.settings.variant
    const breaches = breachesOf({ operation, variant, status: response.status, body })
    if (breaches.length > 0) throw new Error(breaches.join('\n'))
    return { status: response.status, headers: response.headers, body, text }
  }

  /** Arranges, or takes back, a provider state of this organization; answers the status. */
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
  /** Asked for once: provider states may close the road later. */
  async function orgId(): Promise<string> {
    id ??= String((await ask('whoami')).body.org.id)
    return id
  }

  return {
    ask,
    state,
    orgId,
    /** Credits that can be spent now. */
    credits: async () => (await ask('whoami')).body.credits,
    /** Creates a task and answers its id. */
    newTask: async (text = 'Say hello') => String((await ask('createTask', { body: { text } })).body.task.id),
    /** Status and finality of a task. */
    look: async (task: string) => {
      const { body } = await ask('getTask', { id: task })
      return { status: body.task.status, finished: body.finished }
    },
  }
}

/** Any host will do: the mock answers whatever the host. */
export const origin = 'http://mock.test'

/** A request for an operation. */
export function requestFor(
  operation: OperationId,
  asked: Asked,
  credential: Record<string, string>,
  base: string = origin,
): Request {
  const { method, path } = routeOf(operation)
  const query = asked.query ? `?${new URLSearchParams(asked.query)}` : ''
  const filled = path.replace(':id', encodeURIComponent(asked.id ?? 'none'))
  return new Request(base + filled + query, {
    method,
    headers: {
      ...credential,
      ...(asked.prefer && { prefer: `variant=${asked.prefer}` }),
      ...asked.headers,
    },
    ...(asked.body !== undefined && { body: JSON.stringify(asked.body) }),
  })
}
