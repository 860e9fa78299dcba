/** Reads the journal of a mock, or of one of its organizations, with secrets redacted; filters have the same fields everywhere. */
import { z } from 'zod'
import { errorCodes } from '#contract/errors.ts'
import {
  createOneOfSchema,
  createStrictObjectSchema,
  eventListenerSchema,
  parseOrThrow,
} from '#contract/input/checked.ts'
import { type OperationId, operationIds } from '#contract/operation.ts'
import { type Har, harOf } from '#traffic/har.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import {
  boundedDurationMsOf,
  type Duration,
  durationFormatAdvice,
  epochMsOf,
  type MomentInput,
  momentFormatAdvice,
} from '../core/clock.ts'
import { ControlRefusal } from '../core/failure.ts'
import type { RecordedEntry } from './entry.ts'
import type { Journal } from './journal.ts'
import { type RequestRow, type RequestView, requestRowOf, viewRequest } from './view.ts'

const lower = (word: string) => word.toLowerCase()
const upper = (word: string) => word.toUpperCase()
const split = (text: string) => text.split(',').map((word) => word.trim())

/** One value, a list, or values separated by commas. */
const oneOrMore = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().flatMap(split))

const operations = oneOrMore.pipe(z.array(createOneOfSchema(operationIds)))
const errors = oneOrMore
  .transform((words) => words.map(lower))
  .pipe(z.array(createOneOfSchema([...errorCodes])))
const methods = oneOrMore
  .transform((words) => words.map(upper))
  .pipe(
    z.array(
      createOneOfSchema(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']),
    ),
  )

/** `404`, `4xx`, a number, or a list of them. */
const statuses = z
  .union([z.int(), z.string(), z.array(z.union([z.int(), z.string()]))])
  .transform((value) => [value].flat().flatMap((one) => split(String(one))))
  .refine(
    (list) => list.every((word) => /^([1-5]\d\d|[1-5]xx|0)$/.test(word)),
    'takes statuses such as 404 or 4xx; 0: no response',
  )

/** The number of a request, or a time. */
const since = z
  .union([z.int().min(0), z.string()])
  .transform((value, context): { number: number } | { at: number } => {
    if (/^\d+$/.test(String(value))) return { number: Number(value) }
    const at = epochMsOf(value)
    if (at !== undefined) return { at }
    context.addIssue({ code: 'custom', message: `${momentFormatAdvice}, or the number of a request` })
    return z.NEVER
  })

const takesCount = 'takes a whole number, 0 or more'
const limit = z.union([z.int().min(0, takesCount), z.string().regex(/^\d+$/, takesCount)]).transform(Number)

const truth = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])

/** Schema of the query parameters that select entries of the journal. */
export const requestFilterSchema = createStrictObjectSchema({
  operation: operations.optional().describe('Operation ids, such as `runTask`.'),
  method: methods.optional().describe('Methods, such as `POST`.'),
  path: z.string().optional().describe('The path; `*` matches any text.'),
  status: statuses.optional().describe('Statuses, such as `404` or `4xx`; `0`: no response was sent.'),
  error: errors.optional().describe('`error` codes of the response, such as `no_credits`.'),
  org_id: z.string().optional().describe('The organization, as `whoami` reports it.'),
  key_id: z.string().optional().describe('The key that was used, by its id.'),
  faulted: truth.optional().describe('Whether a fault applied to the request.'),
  body: z.string().optional().describe('Text that the body of the request contains.'),
  since: since.optional().describe('Only requests after this number, or from this mock time on.'),
  until: limit.optional().describe('Only requests up to this number.'),
  text: z
    .string()
    .optional()
    .describe('Text in address, bodies, ids, `error` or fault; upper and lower case are the same.'),
  limit: limit.optional().describe('The maximum number of requests; the newest are returned.'),
})

/** A filter of journal entries, as a test or a control call gives it. */
export type RequestFilter = Omit<z.input<typeof requestFilterSchema>, 'operation' | 'since'> & {
  /** Operation ids, such as `runTask`. */
  readonly operation?: OperationId | readonly OperationId[] | `${OperationId},${string}` | undefined
  /** Only requests after this number, or from this mock time on. */
  readonly since?: MomentInput | undefined
}
type RequestMatch = z.output<typeof requestFilterSchema>

type Test = (entry: JournalEntry) => boolean

/** Returns a function that tests entries against a filter; it ignores `limit`. */
function matcherOf(match: RequestMatch): Test {
  const tests: Test[] = []
  const among = (list: readonly string[] | undefined, read: (entry: JournalEntry) => string | null) => {
    if (!list) return
    const wanted = new Set<string | null>(list.map((word) => word.toLowerCase()))
    tests.push((entry) => wanted.has(read(entry)?.toLowerCase() ?? null))
  }
  const { path, status, faulted, body, since, until, text } = match
  among(match.operation, ({ operation }) => operation)
  among(match.method, ({ method }) => method)
  among(match.error, ({ error }) => error)
  among(match.org_id === undefined ? undefined : [match.org_id], ({ org_id }) => org_id)
  among(match.key_id === undefined ? undefined : [match.key_id], ({ key_id }) => key_id)
  if (path !== undefined) {
    const matches = globOf(path)
    tests.push(({ url }) => matches(URL.parse(url)?.pathname ?? url))
  }
  if (status) {
    const wanted = new Set(status)
    tests.push(
      (entry) => wanted.has(String(entry.status)) || wanted.has(`${Math.floor(entry.status / 100)}xx`),
    )
  }
  if (faulted !== undefined) tests.push(({ reason }) => (reason !== null) === faulted)
  if (body !== undefined) tests.push((entry) => entry.body?.includes(body) ?? false)
  if (until !== undefined) tests.push((entry) => entry.number <= until)
  if (text !== undefined) tests.push(mentions(text.toLowerCase()))
  if (since) tests.push((entry) => ('number' in since ? entry.number > since.number : entry.at >= since.at))
  return (entry) => tests.every((test) => test(entry))
}

function mentions(text: string): Test {
  return ({ method, url, body, answer, id, org_id, error, reason }) =>
    [`${method} ${url}`, body, answer, id, org_id, error, reason].some((part) =>
      part?.toLowerCase().includes(text),
    )
}

/** Compiles a glob. Matches each part at its first position, in linear time whatever the number of stars. */
function globOf(glob: string): (text: string) => boolean {
  const [first = '', ...others] = glob.split('*')
  const last = others.pop()
  return (text) => {
    if (last === undefined) return text === first
    if (!text.startsWith(first)) return false
    let from = first.length
    for (const part of others) {
      const at = text.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return text.length - last.length >= from && text.endsWith(last)
  }
}

/** The error thrown when the requests that a test waits for did not arrive in time. */
export class WaitTimeout extends ControlRefusal {
  /** The matching requests that arrived, oldest first. */
  readonly matched: readonly RequestView[]
  /** The newest of all requests, matching or not, oldest first. */
  readonly seen: readonly RequestView[]

  constructor(message: string, matched: readonly RequestView[], seen: readonly RequestView[]) {
    super(408, message, { matched, seen })
    this.matched = matched
    this.seen = seen
  }
}

const mostSeen = 10

interface Source {
  readonly journal: Journal
  /** Secrets that have no known prefix. */
  readonly tenants: { readonly secrets: readonly string[] }
}

/**
 * Creates a reader of the journal. `org_id`: a function that returns the id of the organization to read; undefined: all
 * requests.
 */
export function createJournalReader({ journal, tenants }: Source, org_id: () => string | undefined) {
  const view = (entry: RecordedEntry): RequestView => viewRequest(entry, tenants.secrets)
  const testOf = (match: RequestMatch): ((entry: RecordedEntry) => boolean) => {
    const matches = matcherOf(match)
    const own = org_id()
    return own === undefined ? matches : (entry) => entry.org_id === own && matches(entry)
  }
  const select = (match: RequestMatch): RecordedEntry[] => {
    const found = journal.entries().filter(testOf(match))
    return match.limit === undefined ? found : found.slice(Math.max(0, found.length - match.limit))
  }
  const list = (match: RequestMatch) => select(match).map(view)
  return {
    /** Returns the matching requests, oldest first. */
    list,
    /** Returns the matching requests one by one, each made when it is asked for. */
    each: (match: RequestMatch): IteratorObject<RequestView> => select(match).values().map(view),
    /** Returns the matching requests as rows of a list. */
    rows: (match: RequestMatch): RequestRow[] =>
      select(match).map((entry) => requestRowOf(entry, tenants.secrets)),
    /**
     * Returns the request with a number, or with an id as logs and reports name it. @throws ControlRefusal unless it is
     * in the journal.
     */
    entry(named: string): RecordedEntry {
      const byNumber = journal.upTo(Number(named))
      const entry =
        byNumber?.number === Number(named) ? byNumber : journal.entries().findLast(({ id }) => id === named)
      const own = org_id()
      if (entry && (own === undefined || entry.org_id === own)) return entry
      throw new ControlRefusal(404, 'The journal does not hold this request; it keeps the newest ones.')
    },
    view,
    count: (match: RequestMatch) => select(match).length,
    /** Returns the matching requests as a HAR 1.2 document. */
    har: (match: RequestMatch): Har => harOf(select(match), tenants.secrets),
    /** Calls back with each matching request from now on; returns a function that stops this. */
    follow(match: RequestMatch, callback: (request: RequestView) => void): () => void {
      const matches = testOf(match)
      return journal.follow((entry) => {
        if (matches(entry)) callback(view(entry))
      })
    },
    clear: () => journal.clear(org_id()),
    /** Returns the expected requests once they have arrived. @throws WaitTimeout if they do not, or `signal` is aborted. */
    async wait({ match, count, timeout }: Expected, signal?: AbortSignal): Promise<RequestView[]> {
      const matches = testOf(match)
      const matched = journal.entries().filter(matches)
      const { promise, resolve: end } = Promise.withResolvers<unknown>()
      const stop = journal.follow((entry) => {
        if (matched.length < count && matches(entry)) matched.push(entry)
        if (matched.length >= count) end(undefined)
      })
      const timer = setTimeout(end, timeout)
      signal?.addEventListener('abort', end)
      if (matched.length < count && !signal?.aborted) await promise
      stop()
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      const views = matched.map(view)
      if (matched.length >= count) return views
      const message = `${matched.length} of ${count} matching requests arrived within ${timeout} ms.`
      throw new WaitTimeout(message, views, list({ limit: mostSeen }))
    },
  }
}

/** Longest timeout of a wait, ms. */
const longestWait = 600_000

const waitingTime = z.union([z.string(), z.number()]).transform((value, context): number => {
  const ms = boundedDurationMsOf(value, longestWait)
  if (ms !== undefined) return ms
  context.addIssue({ code: 'custom', message: `${durationFormatAdvice}, at most 10m` })
  return z.NEVER
})

/** Schemas of the fields of a control call that waits for requests. */
export const waitFieldSchemas = {
  match: requestFilterSchema.default({}).describe('Which requests to count; default: all.'),
  count: z
    .int()
    .min(1)
    .default(1)
    .describe('How many requests to wait for, including those already in the journal; default: 1.'),
  timeout: waitingTime
    .default(5_000)
    .describe('How long to wait, in real time; default: `5s`, maximum: `10m`.'),
}

/** A filter of a test, in which a time may be a Date; control routes receive it as text. */
const filterInput = z.preprocess(
  (filter: RequestFilter | null | undefined) =>
    filter?.since instanceof Date ? { ...filter, since: filter.since.toJSON() } : filter,
  requestFilterSchema,
)

const waitOptions = createStrictObjectSchema({ ...waitFieldSchemas, match: filterInput.default({}) })
type Expected = Pick<z.output<typeof waitOptions>, keyof typeof waitFieldSchemas>

/** Options that say which requests a test waits for, and how long; default: one request, for 5 seconds. */
export interface WaitOptions {
  readonly match?: RequestFilter | undefined
  readonly count?: number | undefined
  /** The longest wait, in real time. */
  readonly timeout?: Duration | undefined
}

/** Creates the journal methods of a mock or of one organization, for tests. */
export function createJournalMethods(reader: ReturnType<typeof createJournalReader>) {
  const entries = (filter: RequestFilter = {}): RequestView[] => reader.list(readFilter(filter))
  return {
    /** Returns the matching requests, oldest first; default: all. */
    entries,
    /** The same as `entries`, under the name of `POST /requests/find`. */
    find: (filter: RequestFilter): RequestView[] => entries(filter),
    /** Returns the number of matching requests. */
    count: (filter: RequestFilter = {}): number => reader.count(readFilter(filter)),
    /**
     * Waits until a number of matching requests are in the journal, and returns them.
     * @throws WaitTimeout if they do not arrive in time; it lists the requests that did.
     */
    async wait(options: WaitOptions = {}): Promise<RequestView[]> {
      return reader.wait(parseOrThrow('journal.wait', waitOptions, options))
    },
    /** Returns the matching requests as a HAR 1.2 document, for the network panel of a browser. */
    har: (filter: RequestFilter = {}): Har => reader.har(readFilter(filter)),
    /**
     * Calls back with each matching request from now on; returns a function that stops this. What the callback throws is
     * an uncaught error of the program.
     */
    follow: (notify: (request: RequestView) => void, filter: RequestFilter = {}): (() => void) =>
      reader.follow(
        readFilter(filter),
        parseOrThrow('journal.follow', eventListenerSchema, notify) as typeof notify,
      ),
    /** Deletes all entries. */
    clear: (): void => reader.clear(),
  }
}

/**
 * The journal methods of a mock or of one organization. An invalid filter throws a TypeError that names the problem.
 */
export type JournalMethods = Readonly<ReturnType<typeof createJournalMethods>>

const readFilter = (filter: RequestFilter) => parseOrThrow('journal', filterInput, filter)
