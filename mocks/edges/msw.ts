/** msw handlers for a mock: `HttpHandler`s that work in msw 2 and 3. */

import { z } from 'zod'
import { callback, checked } from '#contract/input/checked.ts'

/** The part of a mock that the handlers use. */
export interface FetchHandler {
  fetch(request: Request): Promise<Response>
}

/** The argument that msw passes to a resolver. */
interface MswRequest {
  readonly request: Request
  readonly cookies: Readonly<Record<string, string>>
}

type CreateHandler<H> = (path: string, resolve: (info: MswRequest) => Promise<Response>) => H

/** The `http` namespace of a version of msw, which creates handlers. */
export type MswHttp<H> = Readonly<Record<'all' | 'get', CreateHandler<H>>>

/**
 * Creates handlers that pass requests to `baseUrl` (which may have a path) to the mock: one for the API, since the
 * mock routes faster than msw, and one for the images of generated creatives. `http` is that of the msw in use.
 * @throws TypeError if `baseUrl` is not an http or https URL.
 */
export function handlersWith<H>(http: MswHttp<H>, mock: FetchHandler, baseUrl: string): H[] {
  checked(
    'handlers',
    z.looseObject({ fetch: callback }, 'takes a mock, and the address that the client calls'),
    mock,
  )
  const base = URL.parse(baseUrl)
  if (!base || !/^https?:$/.test(base.protocol))
    throw new TypeError(
      `handlers() needs the address that the client calls, such as 'https://api.example.com', not ${String(baseUrl)}.`,
    )
  const [, root, rest] = /^(.*?)\/(api\/cli|__admin)(?:\/.*)?$/.exec(base.pathname) ?? []
  if (rest !== undefined)
    throw new TypeError(`handlers: takes the address without /${rest}: ${base.origin}${root}.`)
  const prefix = base.pathname.replace(/\/+$/, '')
  // msw supports one kind of network error, which stands for every connection fault.
  const resolve = ({ request, cookies }: MswRequest) =>
    mock.fetch(withCookies(withoutPrefix(request, prefix), cookies)).then(withLength, () => Response.error())
  return [
    http.all(`${base.origin}${prefix}/api/cli/*`, resolve),
    http.get(`${base.origin}/artifacts/*`, ({ request }) => mock.fetch(request)),
  ]
}

function withoutPrefix(request: Request, prefix: string): Request {
  if (prefix === '') return request
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(prefix.length)
  return new Request(url, request)
}

/** Adds the cookies to a request; browsers neither expose the header to pages nor let them set it. */
function withCookies(request: Request, cookies: MswRequest['cookies']): Request {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  // msw 2 passes stored cookies even if the request sends none.
  if (pairs.length === 0 || request.credentials === 'omit' || request.headers.has('cookie')) return request
  const headers = new Headers(request.headers)
  headers.set('cookie', pairs.join('; '))
  return Object.defineProperty(request, 'headers', { value: headers })
}

/** Adds the content length to a response, as over HTTP; without it, msw takes a third longer. */
async function withLength(response: Response): Promise<Response> {
  if (!response.body) return response
  const body = await response.arrayBuffer()
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.set('content-length', String(body.byteLength))
  return new Response(body, { status, statusText, headers })
}
