/** A client of the control routes for the mock's own tests: holds every answer against what its route declares. */

import { controlRoutes } from '../edges/admin/index.ts'
import { acknowledged, type ControlRoute } from '../edges/admin/route.ts'
import { origin } from './client.ts'

/** What a client of control routes needs of a mock. */
interface Served {
  fetch(request: Request): Promise<Response>
}

/** A control call; `query` begins with `?`. */
export interface Asked {
  readonly body?: unknown
  readonly query?: string
  readonly headers?: Record<string, string>
}

export type Control = ReturnType<typeof controlOf>

/** A client of control routes; with a key it is about the organization of that key alone. */
export function controlOf(mock: Served, apiKey?: string) {
  const credential = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

  /** Asks, such as `PUT /clock`; a success that the route does not declare is an error. */
  async function ask(what: string, { body, query = '', headers }: Asked = {}) {
    const [method = '', path = ''] = what.split(' ')
    const response = await mock.fetch(
      new Request(`${origin}/__admin${path}${query}`, {
        method,
        headers: { ...credential, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const json = await response.json()
    if (response.ok) declared(method, path, json)
    return { status: response.status, body: json }
  }

  /** The body of a success. */
  async function done(what: string, asked?: Asked) {
    const { status, body } = await ask(what, asked)
    if (status !== 200) throw new Error(`${what} answered ${status}: ${body.title}`)
    return body
  }

  return { ask, done }
}

function declared(method: string, path: string, json: unknown): void {
  const route = routeOf(method, path)
  const result = (route?.answer ?? acknowledged).safeParse(json)
  const told = result.success ? JSON.stringify(sorted(result.data)) : String(result.error)
  if (told !== JSON.stringify(sorted(json)))
    throw new Error(`${method} ${path} does not answer as it declares: ${told}`)
}

/** The route of a path such as `/faults/f1`. */
export function routeOf(method: string, path: string): ControlRoute | undefined {
  return controlRoutes.find(
    (one) => one.method === method && new RegExp(`^${one.path.replace(':id', '[^/]+')}$`).test(path),
  )
}

/** The same JSON with its fields in alphabetical order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}
