/** msw handlers for a mock: plain `HttpHandler`s that work in msw 2 and 3. */

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
export type Maker<H> = Readonly<Record<'all' | 'get', Make<H>>>

/**
 * Handlers that answer requests to `baseUrl` (which may have a path) from the mock: one for the API, in which
 * the mock finds its way quicker than msw, and one for the images of generated creatives. `make` is the `http`
 * of the msw that is to use them.
 */
export function handlersWith<H>(make: Maker<H>, mock: Answerer, baseUrl: string): H[] {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  // msw knows one network error; whatever a fault does to a connection becomes that.
  const answer = ({ request, cookies }: Told) =>
    mock.fetch(withCookies(withoutPrefix(request, prefix), cookies)).then(withLength, () => Response.error())
  return [
    make.all(`${base.origin}${prefix}/api/cli/*`, answer),
    make.get(`${base.origin}/artifacts/*`, ({ request }) => mock.fetch(request)),
  ]
}

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

/** The answer with its length, as it comes over HTTP; without one msw takes a third more time over it. */
async function withLength(response: Response): Promise<Response> {
  if (!response.body) return response
  const body = await response.arrayBuffer()
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.set('content-length', String(body.byteLength))
  return new Response(body, { status, statusText, headers })
}
