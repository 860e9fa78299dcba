/** msw handlers for a mock: one for each route, plain `HttpHandler`s that work in msw 2 and 3. */
import type { HttpHandler, http } from 'msw'
import { operationIds, routeOf } from '#contract/operation.ts'

/** What the handlers need of a mock. */
export interface Answerer {
  fetch(request: Request): Promise<Response>
}

/**
 * Handlers that answer requests to `baseUrl` (which may have a path) from the mock, and one more for the
 * images of generated creatives. `make` is the `http` of the msw that is to use them.
 */
export function handlersWith(make: typeof http, mock: Answerer, baseUrl: string): HttpHandler[] {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  // msw knows one network error; whatever a fault does to a connection becomes that.
  const answer = ({ request }: { request: Request }) =>
    mock.fetch(withoutPrefix(request, prefix)).catch(() => Response.error())
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
