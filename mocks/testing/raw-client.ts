/** A client for tests of unusual responses: it accepts any JSON. */
import { type OperationId, routeOf } from '#contract/operation.ts'
import { type RequestInput, requestFor, type Served } from './client.ts'

/** A response. */
export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown> & { readonly task?: Record<string, unknown> }
  readonly text: string
}

/** Creates a client of the organization with a name. */
export function rawClient(mock: Pick<Served, 'fetch' | 'credentials'>, name?: string) {
  const { apiKey, sessionCookie } = mock.credentials(name)
  const credentials = { key: { authorization: `Bearer ${apiKey}` }, cookie: { cookie: sessionCookie } }

  async function call(operation: OperationId, input: RequestInput = {}): Promise<RawResponse> {
    const { auth, method } = routeOf(operation)
    const { body, ...rest } = input
    const sent = method === 'GET' || body === undefined ? rest : { ...rest, body }
    const response = await mock.fetch(requestFor(operation, sent, credentials[auth]))
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: JSON.parse(text), text }
  }

  return {
    call,
    /** Creates a task and returns its id. */
    async newTask(text = 'Say hello'): Promise<string> {
      return String((await call('createTask', { body: { text } })).body.task?.id)
    },
  }
}
