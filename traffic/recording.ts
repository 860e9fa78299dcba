/** Recorded traffic of the API, read from a HAR: of a browser, a proxy, a test tool or the mock. Pure. */
import { operationAt } from '#contract/operation.ts'
import { valueAtPath } from './exchange.ts'
import { type HarEntry, type Headers, harEntryUrl, parseHarEntry } from './har-entry.ts'
import { isPlaceholder, isReplacedTarget } from './placeholder.ts'
import { createHarEntryMerger } from './reconciler.ts'
import type { RecordedExchange } from './recorded.ts'
import { type RecordedBodyReader, recordedAnswerText, recordedRequestBody } from './recorded-body.ts'
import { isDistinctiveSecret, secretsInHeader } from './redaction.ts'
import { isSecretName } from './secret-names.ts'

export type { RecordedExchange }

/** Prefix of the paths of this API. */
const path = '/api/cli/'

/**
 * Reads the exchanges with this API from the parsed JSON of a HAR, in the order of time. @throws Error that says what
 * is wrong with it.
 */
export function readHarExchanges(json: unknown, bodies?: Partial<RecordedBodyReader>): RecordedExchange[] {
  const entries = valueAtPath(json, 'log', 'entries')
  if (!Array.isArray(entries)) throw new Error('it is no HAR: there is no log.entries')
  const { take } = createHarEntriesReader(bodies)
  const { add, end } = createHarEntryMerger()
  return [...entries.flatMap((one) => add(take(one))), ...end()].sort((a, b) => a.at - b.at)
}

/** A reader of the entries of a recording, one after the other. */
export type HarEntriesReader = ReturnType<typeof createHarEntriesReader>

interface ReaderOptions extends Partial<RecordedBodyReader> {
  /** The base URL of the service to read; undefined: the only one in the recording. */
  readonly wanted?: string | undefined
  /** Advice for a recording with requests to several services, the end of the error. */
  readonly advice?: string
}

/**
 * Creates a reader of the entries of a HAR in the order of the file; `createHarEntryMerger` then merges those that are
 * one request.
 */
export function createHarEntriesReader({
  wanted,
  advice = 'leave out those to all but one of them',
  attached = () => undefined,
  decompress = () => undefined,
}: ReaderOptions = {}) {
  const wantedBase = wanted === undefined ? undefined : baseOf(wanted)
  let total = 0
  const reader = {
    /** The number of entries that were read, whatever service they belong to. */
    met: () => total,
    /** Base URL of the service that is read; undefined: no request of this API was met. */
    baseUrl: undefined as string | undefined,
    /**
     * Reads an entry from its text (undefined: too large); undefined: no request of the service. @throws Error that
     * says what is wrong with it.
     */
    read(entry: string | undefined): RecordedExchange | undefined {
      const number = ++total
      return entry === undefined ? undefined : reader.take(jsonOf(entry, number), number)
    },
    /** Reads an entry that is parsed already, as `read` does. */
    take(entry: unknown, number = ++total): RecordedExchange | undefined {
      const found = recordedOf(entry, number, { attached, decompress })
      if (!found || !isSameService(found.base, wantedBase ?? found.base)) return undefined
      const isRead = reader.baseUrl !== undefined && isSameService(found.base, reader.baseUrl)
      // No connection came about: there may be no service at this address.
      if (found.recorded.marks?.isUnsent) return isRead ? found.recorded : undefined
      if (reader.baseUrl !== undefined && !isRead)
        throw new Error(`it has requests to ${reader.baseUrl}, ${found.base}: ${advice}`)
      reader.baseUrl ??= found.base
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

/** The base URL of a service from a URL that may end with the path of the API. */
const baseOf = (url: string) => url.replace(/(?:\/api\/cli)?\/*$/, '')

/** Names of this machine, at which one port is one service. */
const loopback = /^(https?:\/\/)(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/

/** True if two base URLs are of one service: the same, or with another name of this machine. */
const isSameService = (one: string, other: string): boolean =>
  one === other || one.replace(loopback, '$1localhost') === other.replace(loopback, '$1localhost')

/** Matches URLs of http and https, and those without a scheme. */
const isHttp = /^(?:https?:|[^:]*$)/i

function recordedOf(
  value: unknown,
  number: number,
  bodies: RecordedBodyReader,
): { base: string; recorded: RecordedExchange } | undefined {
  const url = harEntryUrl(value)
  // Entries of other services need not be valid.
  if (url !== undefined && !(url.includes(path) && isHttp.test(url))) return undefined
  const entry = readEntry(value, number)
  const parsedUrl = URL.parse(entry.url)
  if (!parsedUrl) throw new Error(`entry ${number}: request.url: "${entry.url}" is no URL`)
  if (entry.isCached || isUpgrade(entry)) return undefined
  const { requestBody, body, identity, isWholeSecond, isUntransferred } = entry
  const { isThroughWorker, isByWorker, isUnsent } = entry
  const requestHeaders = knownHeaders(entry.requestHeaders, requestBody.mimeType)
  const headers = knownHeaders(entry.headers, body.mimeType)
  const sent = recordedRequestBody(requestBody, requestHeaders, bodies)
  const isUnknown = isReplacedTarget(parsedUrl) || isLimitUnknown(entry)
  const request = {
    number,
    method: entry.method,
    url: entry.url,
    requestHeaders: headersOrType(requestHeaders, requestBody.mimeType),
    requestBody: sent.text,
    ...(sent.isMissing && { isBodyMissing: true }),
    status: entry.status,
    headers: headersOrType(headers, body.mimeType ?? 'application/json'),
    // Some recorders leave out the bodies of what a worker sent itself.
    text: isUnknown || (isByWorker && !body.text) ? undefined : recordedAnswerText(entry, bodies),
    at: entry.at,
    duration_ms: entry.duration_ms,
    organization: entry.organization,
    marks: { identity, isWholeSecond, isUntransferred, isThroughWorker, isByWorker, isUnsent },
  }
  return recognizeApiRequest(request, parsedUrl)
}

function readEntry(value: unknown, number: number): HarEntry {
  try {
    return parseHarEntry(value)
  } catch (error) {
    throw new Error(`entry ${number}: ${(error as Error).message}`)
  }
}

/**
 * Recognizes a request to this API: returns it with its operation and the base URL of its service; undefined if it is
 * for something else.
 */
export function recognizeApiRequest(
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

/** True for a redirect to the same URL with https, which a server in front of the service answers. */
const isUpgrade = ({ url, status, redirectUrl }: HarEntry): boolean =>
  status >= 300 && status < 400 && url.startsWith('http:') && redirectUrl === url.replace(/^http:/, 'https:')

/** A credential in a recording. */
interface RecordedCredential {
  readonly value: string
  /** True if no ordinary word looks like it, so that it can be hidden wherever it occurs. */
  readonly isDistinctive: boolean
}

/**
 * Collects the credentials in a recording: those that were sent in headers, and the secrets of keys that were created.
 */
export function credentialsInRecording(entries: readonly RecordedExchange[]): RecordedCredential[] {
  return entries.flatMap(({ operation, requestHeaders, text = '' }) => [
    ...Object.entries(requestHeaders).flatMap(([name, header]) =>
      secretsInHeader(name, header).map((value) => ({
        value,
        isDistinctive: isDistinctiveSecret(value, name),
      })),
    ),
    ...(operation === 'createKey' ? text.matchAll(/"(?:secret|key)"\s*:\s*"([^"]+)"/g) : []).map(
      ([, value = '']) => ({ value, isDistinctive: isDistinctiveSecret(value) }),
    ),
  ])
}

/**
 * The credentials in a recording that are too distinctive to be ordinary words, so that reports can hide them wherever
 * they occur.
 */
export const secretsInRecording = (entries: readonly RecordedExchange[]): string[] =>
  credentialsInRecording(entries).flatMap((one) => (one.isDistinctive ? one.value : []))

/** Headers without those that hold a placeholder. Credentials stay, even if all have the same one. */
function knownHeaders(headers: Headers, mimeType?: string): Headers {
  const replaced = Object.keys(headers).filter(
    (name) => isPlaceholder(headers[name] ?? '') && !isSecretName(name),
  )
  if (replaced.length === 0) return headers
  const known = Object.entries(headers).filter(([name]) => !replaced.includes(name))
  return { ...Object.fromEntries(known), ...(replaced.includes('content-type') && typeOf(mimeType)) }
}

/** True for a 429 whose `Retry-After` is a placeholder. */
const isLimitUnknown = ({ status, headers }: HarEntry): boolean =>
  status === 429 && isPlaceholder(headers['retry-after'] ?? '')

/** Headers, or the type of the body where a recorder keeps it and leaves out all headers. */
const headersOrType = (headers: Headers, mimeType?: string): Headers =>
  mimeType !== undefined && Object.keys(headers).length === 0 ? typeOf(mimeType) : headers

const typeOf = (mimeType = 'application/json') => ({ 'content-type': mimeType })
