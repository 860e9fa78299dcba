/** A client for tests of what is surprising: it takes whatever comes, as JSON. */
import { type OperationId, routeOf } from '#contract/operation.ts'
import { type Asked, requestFor, type Served } from './client.ts'

/** What came back. */
export interface Heard {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown> & { readonly task?: Record<string, unknown> }
  readonly text: string
}

/** Speaks for the organization of a name. */
export function speaker(mock: Pick<Served, 'fetch' | 'credentials'>, name?: string) {
  const { apiKey, sessionCookie } = mock.credentials(name)
  const credentials = { key: { authorization: `Bearer ${apiKey}` }, cookie: { cookie: sessionCookie } }

  async function ask(operation: OperationId, asked: Asked = {}): Promise<Heard> {
    const { auth, method } = routeOf(operation)
    const { body: said, ...rest } = asked
    const sent = method === 'GET' || said === undefined ? rest : { ...rest, body: said }
    const response = await mock.fetch(requestFor(operation, sent, credentials[auth]))
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: JSON.parse(text), text }
  }

  return {
    ask,
    /** Creates a task and answers its id. */
    async newTask(text = 'Say hello'): Promise<string> {
      return String((await ask('createTask', { body: { text } })).body.task?.id)
    },
  }
}
