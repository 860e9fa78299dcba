/** Requests in process, without a connection: the `fetch` of a mock, and its handlers for msw, which work in msw 2 and 3. */
import { objectWithMethodSchema, parseOrThrow } from '#contract/input/checked.ts'
import { type ConnectionFault, dribbledBody, isSilentFault, losesAnswer } from '../faults/connection.ts'
import type { Answer } from '../handlers/respond.ts'
import { type BodySource, receiveBody } from '../pipeline/read-input.ts'
import type { BodyReception } from '../pipeline/received-request.ts'
import { hasConnectionTo } from './live-connections.ts'
import { EdgeRequest, isPipelineAnswer, type RequestHandler, toResponse } from './request.ts'

/** A function with the signature of the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** A request to the mock that came through its `fetch` or msw. */
export class FetchRequest extends EdgeRequest {
  readonly method: string
  readonly url: string
  readonly connection: object
  readonly body = undefined
  readonly #request: Request
  #received: BodyReception | undefined

  constructor(request: Request, connection: object) {
    super()
    this.method = request.method
    this.url = request.url
    this.connection = connection
    this.#request = request
  }

  get rawHeaders(): readonly string[] {
    const named: string[] = []
    this.#request.headers.forEach((value, name) => void named.push(name, value))
    return named
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  async receive(): Promise<BodyReception> {
    this.#received = await receiveBody(bodySourceOf(this.#request))
    return this.#received
  }

  async hold(wait: Promise<unknown>): Promise<boolean> {
    await wait
    return this.#request.signal.aborted
  }

  toRequest(): Request {
    return this.#request
  }

  /** Returns the same request for another address; another host gets no credentials. */
  redirected(to: URL): Request {
    const request = this.#request
    const headers = new Headers(request.headers)
    if (to.origin !== new URL(this.url).origin) for (const name of credentials) headers.delete(name)
    const received = typeof this.#received === 'object' ? this.#received.text : undefined
    const { method, signal } = request
    const body = received ?? request.body
    return new Request(to, { method, headers, signal, ...(body && { body, duplex: 'half' }) })
  }
}

/** Wraps the body of a `Request` as a stream that the pipeline can read, with its announced length. */
export function bodySourceOf({ headers, body }: Request): BodySource {
  const length = headers.get('content-length')
  return { length: length === null ? undefined : Number(length), chunks: body ?? none }
}

const none = { async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {} }
const credentials = ['authorization', 'cookie']

/** Creates the `fetch` of a mock, which answers in this process. */
export function createFetch(handle: RequestHandler): Fetch {
  /** Objects that stand for connections: a request takes a free one, or a new one. */
  const free: object[] = []
  return async (input, init) => {
    const request = requestFromArguments(input, init)
    request.signal.throwIfAborted()
    const connection = free.pop() ?? {}
    try {
      const received = new FetchRequest(request, connection)
      const answered = handle(received)
      const answer = answered instanceof Promise ? await untilAborted(answered, request) : answered
      return isPipelineAnswer(answer) ? await deliver(answer, received, request, handle) : answer
    } finally {
      free.push(connection)
    }
  }
}

/**
 * Returns the Response to a request, with the address of the request or of where it was redirected to. @throws
 * TypeError, as `fetch` does, if a connection fault lets no answer through; the reason of the signal if none comes.
 */
async function deliver(
  answer: Answer,
  received: FetchRequest,
  request: Request,
  handle: RequestHandler,
): Promise<Response> {
  const { fault, headers } = answer
  if (fault?.wire === 'hang') return untilAborted(new Promise(() => undefined), request)
  const isBegun = fault?.wire === 'truncate' && answer.text !== ''
  if (fault && losesAnswer(fault.wire) && !isBegun) throw failureOf(fault)
  const { location } = headers
  if (location !== undefined && request.redirect !== 'manual') {
    if (request.redirect === 'error') throw failed('the mock redirects the request')
    const response = await createFetch(handle)(received.redirected(new URL(location, request.url)))
    return Object.defineProperty(response, 'redirected', { value: true })
  }
  const response = fault
    ? toFaultyResponse(answer, fault, request.method)
    : toResponse(answer, request.method)
  return Object.defineProperty(response, 'url', { value: request.url })
}

/** A Response whose body comes in pieces, or breaks off, as over a connection. */
function toFaultyResponse(answer: Answer, fault: ConnectionFault, method: string): Response {
  const whole = toResponse(answer, method)
  const { status, headers } = whole
  if (whole.body === null || (fault.wire !== 'dribble' && fault.wire !== 'truncate')) return whole
  const body = new TextEncoder().encode(answer.text)
  const pieces = fault.wire === 'dribble' ? dribbledBody(body, fault.ms) : truncatedBody(body, fault)
  return new Response(streamOf(pieces), { status, headers })
}

/** A stream of pieces; browsers have no `ReadableStream.from`. */
const streamOf = (pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void pieces.return(undefined),
  })

async function* truncatedBody(body: Uint8Array, fault: ConnectionFault): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, body.length >> 1)
  throw new TypeError('terminated', { cause: failureOf(fault).cause })
}

function failureOf({ wire, lost }: ConnectionFault): TypeError {
  const name = lost ? `lost ${wire}` : wire
  const effect = lost || !isSilentFault(wire) ? '; the request had its effect' : ''
  return failed(`the mock applied the fault "${name}"${effect}`)
}

const failed = (why: string) => new TypeError('fetch failed', { cause: new Error(why) })

/** Builds the `Request` that the arguments of `fetch` describe. @throws TypeError for an invalid URL. */
export function requestFromArguments(...[input, init]: Parameters<Fetch>): Request {
  const isRequest = input instanceof Object && 'headers' in input
  return isRequest && init === undefined ? input : new Request(input, init)
}

/** Requests that wait, held here: the signal of a Request follows that of its sender only while something holds it. */
const waiting = new Set<Request>()

/** Rejects with the reason of its signal if a request is aborted before the response; it still has its effect. */
function untilAborted<T>(response: Promise<T>, request: Request): Promise<T> {
  const { signal } = request
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const abort = () => reject(signal.reason)
  waiting.add(request)
  signal.addEventListener('abort', abort)
  // A signal that is aborted already calls no listener.
  if (signal.aborted) abort()
  response.then(resolve, reject)
  return promise.finally(() => {
    signal.removeEventListener('abort', abort)
    waiting.delete(request)
  })
}

/** Wraps a function that loads something, so that it is loaded only once; if that fails, the next call tries again. */
export function memoizeSuccessfulLoad<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

/** The part of a mock that msw handlers need: its `fetch`. */
export interface MockWithFetch {
  fetch(request: Request): Promise<Response>
}

/** The argument that msw passes to a resolver. */
interface MswRequest {
  readonly request: Request
  readonly cookies: Readonly<Record<string, string>>
}

type CreateHandler<H> = (path: string, resolve: (info: MswRequest) => Promise<Response>) => H

/** The part of msw's `http` namespace that creates handlers, in any supported version of msw. */
export type MswHttp<H> = Readonly<Record<'all' | 'get', CreateHandler<H>>>

/**
 * Creates handlers that pass requests to `baseUrl` (which may have a path) to the mock: one for the API, since the mock
 * routes faster than msw, and one for the images of generated creatives. `http` is that of the msw in use. @throws
 * TypeError if `baseUrl` is not an http or https URL, or if this process keeps a connection to it, on which requests
 * would reach the service.
 */
export function createMswHandlers<H>(http: MswHttp<H>, mock: MockWithFetch, baseUrl: string): H[] {
  const mockSchema = objectWithMethodSchema('fetch', 'takes a mock, and the address that the client calls')
  parseOrThrow('handlers', mockSchema, mock)
  const base = URL.parse(baseUrl)
  if (!base || !/^https?:$/.test(base.protocol))
    throw new TypeError(
      `handlers() needs the address that the client calls, such as 'https://api.example.com', not ${String(baseUrl)}.`,
    )
  const [, root, rest] = /^(.*?)\/(api\/cli|__admin)(?:\/.*)?$/.exec(base.pathname) ?? []
  if (rest !== undefined)
    throw new TypeError(`handlers: takes the address without /${rest}: ${base.origin}${root}.`)
  const prefix = base.pathname.replace(/\/+$/, '')
  // msw supports one kind of network error, which stands for every connection fault but an answer that never comes.
  const resolve = ({ request, cookies }: MswRequest) =>
    mock
      .fetch(withCookies(withoutPrefix(request, prefix), cookies))
      .then(withLength)
      .catch(() => Response.error())
  const api = http.all(`${base.origin}${prefix}/api/cli/*`, resolve)
  if (hasConnectionTo(base.origin, isOfConnections(api) ? ['fetch', 'http'] : ['http']))
    throw new TypeError(
      `handlers: this process is connected to ${base.origin}, and msw answers nothing that is sent there: call handlers() and server.listen() before the first request.`,
    )
  return [api, http.get(`${base.origin}/artifacts/*`, ({ request }) => mock.fetch(request))]
}

/** True if a handler is one of msw 3, which intercepts connections, where msw 2 replaces `fetch`. */
const isOfConnections = (handler: unknown): boolean => handler instanceof Object && 'dispose' in handler

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
