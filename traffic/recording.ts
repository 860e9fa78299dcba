/** Recorded traffic of the API, read from a HAR: of a browser, a proxy, a test tool or the mock. Pure. */
import { z } from 'zod'
import { problemOf } from '#contract/input/checked.ts'
import { operationAt } from '#contract/operation.ts'
import { type Exchange, field } from './exchange.ts'
import { parsed } from './json-bounds.ts'

/** One recorded request and its answer. */
export interface Recorded
  extends Pick<Exchange, 'operation' | 'method' | 'requestHeaders' | 'requestBody' | 'headers'> {
  /** Place among all entries of the file, from 1. */
  readonly number: number
  /** From `/api/cli` on, under the origin of the service. */
  readonly url: string
  /** 0: no answer was recorded. */
  readonly status: number
  /** Undefined: not recorded, or only its start. */
  readonly text: string | undefined
  /** When it was sent, ms since the epoch. */
  readonly at: number
  /** ms until the whole answer was there. */
  readonly duration_ms: number
  /** The organization, where the recorder knew it; null: it had none. */
  readonly organization?: string | null | undefined
}

const headers = z.array(z.object({ name: z.string(), value: z.string() })).default([])

/** Some recorders leave out the colon of the offset. */
const withColon = (at: unknown) => (typeof at === 'string' ? at.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : at)

const entry = z.object({
  startedDateTime: z.preprocess(withColon, z.iso.datetime({ offset: true, local: true })),
  time: z.number().nullish(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers,
    postData: z
      .object({ text: z.string().nullish(), encoding: z.string().nullish(), _file: z.string().nullish() })
      .nullish(),
  }),
  response: z.object({
    status: z.number(),
    headers,
    bodySize: z.number().nullish(),
    redirectURL: z.string().nullish(),
    content: z
      .object({
        size: z.number().nullish(),
        mimeType: z.string().nullish(),
        text: z.string().nullish(),
        encoding: z.string().nullish(),
        _file: z.string().nullish(),
      })
      .nullish(),
  }),
  _organization: z.string().nullish(),
})

/** Where the paths of this API begin. */
const path = '/api/cli/'

const har = z.looseObject({ log: z.looseObject({ entries: z.array(z.unknown()) }) })

/** The entries of a HAR in their order, as its value has them. @throws Error that says what is wrong with it. */
export function entriesOf(json: unknown): Recorded[] {
  const read = har.safeParse(json)
  if (!read.success) throw new Error('it is no HAR: there is no log.entries')
  const { take } = createEntryReader()
  return read.data.log.entries.flatMap((one) => take(one) ?? []).sort((a, b) => a.at - b.at)
}

/** Reads the body that an entry names in place of its text. */
type Attached = (name: string) => Buffer | undefined

export type EntryReader = ReturnType<typeof createEntryReader>

/**
 * Reads the entries of a HAR one by one, in the order of the file. `wanted`: the base URL of the service; undefined: the
 * only one. `attached`: reads bodies from files of their own. `advice`: what to do about requests to several services.
 */
export function createEntryReader(
  wanted?: string,
  attached: Attached = () => undefined,
  advice = 'leave out those to all but one of them',
) {
  const wantedBase = wanted === undefined ? undefined : baseOf(wanted)
  let total = 0
  const reader = {
    /** How many entries were met, of whatever service. */
    met: () => total,
    /** Of the service that is read; undefined: no request of this API was met. */
    baseUrl: undefined as string | undefined,
    /**
     * `entry`: its text; undefined where that is too large. Returns undefined where it is no request of the service.
     * @throws Error that says what is wrong with it.
     */
    read(entry: string | undefined): Recorded | undefined {
      const number = ++total
      return entry === undefined ? undefined : reader.take(jsonOf(entry, number), number)
    },
    /** The same for its value. */
    take(entry: unknown, number = ++total): Recorded | undefined {
      const found = recordedOf(entry, number, attached)
      if (!found || found.base !== (wantedBase ?? found.base)) return undefined
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

function recordedOf(
  value: unknown,
  number: number,
  attached: Attached,
): { base: string; recorded: Recorded } | undefined {
  const read = entry.safeParse(value)
  const url = field(value, 'request', 'url')
  if (!read.success) {
    // Those of other services may be as they like.
    if (typeof url === 'string' && !url.includes(path)) return undefined
    throw new Error(`entry ${number}: ${problemOf(read.error.issues)}`)
  }
  const { request, response, startedDateTime, time, _organization } = read.data
  if (request.url.includes(path) && !URL.canParse(request.url))
    throw new Error(`entry ${number}: request.url: "${request.url}" is no URL`)
  if (isUpgrade(request.url, response)) return undefined
  return located({
    number,
    method: request.method,
    url: request.url,
    requestHeaders: lowered(request.headers),
    requestBody: sentBody(request.postData, attached),
    status: response.status,
    // A recorder that leaves out all headers may keep the type of the content.
    headers: {
      ...(response.headers.length === 0 && typeOf(response.content)),
      ...lowered(response.headers),
    },
    text: textOf(response.content ?? {}, response.bodySize) ?? attachedTo(response.content, attached),
    at: Date.parse(startedDateTime),
    // When it was sent is told in whole ms.
    duration_ms: Math.ceil(Math.max(0, time ?? 0)),
    organization: _organization,
  })
}

/** A request with the operation that its path leads to, and the service that it was sent to; undefined: not of this API. */
export function located(sent: Omit<Recorded, 'operation'>): { base: string; recorded: Recorded } | undefined {
  const url = URL.parse(sent.url)
  const at = url?.pathname.indexOf(path) ?? -1
  if (!url || at < 0) return undefined
  const asked = url.pathname.slice(at)
  const operation = operationAt(sent.method, asked)
  if (operation === undefined) return undefined
  return {
    base: url.origin + url.pathname.slice(0, at),
    recorded: { ...sent, operation, url: url.origin + asked + url.search },
  }
}

function attachedTo(body: { _file?: string | null | undefined } | null | undefined, attached: Attached) {
  return typeof body?._file === 'string' ? attached(body._file)?.toString() : undefined
}

/** Whether a request is sent on to https: that is no answer of the service. */
const isUpgrade = (url: string, response: z.output<typeof entry>['response']) =>
  response.status >= 300 &&
  response.status < 400 &&
  (response.redirectURL || lowered(response.headers).location) === url.replace(/^http:/, 'https:') &&
  url.startsWith('http:')

/** A body that was sent. Beside the name of a file its text may be empty. */
function sentBody(body: z.output<typeof entry>['request']['postData'], attached: Attached) {
  if (!body) return undefined
  const text = body.encoding === 'base64' ? decodedText(body.text ?? '') : body.text
  return text || (typeof body._file === 'string' ? attachedTo(body, attached) : (text ?? undefined))
}

/** The text that base64 stands for; undefined: it is none. */
const decodedText = (base64: string) =>
  /^[\w+/\s-]*=*\s*$/.test(base64) ? Buffer.from(base64, 'base64').toString() : undefined

/** The journal of the mock keeps the start of a long text, with its length behind it. */
const cut = /… \(\d+ characters\)$/

function textOf({ size, text: given, encoding }: NonNullable<Content>, bodySize: number | null | undefined) {
  if (typeof given !== 'string') return size === 0 ? '' : undefined
  const text = encoding === 'base64' ? decodedText(given) : given
  if (text === undefined) return undefined
  // A recorder that keeps the start of a body only, or none of it, tells how long it was.
  const isShort = text === '' ? (size || (bodySize ?? 0)) > 0 : Buffer.byteLength(text) < (size ?? 0)
  return cut.test(text) || (isShort && parsed(text) === undefined) ? undefined : text
}

/** The credentials in a recording: those that were sent, and the secrets of keys that were created. */
export function secretsIn(entries: readonly Recorded[]): string[] {
  const found = entries.flatMap(({ operation, requestHeaders, text = '' }) => [
    ...(requestHeaders.authorization?.split(/\s+/).slice(1) ?? []),
    ...(requestHeaders.cookie?.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1)) ?? []),
    ...(operation === 'createKey'
      ? [...text.matchAll(/"(?:secret|key)"\s*:\s*"([^"]+)"/g)].map(([, one = '']) => one)
      : []),
  ])
  return [...new Set(found.filter(({ length }) => length > 3))]
}

/** Whether a recorder may have put this in the place of every credential, so that it tells none. */
export const isPlaceholder = (credential: string): boolean =>
  /redacted(?!-\d)|hidden|removed|masked|filtered|omitted|sanitized|\*{3}|x{6}/i.test(credential)

type Content = z.output<typeof entry>['response']['content']

const typeOf = (content: Content) => ({ 'content-type': content?.mimeType || 'application/json' })

const lowered = (pairs: readonly { name: string; value: string }[]) =>
  Object.fromEntries(pairs.map(({ name, value }) => [name.toLowerCase(), value]))
