/** Requests with unusual ids, queries or bodies, and which servers may refuse them before the API sees them. Pure. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Exchange } from './exchange.ts'
import { jsonBoundsProblem } from './json-bounds.ts'

type Asked = Pick<Exchange, 'operation' | 'url' | 'requestBody'>

/** Decodes a percent-encoded text; undefined if it cannot be decoded. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Matches a URL that a URL parser would not change. Most are such, and parsing takes longer than all else about a
 * request.
 */
const plainUrl = /^https?:\/\/[a-z][\w.-]*(?::\d+)?((?:\/[\w~-][\w~.-]*)+)(\?[\w~.=&-]+)?$/

/** Splits a URL into its path and its query as a URL parser reads them; undefined if it is no URL. */
export function pathAndQueryOf(
  url: string,
): { readonly pathname: string; readonly search: string } | undefined {
  const [, pathname, search = ''] = plainUrl.exec(url) ?? []
  return pathname === undefined ? (URL.parse(url) ?? undefined) : { pathname, search }
}

/** Position of `:id` among the segments of each path that has one, counted from the end. */
const idPlaces = new Map(
  operationIds.flatMap((operation): [OperationId, number][] => {
    const places = routeOf(operation).path.split('/')
    const at = places.indexOf(':id')
    return at < 0 ? [] : [[operation, at - places.length]]
  }),
)

/** The `:id` in the path of a request as it was sent; undefined: the operation has none. */
export function sentPathId(operation: OperationId, url: string): string | undefined {
  const at = idPlaces.get(operation)
  return at === undefined ? undefined : pathAndQueryOf(url)?.pathname.split('/').at(at)
}

/** The `:id` in the path of a request, decoded; undefined if there is none. */
export function decodedPathId({ operation, url }: Pick<Asked, 'operation' | 'url'>): string | undefined {
  const id = sentPathId(operation, url)
  return id === undefined ? undefined : decodePercent(id)
}

/**
 * The bytes of a request body. In a body that is not UTF-8, the characters U+DC80 to U+DCFF stand for the bytes 80 to
 * FF; any other body is returned as it is.
 */
export function bodyBytesOf(body: string): string | Uint8Array<ArrayBuffer> {
  if (body.isWellFormed()) return body
  const parts = body.split(/([\udc80-\udcff])/u)
  return new Uint8Array(
    parts.flatMap((part, at) =>
      at % 2 === 1 ? [part.charCodeAt(0) - 0xdc00] : [...new TextEncoder().encode(part)],
    ),
  )
}

/** Statuses with which servers in front of the API refuse malformed input. */
const upstreamStatuses = new Set([400, 404, 413, 414, 431])

/** Characters of a body, and of an id in a path, that a server may refuse before the API sees it. */
const [maxSafeBodyChars, maxSafeIdChars] = [10_000, 255]

/**
 * True if an answer may come from a server in front of the API, which refuses malformed or long input in its own way.
 */
export function mayBeRejectedUpstream({
  operation,
  url,
  requestHeaders = {},
  requestBody,
  status,
}: Asked & Partial<Pick<Exchange, 'requestHeaders'>> & { status: number }): boolean {
  const isBadHeader = /[^\t -~]/.test(requestHeaders.authorization ?? '')
  if (upstreamStatuses.has(status) && (isBadHeader || hasMalformedQuery(url))) return true
  const isWithId = routeOf(operation).path.includes(':id')
  return mayInputBeRejectedUpstream(status, isWithId ? decodedPathId({ operation, url }) : '', requestBody)
}

/** True if the query of a URL holds a NUL or malformed percent-encoding. */
const hasMalformedQuery = (url: string) =>
  url.includes('?') && decodePercent(new URL(url).search)?.includes('\0') !== false

/**
 * True if a server in front of the API may have rejected a request with this status for its id (undefined: it cannot
 * be decoded), its body, or the lack of a length.
 */
export function mayInputBeRejectedUpstream(status: number, id = '%', body = ''): boolean {
  const isOdd = !body.isWellFormed() || /[\0\n/%]/.test(id) || id.length > maxSafeIdChars
  const isRefusedByLength = status === 413 ? body.length > maxSafeBodyChars : status === 411 && body === ''
  return (upstreamStatuses.has(status) && isOdd) || isRefusedByLength
}

/** The kinds of malformed or unusual input that services may interpret differently. */
export const requestOddityKinds = [
  'malformed-id',
  'repeated-parameter',
  'undecodable-query',
  'excessive-body',
  'odd-text',
] as const

/** The oddity of a request, in a word. */
type Oddity = (typeof requestOddityKinds)[number]

/**
 * Names what is unusual about a request, so that services may interpret it differently: a malformed id, a repeated
 * parameter, an undecodable query, an excessive body, or odd characters; undefined if nothing is.
 */
export function requestOddityOf({ operation, url, requestBody = '' }: Asked): Oddity | undefined {
  if (decodePercent(sentPathId(operation, url) ?? '')?.includes('\0') !== false) return 'malformed-id'
  const names = url.includes('?') ? [...new URL(url).searchParams.keys()] : []
  if (new Set(names).size < names.length) return 'repeated-parameter'
  if (hasMalformedQuery(url)) return 'undecodable-query'
  if (jsonBoundsProblem(requestBody) !== undefined) return 'excessive-body'
  return !requestBody.isWellFormed() || holdsOddText(requestBody) ? 'odd-text' : undefined
}

/** True if JSON holds a text with NUL or with half a pair of surrogates. */
function holdsOddText(json: string): boolean {
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return false
  let found = false
  try {
    JSON.parse(json, (_, value) => {
      if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) found = true
    })
  } catch {}
  return found
}
