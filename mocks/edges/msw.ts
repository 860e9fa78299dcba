/** msw handlers for a mock: one for each route, plain `HttpHandler`s that work in msw 2 and 3. */
import { operationIds, routeOf } from '#contract/operation.ts'

/** What the handlers need of a mock. */
export interface Answerer {
  fetch(request: Request): Promise<Response>
}

/** What msw tells of a request. */
interface Told {
  readonly request: Request
  readonly cookies: Readonly<Record<string, string>>
}

type Make<H> = (path: string, resolve: (told: Told) => Promise<Response>) => H

/** The `http` of some msw: makes handlers of its kind. */
export type Maker<H> = Readonly<Record<'get' | 'post' | 'delete', Make<H>>>

/**
 * Handlers that answer requests to `baseUrl` (which may have a path) from the mock, and one more for the
 * images of generated creatives. `make` is the `http` of the msw that is to use them.
 */
export function handlersWith<H>(make: Maker<H>, mock: Answerer, baseUrl: string): H[] {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  // msw knows one network error; whatever a fault does to a connection becomes that.
  const answer = ({ request, cookies }: Told) =>
    mock.fetch(withCookies(withoutPrefix(request, prefix), cookies)).catch(() => Response.error())
  const api = operationIds.map((operation) => {
    const { method, path } = routeOf(operation)
    return make[verbs[method]](base.origin + prefix + path, answer)
  })
  return [...api, make.get(`${base.origin}/artifacts/:org/:file`, ({ request }) => mock.fetch(request))]
}

const verbs = { GET: 'get', POST: 'post', DELETE: 'delete' } as const

/** The request as if the base URL had no path. */
function withoutPrefix(request: Request, prefix: string): Request {
  if (prefix === '') return request
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(prefix.length)
  return new Request(url, request)
}

/** The request with its cookies: no browser shows a page the header, and none lets it be set. */
function withCookies(request: Request, cookies: Told['cookies']): Request {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  // msw 2 tells of stored cookies even where none are to be sent.
  if (pairs.length === 0 || request.credentials === 'omit' || request.headers.has('cookie')) return request
  const headers = new Headers(request.headers)
  headers.set('cookie', pairs.join('; '))
  return Object.defineProperty(request, 'headers', { value: headers })
}
