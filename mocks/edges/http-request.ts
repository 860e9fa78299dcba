/** A request as `node:http` received it. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ArrivalDelays } from '../journal/entry.ts'
import { maxBodyBytes, receiveBody } from '../pipeline/read-input.ts'
import type { BodyReception, ReceivedBody } from '../pipeline/received-request.ts'
import { holdAnswerAndDetectClose } from './connection.ts'
import { type ControlGuard, EdgeRequest } from './request.ts'

/** A request to the mock that came over HTTP, with a valid URL. */
export class HttpRequest extends EdgeRequest {
  readonly method: string
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly connection: IncomingMessage['socket']
  readonly body: ReceivedBody | undefined
  override readonly guard: ControlGuard
  override readonly cutBy: string | undefined
  override readonly arrival: ArrivalDelays
  readonly #outgoing: ServerResponse

  /** `body`: undefined if it was not collected. */
  constructor(
    outgoing: ServerResponse,
    url: string,
    body: ReceivedBody | undefined,
    guard: ControlGuard,
    cutBy: string | undefined,
    arrival: ArrivalDelays,
  ) {
    super()
    const incoming = outgoing.req
    this.method = incoming.method ?? 'GET'
    this.url = url
    this.rawHeaders = incoming.rawHeaders
    this.connection = incoming.socket
    this.body = body
    this.guard = guard
    this.cutBy = cutBy
    this.arrival = arrival
    this.#outgoing = outgoing
  }

  header(name: string): string | undefined {
    const value = this.#outgoing.req.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  receive(): Promise<BodyReception> {
    const length = this.header('content-length')
    return receiveBody({ length: length === undefined ? undefined : Number(length), chunks: this.#chunks() })
  }

  hold(wait: Promise<unknown>): Promise<boolean> {
    return holdAnswerAndDetectClose(this.connection, wait)
  }

  toRequest(): Request {
    const { method, url, rawHeaders, body: collected } = this
    const headers = new Headers()
    for (let i = 0; i < rawHeaders.length; i += 2)
      headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
    const aborted = new AbortController()
    this.#outgoing.once('close', () => aborted.abort())
    const init = { method, headers, signal: aborted.signal }
    if (unknownToFetch.test(method))
      return Object.defineProperty(new Request(url, { ...init, method: 'GET' }), 'method', { value: method })
    if (method === 'GET' || method === 'HEAD') return new Request(url, init)
    if (collected?.sent) return new Request(url, { ...init, body: collected.sent })
    const streamed: RequestInit & { duplex: 'half' } = { ...init, body: this.#stream(), duplex: 'half' }
    return new Request(url, streamed)
  }

  /** The body as a stream that reads nothing ahead. */
  #stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const chunks = this.#chunks()
    const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
      async pull(controller) {
        const { value, done } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void chunks.return(undefined),
    }
    return new ReadableStream(source, { highWaterMark: 0 })
  }

  /** The chunks of the body, read only on demand: a body that nobody reads is dropped once the request is answered. */
  async *#chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const { req } = this.#outgoing
    yield* req.iterator({ destroyOnReturn: false })
    if (!req.complete) throw new Error('The body is incomplete.')
  }
}

/** Methods of which Fetch makes no request. */
const unknownToFetch = /^(?:CONNECT|TRACE|TRACK)$/i

/** Hosts and targets that are valid and stay as they are in a URL, so that it need not be parsed. */
const plainHost =
  /^(?!.*xn--)(?:(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*|127\.0\.0\.1)(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/
const plainTarget = /^\/[!#$&-;=?-[\]_a-z~]*$/
const dotSegment = /\/\.\.?(?:[/?#]|$)/

/** The host of the previous request, since most requests have the same, and whether it is plain. */
let lastHost = ''
let isPlain = false

/** The URL of an HTTP request; undefined: its host or target is missing or invalid. */
export function requestUrlOf({ url: target = '', headers: { host } }: IncomingMessage): string | undefined {
  if (/^https?:\/\//.test(target)) return hrefOf(target)
  if (!host) return undefined
  const url = `http://${host}${target}`
  if (host !== lastHost) [lastHost, isPlain] = [host, plainHost.test(host)]
  if (isPlain && plainTarget.test(target) && !dotSegment.test(target)) return url
  const href = target.startsWith('/') ? hrefOf(url) : undefined
  const named = host.replace(/:\d+$/, '').toLowerCase()
  return isPlain || (href && URL.parse(href)?.hostname === named) ? href : undefined
}

const hrefOf = (url: string): string | undefined =>
  url.split('?')[0]?.includes('\\') ? undefined : URL.parse(url)?.href

/**
 * Collects the body of a request before it is handled, so that it can be handled synchronously, which takes a sixth
 * less processor time. Bodies of unknown or too great length are read later, if at all.
 */
export function collectBody(incoming: IncomingMessage, handle: (body?: ReceivedBody) => void): void {
  const length = Number(incoming.headers['content-length'])
  if (!(length > 0 && length <= maxBodyBytes) || !incoming.url?.startsWith('/api/cli/')) {
    handle()
    return
  }
  const chunks: Buffer<ArrayBuffer>[] = []
  let isHandled = false
  const end = () => {
    if (isHandled) return
    isHandled = true
    const [first = Buffer.alloc(0)] = chunks
    const sent = chunks.length === 1 ? first : Buffer.concat(chunks)
    if (sent.length === length) handle({ bytes: length, text: isUtf8(sent) ? textOf(sent) : undefined, sent })
    else handle()
  }
  incoming.on('data', (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk))
  incoming.on('end', end)
  incoming.on('close', end)
}

const textOf = (bytes: Buffer) => {
  const text = bytes.toString()
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Headers that may be sent only once: a second one could be meant for somebody else (RFC 9110 §7.2, §11.6.2). */
const single: Readonly<Record<string, string>> = { host: 'Host', authorization: 'Authorization' }

/**
 * The name of a header that is sent twice although it must occur only once, such as `Authorization`; undefined: there
 * is none.
 */
export function findForbiddenDuplicateHeader(rawHeaders: readonly string[]): string | undefined {
  let sent = ''
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const { length } = rawHeaders[i] as string
    const name = length === 4 || length === 13 ? single[(rawHeaders[i] as string).toLowerCase()] : undefined
    if (name !== undefined && sent.includes(name)) return name
    sent += name ?? ''
  }
  return undefined
}
