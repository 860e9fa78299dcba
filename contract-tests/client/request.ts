/** One request, as the checks and the search send it, and its exchange. */
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Caller, Exchange } from '#traffic/exchange.ts'
import { readBody } from './answer.ts'
import { inTime } from './rate-limits.ts'
import type { InventedId, Recorder } from './recorder.ts'
import type { Outgoing, Target } from './target.ts'

/** The types of a JSON body: as most clients name it, and with the charset that every JSON text has. */
export const jsonTypes = ['application/json', 'application/json; charset=utf-8'] as const

/** Parts of a request beside its operation: id, query, body and headers. */
export interface Asked {
  /** The `:id` of the path, not encoded. */
  readonly id?: string
  /** The `:id` as it stands in the path, in place of `id`: it need not be valid percent-encoding. */
  readonly rawId?: string
  /** Set for an id that nobody has issued. */
  readonly invented?: InventedId
  /** As pairs where a parameter is sent twice; a string is sent as it is. */
  readonly query?:
    | Readonly<Record<string, string>>
    | readonly (readonly [name: string, value: string])[]
    | string
  /** Sent as JSON; a string is sent as it is, each of U+DC80 to U+DCFF in it as one byte from 80 to FF. */
  readonly body?: unknown
  /** Headers in addition to those of the caller. */
  readonly headers?: Readonly<Record<string, string>>
  /** The second half of the body is sent once this is settled. */
  readonly secondHalf?: Promise<unknown>
}

/** A request that can be sent. */
type Prepared = Pick<
  Exchange,
  'number' | 'operation' | 'caller' | 'method' | 'url' | 'requestHeaders' | 'requestBody'
>

/** Who sends it: what identifies the run, and what is sent with every request. */
export interface Sender {
  readonly runId: string
  readonly userAgent: string
  /** Such as those that a gateway demands. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly caller: Caller
  readonly credentials: Readonly<Record<string, string>>
}

/** Gives a request its number and everything that is sent; a body that is no text is sent as JSON. */
export function prepare(
  { runId, userAgent, headers: always, caller, credentials }: Sender,
  recorder: Recorder,
  baseUrl: string,
  operation: OperationId,
  asked: Asked,
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
      ...(body === undefined ? {} : { 'content-type': jsonTypes[0] }),
      ...headers,
    },
    requestBody: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** The path of a route and its query. */
function addressOf(path: string, { id = '', rawId = encodeURIComponent(id), query }: Asked): string {
  const pairs = Array.isArray(query) ? query : Object.entries(query ?? {})
  const search = typeof query === 'string' ? query : new URLSearchParams(pairs)
  return path.replace(':id', () => rawId) + (query ? `?${search}` : '')
}

/** Reads a path once, without recording it; undefined if no answer came within that many ms. */
export async function peek(
  target: Target,
  path: string,
  headers: Readonly<Record<string, string>>,
  timeout: number,
  signal?: AbortSignal,
): Promise<Pick<Exchange, 'status' | 'json'> | undefined> {
  const limit = inTime(timeout, signal)
  try {
    const response = await target.transport(target.baseUrl + path, {
      method: 'GET',
      headers: { ...headers, accept: 'application/json' },
      signal: limit.signal,
    })
    const { json } = await readBody(response)
    return { status: response.status, json }
  } catch {
    return undefined
  } finally {
    limit.end()
  }
}

/** Sends a request and reads its answer. Rejects if there is none, or if it breaks off. */
export async function exchangeFor(
  request: Prepared,
  target: Target,
  recorder: Recorder,
  how: Pick<Outgoing, 'signal' | 'fresh' | 'secondHalf'>,
): Promise<Exchange> {
  const { method, url, requestHeaders: headers, requestBody: body } = request
  const started = performance.now()
  const response = await target.transport(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...how,
  })
  const read = await readBody(response)
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
