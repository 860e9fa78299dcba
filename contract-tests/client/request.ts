/** One request, as the checks and the search send it, and its exchange. */
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Caller, Exchange } from '#traffic/exchange.ts'
import { readResponseBody } from './answer.ts'
import { createTimeoutSignal } from './rate-limits.ts'
import type { Recorder, UnissuedIdKind } from './recorder.ts'
import type { OutgoingRequest, Target } from './target.ts'

/** The `Accept` header of a client that takes anything, as curl and browsers do. */
export const anyMediaType = '*/*'

/** The media types that the suite sends JSON bodies with, with and without a charset. */
export const jsonMediaTypes = ['application/json', 'application/json; charset=utf-8'] as const

/** Parts of a request besides its operation: id, query, body and headers. */
export interface RequestParts {
  /** The `:id` of the path, not encoded. */
  readonly id?: string
  /** The `:id` as it stands in the path, in place of `id`: it need not be valid percent-encoding. */
  readonly rawId?: string
  /** Kind of the id, if the service has not issued it. */
  readonly invented?: UnissuedIdKind
  /** Query parameters: pairs if one is sent twice; a string is sent as it is. */
  readonly query?:
    | Readonly<Record<string, string>>
    | readonly (readonly [name: string, value: string])[]
    | string
  /** Body, sent as JSON; a string is sent as it is, each of U+DC80 to U+DCFF in it as one byte from 80 to FF. */
  readonly body?: unknown
  /** Headers in addition to those of the caller. */
  readonly headers?: Readonly<Record<string, string>>
  /** Promise that must settle before the second half of the body is sent. */
  readonly secondHalf?: Promise<unknown>
}

/** A request that can be sent. */
type Prepared = Pick<
  Exchange,
  'number' | 'operation' | 'caller' | 'method' | 'url' | 'requestHeaders' | 'requestBody'
>

/** The sender of a request: the id of the run, the caller with its credentials, and headers for every request. */
export interface RequestSender {
  readonly runId: string
  readonly userAgent: string
  /** Further headers, such as those that a gateway demands. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly caller: Caller
  readonly credentials: Readonly<Record<string, string>>
}

/** Builds a request with its number, URL, headers and body; a body that is not a string is sent as JSON. */
export function buildRequest(
  { runId, userAgent, headers: always, caller, credentials }: RequestSender,
  recorder: Recorder,
  baseUrl: string,
  operation: OperationId,
  asked: RequestParts,
): Prepared {
  const { method, path } = routeOf(operation)
  const { body, headers } = asked
  const number = recorder.nextNumber()
  recorder.requested.add(operation)
  return {
    number,
    operation,
    caller,
    method,
    url: baseUrl + addressOf(path, asked),
    requestHeaders: {
      ...always,
      accept: 'application/json',
      'user-agent': userAgent,
      'x-request-id': `${runId}-${number}`,
      ...credentials,
      ...(body === undefined ? {} : { 'content-type': jsonMediaTypes[0] }),
      ...headers,
    },
    requestBody: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** The path of a route and its query. */
function addressOf(path: string, { id = '', rawId = encodeURIComponent(id), query }: RequestParts): string {
  const pairs = Array.isArray(query) ? query : Object.entries(query ?? {})
  const search = typeof query === 'string' ? query : new URLSearchParams(pairs)
  return path.replace(':id', () => rawId) + (query ? `?${search}` : '')
}

/** Requests a path once without recording it; undefined if no answer came within `timeout` ms. */
export async function probePath(
  target: Target,
  path: string,
  headers: Readonly<Record<string, string>>,
  timeout: number,
  signal?: AbortSignal,
): Promise<Pick<Exchange, 'status' | 'json'> | undefined> {
  const limit = createTimeoutSignal(timeout, signal)
  try {
    const response = await target.transport(target.baseUrl + path, {
      method: 'GET',
      headers: { ...headers, accept: 'application/json' },
      signal: limit.signal,
    })
    const { json } = await readResponseBody(response)
    return { status: response.status, json }
  } catch {
    return undefined
  } finally {
    limit.end()
  }
}

/** Sends a request and reads its answer. Rejects if there is none, or if it breaks off. */
export async function sendAndRead(
  request: Prepared,
  target: Target,
  recorder: Recorder,
  how: Pick<OutgoingRequest, 'signal' | 'fresh' | 'secondHalf'>,
): Promise<Exchange> {
  const { method, url, requestHeaders: headers, requestBody: body } = request
  const started = performance.now()
  const response = await target.transport(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...how,
  })
  const read = await readResponseBody(response)
  recorder.keptBytes += read.kept
  return {
    ...request,
    duration_ms: performance.now() - started,
    status: response.status,
    // White space around a value is not part of it (RFC 9110 §5.5).
    headers: Object.fromEntries([...response.headers].map(([name, value]) => [name, value.trim()])),
    ...(read.excess === undefined ? {} : { excess: read.excess }),
    get text() {
      return read.text
    },
    get json() {
      return read.json
    },
  }
}
