/** Recordings as other programs would have written them: each dialect says the same of the same requests. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { HarRecording } from './recording.ts'

/** An entry, as `recorded` writes it. */
interface Entry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly { readonly name: string; readonly value: string }[]
    readonly postData?: { readonly text: string }
  }
  readonly response: {
    readonly status: number
    readonly headers: readonly object[]
    readonly content: { readonly text?: string }
  }
}

type Dialect = (entry: Entry, i: number) => readonly object[]

const withRequest = (entry: Entry, more: object): Entry => ({
  ...entry,
  request: { ...entry.request, ...more },
})
const withResponse = (entry: Entry, more: object): Entry => ({
  ...entry,
  response: { ...entry.response, ...more },
})

/** A dialect with response bodies in a content coding, as they came over the wire. */
const coded =
  (coding: string, encode: (text: string) => Uint8Array, encoding: 'base64' | 'latin1'): Dialect =>
  (entry) => {
    const { content, headers } = entry.response
    if (!content.text) return [entry]
    return [
      withResponse(entry, {
        headers: [...headers, { name: 'Content-Encoding', value: coding }],
        content: {
          text: Buffer.from(encode(content.text)).toString(encoding),
          ...(encoding === 'base64' && { encoding }),
        },
      }),
    ]
  }

/** The entry, started some ms later. */
const later = (entry: Entry, ms: number): Entry => ({
  ...entry,
  startedDateTime: new Date(Date.parse(entry.startedDateTime) + ms).toISOString(),
})

/** The dialects of HAR, as different recorders write it, each named by what is unusual about it. */
export const harDialects: Readonly<Record<string, Dialect>> = {
  'types of bodies that are not sent': (entry) => {
    const { method, postData, headers } = entry.request
    const type = { name: 'Content-Type', value: 'application/x-www-form-urlencoded' }
    return [method === 'GET' || postData ? entry : withRequest(entry, { headers: [...headers, type] })]
  },
  'texts for statuses, and small letters for methods': (entry) => [
    withResponse(withRequest(entry, { method: entry.request.method.toLowerCase() }), {
      status: String(entry.response.status),
    }),
  ],
  'no response where no answer came': (entry) => [
    entry.response.status === 0 ? { ...entry, response: null } : entry,
  ],
  'headers as an object': (entry) => [
    withRequest(entry, {
      headers: Object.fromEntries(entry.request.headers.map(({ name, value }) => [name, value])),
    }),
  ],
  'base64 of gzip': coded('gzip', (text) => gzipSync(text, { level: 1 }), 'base64'),
  'gzip in letters': coded('gzip', (text) => gzipSync(text, { level: 1 }), 'latin1'),
  'base64 of br': coded('br', (text) => brotliCompressSync(text, { params: { 1: 1 } }), 'base64'),
  'base64 of deflate': coded('deflate', (text) => deflateSync(text, { level: 1 }), 'base64'),
  'the panel of a browser, with a service worker': (entry) => [
    { ...entry, time: entry.time + 1, _fetchedViaServiceWorker: true },
    entry,
  ],
  'a test tool, with a service worker': (entry) => [
    withResponse({ ...entry, time: entry.time + 1 }, { _transferSize: 0 }),
    {
      ...withResponse(entry, { content: { size: 0, text: '' }, bodySize: 9 }),
      _serviceWorkerRef: 'worker@1',
    },
  ],
  'answers out of a cache beside the others': (entry) => [
    entry,
    ...(entry.request.method === 'GET' ? [{ ...later(entry, 100_000), _fromCache: 'disk' }] : []),
  ],
  'connections that were refused before': (entry) => [
    { ...entry, response: { status: 0, _error: 'net::ERR_CONNECTION_REFUSED' } },
    entry,
  ],
  'whole seconds': (entry) => [{ ...entry, startedDateTime: `${entry.startedDateTime.slice(0, 19)}Z` }],
}

/** Rewrites a HAR as another recorder would have written it. */
export const rewriteHarInDialect = ({ log }: HarRecording, dialect: Dialect): HarRecording => ({
  log: { entries: (log.entries as readonly Entry[]).flatMap(dialect) },
})
