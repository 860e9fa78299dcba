/** The journal as HAR 1.2, the format that the network panel of a browser imports. Without secrets. */
import type { Entry, Header, Request, Response } from 'har-format'
import suite from '../package.json' with { type: 'json' }
import { isTruncated, type JournalEntry } from './journal-entry.ts'
import { headerPairsOf, redactorOf, type SecretRedactor } from './redaction.ts'

/** A HAR 1.2 document. Its entries are those of `@types/har-format`, which users need not install. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly object[]
  }
}

const utf8 = new TextEncoder()
const bytes = (text: string) => utf8.encode(text).length

/** Converts journal entries, oldest first, to a HAR document. `keys`: secrets to redact that have no known prefix. */
export function harOf(entries: readonly JournalEntry[], keys: readonly string[] = []): Har {
  const creator = { name: suite.name, version: suite.version }
  return {
    log: {
      version: '1.2',
      creator,
      entries: entries.map((entry) => redactedHarEntryOf(entry, redactorOf(entry, keys))),
    },
  }
}

/** The fields of the mock; a custom field of HAR begins with an underscore. */
interface CustomFields {
  readonly _id: string
  readonly _operation: string | null
  readonly _organization: string | null
  readonly _error?: string
}

/** A time in ISO 8601, with the microseconds that say which of two requests came first, where they were measured. */
function timestampOf({ at, duration_ms }: JournalEntry): string {
  const microseconds = Math.round(at * 1_000)
  const text = new Date(Math.floor(microseconds / 1_000)).toISOString()
  const rest = microseconds % 1_000
  const isWhole = rest === 0 && Number.isInteger(duration_ms)
  return isWhole ? text : text.replace('Z', `${String(rest).padStart(3, '0')}Z`)
}

/** Converts a journal entry to an entry of a HAR, without secrets. */
export function redactedHarEntryOf(entry: JournalEntry, redaction: SecretRedactor): Entry & CustomFields {
  const time = entry.duration_ms
  const remarks = [
    entry.reason,
    entry.wire && `connection: ${entry.wire}`,
    isTruncated(entry.body ?? '') && 'only the beginning of the request body was kept',
    isTruncated(entry.answer) && 'only the beginning of the response body was kept',
  ]
  return {
    startedDateTime: timestampOf(entry),
    time,
    request: requestOf(entry, redaction),
    response: responseOf(entry, redaction),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: remarks.filter(Boolean).join('; '),
    _id: entry.id,
    _operation: entry.operation,
    _organization: entry.org_id,
    ...(entry.status === 0 ? { _error: errorOf(entry) } : {}),
  }
}

function errorOf({ wire }: JournalEntry): string {
  return wire === 'abandoned'
    ? 'the client closed the connection before the answer'
    : `the mock was asked for "${wire}"`
}

function requestOf({ method, url, headers, body }: JournalEntry, redaction: SecretRedactor): Request {
  const shown = redaction.text(url)
  const type = headerPairsOf(headers).find(([name]) => name.toLowerCase() === 'content-type')
  const text = body === null ? undefined : redaction.text(body)
  return {
    method,
    url: shown,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headersOf(headerPairsOf(headers), redaction),
    queryString: [...(URL.parse(shown)?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
    ...(text === undefined
      ? {}
      : { postData: { mimeType: redaction.text(type?.[1] ?? 'application/json'), text } }),
    headersSize: -1,
    bodySize: text === undefined ? 0 : bytes(text),
  }
}

function responseOf(entry: JournalEntry, redaction: SecretRedactor): Response {
  const { status, answerHeaders, operation } = entry
  const answered = status !== 0
  const body = operation === 'createKey' ? redaction.newKey(entry.answer) : redaction.text(entry.answer)
  const text = answered ? body : ''
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: answered ? headersOf(Object.entries(answerHeaders), redaction) : [],
    content: {
      size: bytes(text),
      mimeType: redaction.text(answerHeaders['content-type'] ?? 'application/json'),
      text,
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: answered ? bytes(text) : -1,
  }
}

function headersOf(pairs: readonly (readonly [string, string])[], redaction: SecretRedactor): Header[] {
  return pairs.map(([name, value]) => ({ name, value: redaction.header(name, value) }))
}
