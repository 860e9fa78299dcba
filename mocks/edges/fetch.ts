/** Requests in process, without a connection: the `fetch` of a mock, and its handlers for msw, which work in msw 2 and 3. */
import { z } from 'zod'
import { callback, checked } from '#contract/input/checked.ts'
import { isSilent } from '../faults/fault.ts'
import { wireFaults } from '../pipeline/serve.ts'
import type { Bindings } from '../pipeline/service.ts'

/** Takes what the global `fetch` takes, so that clients accept it in its place. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export function createFetch(
  handle: (request: Request, bindings: Bindings) => Response | Promise<Response>,
): Fetch {
  /** What stands for connections: a request takes a free one, or a new one. */
  const free: object[] = []
  return async (input, init) => {
    const request = requestOf(input, init)
    request.signal.throwIfAborted()
    const connection = free.pop() ?? {}
    try {
      const response = handle(request, { connection })
      return received(await (response instanceof Promise ? untilAborted(response, request.signal) : response))
    } finally {
      free.push(connection)
    }
  }
}

/** @throws TypeError, as `fetch` does, if the response has a connection fault other than `stale`. */
function received(response: Response): Response {
  const fault = wireFaults.get(response)
  if (!fault || fault.wire === 'stale') return response
  const name = fault.lost ? `lost ${fault.wire}` : fault.wire
  const effect = fault.lost || !isSilent(fault.wire) ? '; the request had its effect' : ''
  throw new TypeError('fetch failed', { cause: new Error(`the mock applied the fault "${name}"${effect}`) })
}

/** Returns the Request that the arguments of `fetch` describe. @throws TypeError for an invalid URL. */
export function requestOf(...[input, init]: Parameters<Fetch>): Request {
  const isRequest = input instanceof Object && 'headers' in input
  return isRequest && init === undefined ? input : new Request(input, init)
}

/** Rejects with the reason of a signal if it is aborted before the response; the request still has its effect. */
function untilAborted(response: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    response.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Returns a function that loads something once; if that fails, the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

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
