/** One entry of a HAR, read as recorders write it: most leave something out, or write it in a way of their own. Pure. */
import { isJsonObject, type JsonObject } from './exchange.ts'

/** The body of a request or a response in an entry of a HAR. */
export interface HarBody {
  /** Undefined: the entry does not have it. */
  readonly text: string | undefined
  readonly encoding: string | undefined
  /** The name of a file that holds the text instead. */
  readonly file: string | undefined
  /** Bytes, as the recorder counted them; undefined if it did not. */
  readonly size: number | undefined
  readonly mimeType: string | undefined
}

/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string>>

/** An entry of a HAR, as this package reads it. */
export interface HarEntry {
  readonly method: string
  readonly url: string
  /** When it was sent, ms since the epoch. */
  readonly at: number
  /** True if its recorder told the time in whole seconds only. */
  readonly isWholeSecond: boolean
  /** ms until the whole answer was there. */
  readonly duration_ms: number
  /**
   * The parts that identify it, such as its times and id, as they were written: copies of an entry have the same ones.
   */
  readonly identity: string
  readonly requestHeaders: Headers
  readonly requestBody: HarBody
  /** 0: no answer was recorded. */
  readonly status: number
  readonly headers: Headers
  readonly body: HarBody
  /** Bytes of the answer as it came, as the recorder counted them. */
  readonly bodySize: number | undefined
  readonly redirectUrl: string | undefined
  /** True if the answer came from a cache, so that no service was asked. */
  readonly isCached: boolean
  /** True if nothing was transferred over the network: a cache or a service worker answered. */
  readonly isUntransferred: boolean
  /** True if a page sent it through a service worker; the worker's own request may be another entry. */
  readonly isThroughWorker: boolean
  /** True if a service worker sent it on its own. */
  readonly isByWorker: boolean
  /** True if its recorder says that something went wrong, such as an answer that was cut off. */
  readonly hasFailed: boolean
  /** True if it never reached the service, since no connection could be opened. */
  readonly isUnsent: boolean
  /** The organization that sent it, if the recorder knew; null: the request belonged to none. */
  readonly organization: string | null | undefined
}

/** Validates an entry of a HAR. @throws Error that says what is wrong with it. */
export function parseHarEntry(value: unknown): HarEntry {
  const entry = fieldsOf(value)
  const request = fieldsOf(entry.request)
  const response = fieldsOf(entry.response)
  const content = fieldsOf(response.content)
  const { at, isWholeSecond, isToMicrosecond } = timeOf(entry.startedDateTime)
  const duration = Math.max(0, numberOf(entry.time) ?? 0)
  const headers = headersOf(response.headers)
  const status = statusOf(response.status)
  return {
    method: textOf(request.method)?.toUpperCase() ?? refuse('request.method', request.method),
    url: textOf(request.url) ?? refuse('request.url', request.url),
    at,
    isWholeSecond,
    duration_ms: isToMicrosecond ? duration : Math.ceil(duration),
    identity: identityOf(entry),
    requestHeaders: headersOf(request.headers),
    requestBody: bodyOf(fieldsOf(request.postData), numberOf(request.bodySize)),
    status,
    headers,
    body: bodyOf(content, numberOf(content.size)),
    bodySize: numberOf(response.bodySize),
    redirectUrl: textOf(response.redirectURL) || headers.location,
    isCached: isCached(entry, response),
    // A lost answer has the size 0 too, and no cache gave it.
    isUntransferred: status > 0 && response._transferSize === 0,
    isThroughWorker: isThroughWorker(entry, response),
    isByWorker: entry._serviceWorkerRef !== undefined,
    hasFailed: failureOf(entry, response) !== '',
    isUnsent: status === 0 && unsent.test(failureOf(entry, response)),
    organization: entry._organization === null ? null : textOf(entry._organization),
  }
}

/** The times of an entry, its connection, and what its recorder notes of it, such as an id or a place in an order. */
function identityOf(entry: JsonObject): string {
  const { startedDateTime, time, timings, connection } = entry
  const parts: unknown[] = [startedDateTime, time, timings, connection]
  for (const name in entry)
    if (name.startsWith('_') && typeof entry[name] !== 'object') parts.push(name, entry[name])
  return JSON.stringify(parts)
}

/** The URL of an entry of a HAR; undefined if it has none. */
export const harEntryUrl = (value: unknown): string | undefined =>
  textOf(fieldsOf(fieldsOf(value).request).url)

const none: JsonObject = {}

const fieldsOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : none)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function refuse(name: string, value: unknown): never {
  throw new Error(`${name}: ${value === undefined || value === null ? 'is missing' : 'takes a text'}`)
}

/** No status is below 100: recorders write null, an empty text, 0 or -1 where none came. */
function statusOf(value: unknown): number {
  const status = numberOf(value) ?? 0
  return status >= 100 ? status : 0
}

/** Names and values, in a list or as an object; without those that have no value. */
function headersOf(value: unknown): Headers {
  const headers: Record<string, string> = {}
  const add = (name: unknown, text: unknown) => {
    if (typeof name !== 'string' || text === undefined || text === null) return
    headers[name.toLowerCase()] = String(text)
  }
  if (Array.isArray(value)) for (const one of value) add(fieldsOf(one).name, fieldsOf(one).value)
  else for (const [name, text] of Object.entries(fieldsOf(value))) add(name, text)
  return headers
}

/** A body; some recorders write JSON as a value. */
function bodyOf(body: JsonObject, size: number | undefined): HarBody {
  const { text } = body
  const isValue = typeof text === 'object' && text !== null
  return {
    text: isValue ? JSON.stringify(text) : text === undefined || text === null ? undefined : String(text),
    encoding: textOf(body.encoding),
    file: textOf(body._file),
    size,
    mimeType: textOf(body.mimeType) || undefined,
  }
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$/

/** When a request was sent, and how exactly its recorder told it. */
interface TimeSent extends Pick<HarEntry, 'at' | 'isWholeSecond'> {
  /** True if the time has digits behind the milliseconds; the duration is then kept as exact. */
  readonly isToMicrosecond: boolean
}

/** A time, perhaps with an offset that lacks its colon, or in ms since the epoch. */
function timeOf(value: unknown): TimeSent {
  if (typeof value === 'number' && Number.isFinite(value))
    return { at: value, isWholeSecond: false, isToMicrosecond: false }
  if (typeof value !== 'string')
    throw new Error(`startedDateTime: ${value === undefined ? 'is missing' : 'takes a text'}`)
  const [text, fraction = ''] = iso.exec(value.trim().replace(' ', 'T')) ?? []
  const at = Date.parse(text?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') ?? '')
  if (Number.isNaN(at)) throw new Error(`startedDateTime: "${value}" is no time in ISO 8601`)
  // A Date ends at milliseconds.
  const rest = Number(`0.${fraction.slice(4, 7)}`) || 0
  return { at: at + rest, isWholeSecond: /^[.0]*$/.test(fraction), isToMicrosecond: fraction.length > 4 }
}

const fetchTypeOf = (entry: JsonObject, response: JsonObject): string =>
  textOf(entry._fetchType) ?? textOf(response._fetchType) ?? ''

/** True if a browser marks an answer as taken from a cache. */
const isCached = (entry: JsonObject, response: JsonObject): boolean =>
  Boolean(entry._fromCache) ||
  /cache/i.test(fetchTypeOf(entry, response)) ||
  /cache|fallback/i.test(textOf(response._serviceWorkerResponseSource) ?? '')

const isThroughWorker = (entry: JsonObject, response: JsonObject): boolean =>
  entry._fetchedViaServiceWorker === true ||
  response._fetchedViaServiceWorker === true ||
  /service worker/i.test(fetchTypeOf(entry, response))

/** The reason why there was no answer, in the words of the recorder. */
const failureOf = (entry: JsonObject, response: JsonObject): string =>
  [entry._error, response._error, response._failureText].map(textOf).find(Boolean) ?? ''

/** Failures, as recorders name them, in which no connection came about. */
const unsent =
  /REFUSED|UNSAFE_PORT|NOT_RESOLVED|RESOLUTION_FAILED|UNKNOWN_HOST|ENOTFOUND|EAI_AGAIN|UNREACH|INTERNET_DISCONNECTED|BLOCKED_BY_(?:CLIENT|ADMINISTRATOR)|CERT_|CONNECTION_TIMED_OUT/i
