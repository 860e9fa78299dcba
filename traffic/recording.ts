/** Recorded traffic of the API, read from a HAR: of a browser, a proxy, a test tool or the mock. Pure. */
import { operationAt } from '#contract/operation.ts'
import { field } from './exchange.ts'
import { type HarEntry, type Headers, harEntryUrl, parseHarEntry } from './har-entry.ts'
import { isPlaceholder, isReplacedPath } from './placeholder.ts'
import { createHarReconciler } from './reconciler.ts'
import type { RecordedExchange } from './recorded.ts'
import { type RecordedBodyReader, recordedAnswerText, recordedRequestBody } from './recorded-body.ts'
import { isTelltale, secretsInHeader } from './redaction.ts'
import { isSecretName } from './secret-names.ts'

export type { RecordedExchange }

/** Prefix of the paths of this API. */
const path = '/api/cli/'

/** The entries in the parsed value of a HAR, in their order. @throws Error that says what is wrong with it. */
export function harEntries(json: unknown, bodies?: Partial<RecordedBodyReader>): RecordedExchange[] {
  const entries = field(json, 'log', 'entries')
  if (!Array.isArray(entries)) throw new Error('it is no HAR: there is no log.entries')
  const { take } = createHarEntryReader(bodies)
  const { add, end } = createHarReconciler()
  return [...entries.flatMap((one) => add(take(one))), ...end()].sort((a, b) => a.at - b.at)
}

/** Reads the entries of a recording one after the other. */
export type HarEntryReader = ReturnType<typeof createHarEntryReader>

interface ReaderOptions extends Partial<RecordedBodyReader> {
  /** The base URL of the service; undefined: the only one. */
  readonly wanted?: string | undefined
  /** Advice about requests to several services. */
  readonly advice?: string
}

/**
 * Creates a reader of the entries of a HAR in the order of the file; `reconciler` tells which of them belong together.
 */
export function createHarEntryReader({
  wanted,
  advice = 'leave out those to all but one of them',
  attached = () => undefined,
  decompress = () => undefined,
}: ReaderOptions = {}) {
  const wantedBase = wanted === undefined ? undefined : baseOf(wanted)
  let total = 0
  const reader = {
    /** How many entries were met, of whatever service. */
    met: () => total,
    /** Base URL of the service that is read; undefined: no request of this API was met. */
    baseUrl: undefined as string | undefined,
    /**
     * `entry`: its text; undefined where that is too large. Returns undefined where it is no request of the service.
     * @throws Error that says what is wrong with it.
     */
    read(entry: string | undefined): RecordedExchange | undefined {
      const number = ++total
      return entry === undefined ? undefined : reader.take(jsonOf(entry, number), number)
    },
    /** Takes an entry by its value. */
    take(entry: unknown, number = ++total): RecordedExchange | undefined {
      const found = recordedOf(entry, number, { attached, decompress })
      if (!found || found.base !== (wantedBase ?? found.base)) return undefined
      // Nobody was there: it may be no service at all.
      if (found.recorded.marks?.isUnsent) return found.base === reader.baseUrl ? found.recorded : undefined
      reader.baseUrl ??= found.base
      if (found.base !== reader.baseUrl)
        throw new Error(`it has requests to ${reader.baseUrl}, ${found.base}: ${advice}`)
      return found.recorded
    },
  }
  return reader
}

function jsonOf(entry: string, number: number): unknown {
  try {
    return JSON.parse(entry)
  } catch (error) {
    throw new Error(`entry ${number}: ${(error as Error).message}`)
  }
}

/** The base URL, which may be given with the path of the API. */
const baseOf = (url: string) => url.replace(/(?:\/api\/cli)?\/*$/, '')

/** Schemes with which a service is asked. */
const isHttp = /^(?:https?:|[^:]*$)/i

function recordedOf(
  value: unknown,
  number: number,
  bodies: RecordedBodyReader,
): { base: string; recorded: RecordedExchange } | undefined {
  const url = harEntryUrl(value)
  // Entries of other services may be as they like.
  if (url !== undefined && !(url.includes(path) && isHttp.test(url))) return undefined
  const entry = readEntry(value, number)
  const parsedUrl = URL.parse(entry.url)
  if (!parsedUrl) throw new Error(`entry ${number}: request.url: "${entry.url}" is no URL`)
  if (entry.isCached || isUpgrade(entry)) return undefined
  const { requestBody, body, times, isWholeSecond, isUntransferred } = entry
  const { isThroughWorker, isByWorker, isUnsent } = entry
  const requestHeaders = knownHeaders(entry.requestHeaders, requestBody.mimeType)
  const headers = knownHeaders(entry.headers, body.mimeType)
  const sent = recordedRequestBody(requestBody, requestHeaders, bodies)
  const isUnknown = isReplacedPath(parsedUrl.pathname) || isLimitUnknown(entry)
  const request = {
    number,
    method: entry.method,
    url: entry.url,
    requestHeaders,
    requestBody: sent.text,
    ...(sent.isMissing && { isBodyMissing: true }),
    status: entry.status,
    // A recorder that leaves out all headers may keep the type of the content.
    headers: Object.keys(headers).length === 0 ? typeOf(body.mimeType) : headers,
    // Some recorders have no body of the own requests of a worker.
    text: isUnknown || (isByWorker && !body.text) ? undefined : recordedAnswerText(entry, bodies),
    at: entry.at,
    duration_ms: entry.duration_ms,
    organization: entry.organization,
    marks: { times, isWholeSecond, isUntransferred, isThroughWorker, isByWorker, isUnsent },
  }
  return operationOfRequest(request, parsedUrl)
}

function readEntry(value: unknown, number: number): HarEntry {
  try {
    return parseHarEntry(value)
  } catch (error) {
    throw new Error(`entry ${number}: ${(error as Error).message}`)
  }
}

/**
 * The operation that the path of a request leads to, and the service that it was sent to; undefined: it is not of this
 * API.
 */
export function operationOfRequest(
  sent: Omit<RecordedExchange, 'operation'>,
  url = URL.parse(sent.url),
): { base: string; recorded: RecordedExchange } | undefined {
  const at = url?.pathname.indexOf(path) ?? -1
  if (!url || at < 0 || !/^https?:$/.test(url.protocol)) return undefined
  const asked = url.pathname.slice(at)
  const operation = operationAt(sent.method, asked)
  if (operation === undefined) return undefined
  return {
    base: url.origin + url.pathname.slice(0, at),
    recorded: { ...sent, operation, url: url.origin + asked + url.search },
  }
}

/** True if a request is sent on to https: that is no answer of the service. */
const isUpgrade = ({ url, status, redirectUrl }: HarEntry): boolean =>
  status >= 300 && status < 400 && url.startsWith('http:') && redirectUrl === url.replace(/^http:/, 'https:')

/** A credential in a recording. */
interface RecordedCredential {
  readonly value: string
  /** True if it can be told from words, so that it is hidden in any text. */
  readonly isTelltale: boolean
}

/** The credentials in a recording: those that were sent in headers, and the secrets of keys that were created. */
export function credentialsInRecording(entries: readonly RecordedExchange[]): RecordedCredential[] {
  return entries.flatMap(({ operation, requestHeaders, text = '' }) => [
    ...Object.entries(requestHeaders).flatMap(([name, header]) =>
      secretsInHeader(name, header).map((value) => ({ value, isTelltale: isTelltale(value, name) })),
    ),
    ...(operation === 'createKey' ? text.matchAll(/"(?:secret|key)"\s*:\s*"([^"]+)"/g) : []).map(
      ([, value = '']) => ({ value, isTelltale: isTelltale(value) }),
    ),
  ])
}

/** The credentials in a recording that are hidden in any text. */
export const secretsInRecording = (entries: readonly RecordedExchange[]): string[] =>
  credentialsInRecording(entries).flatMap((one) => (one.isTelltale ? one.value : []))

/** Headers without those that a sanitizer has replaced. Credentials stay: one word may stand in place of each. */
function knownHeaders(headers: Headers, mimeType?: string): Headers {
  const replaced = Object.keys(headers).filter(
    (name) => isPlaceholder(headers[name] ?? '') && !isSecretName(name),
  )
  if (replaced.length === 0) return headers
  const known = Object.entries(headers).filter(([name]) => !replaced.includes(name))
  return { ...Object.fromEntries(known), ...(replaced.includes('content-type') && typeOf(mimeType)) }
}

/** True if a limit was met, and the recording does not have when to try again. */
const isLimitUnknown = ({ status, headers }: HarEntry): boolean =>
  status === 429 && isPlaceholder(headers['retry-after'] ?? '')

const typeOf = (mimeType = 'application/json') => ({ 'content-type': mimeType })
