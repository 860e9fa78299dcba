/** Reads the journal of a mock, or of one of its organizations, with secrets redacted. */

import { z } from 'zod'
import { callback, checked, fields } from '#contract/input/checked.ts'
import { type Har, harOf } from '#traffic/har.ts'
import { type Duration, durationAdvice, milliseconds } from '../core/clock.ts'
import { Refusal } from '../core/failure.ts'
import { matcherOf, type RequestFilter, type RequestMatch, requestFilter } from './filter.ts'
import type { Journal } from './journal.ts'
import { type RecordedEntry, type RequestRow, type RequestView, rowOf, viewRequest } from './view.ts'

/** The expected requests did not arrive in time. */
export class WaitTimeout extends Refusal {
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

/** Number of requests in `WaitTimeout.seen`. */
const mostSeen = 10

/** Reads the journal. */
export class JournalReader {
  readonly #journal: Journal
  readonly #org_id: () => string | undefined
  readonly #secrets: () => readonly string[]

  /** `org_id` returns the organization, or undefined for all; `secrets` returns those that have no known prefix. */
  constructor(journal: Journal, org_id: () => string | undefined, secrets: () => readonly string[]) {
    this.#journal = journal
    this.#org_id = org_id
    this.#secrets = secrets
  }

  /** Returns the matching requests, oldest first. */
  list(match: RequestMatch): RequestView[] {
    return this.#select(match).map(this.view)
  }

  /** The same, each when it is asked for. */
  each(match: RequestMatch): Iterator<RequestView> {
    return this.#select(match).values().map(this.view)
  }

  /** Returns the matching requests, one line each, oldest first. */
  rows(match: RequestMatch): RequestRow[] {
    return this.#select(match).map((entry) => rowOf(entry, this.#secrets()))
  }

  /** Returns the request with a number; undefined: it is not in the journal. */
  entry(number: number): RecordedEntry | undefined {
    const entry = this.#journal.upTo(number)
    const org_id = this.#org_id()
    return entry?.number === number && (org_id === undefined || entry.org_id === org_id) ? entry : undefined
  }

  /** Returns an entry with its secrets redacted. */
  view = (entry: RecordedEntry): RequestView => viewRequest(entry, this.#secrets())

  /** Returns the number of matching requests. */
  count(match: RequestMatch): number {
    return this.#select(match).length
  }

  /** Returns the matching requests as a HAR 1.2 document. */
  har(match: RequestMatch): Har {
    return harOf(this.#select(match), this.#secrets())
  }

  /** Calls back with each matching request from now on; returns a function that stops this. */
  follow(match: RequestMatch, callback: (request: RequestView) => void): () => void {
    const matches = this.#matcher(match)
    return this.#journal.follow((entry) => {
      if (matches(entry)) callback(this.view(entry))
    })
  }

  /** Deletes the entries. */
  clear(): void {
    this.#journal.clear(this.#org_id())
  }

  /** Returns the expected requests once they have arrived. @throws WaitTimeout if they do not, or `signal` is aborted. */
  async wait({ match, count, timeout }: Expected, signal?: AbortSignal): Promise<RequestView[]> {
    const matches = this.#matcher(match)
    const matched = this.#journal.entries().filter(matches)
    if (matched.length < count) await this.#collect(matched, matches, count, timeout, signal)
    const views = matched.map(this.view)
    if (matched.length >= count) return views
    const message = `${matched.length} of ${count} matching requests arrived within ${timeout} ms.`
    throw new WaitTimeout(message, views, this.list({ limit: mostSeen }))
  }

  /** Adds matching entries to `matched` until there are enough, the time is over or `signal` is aborted. */
  #collect(
    matched: RecordedEntry[],
    matches: (entry: RecordedEntry) => boolean,
    count: number,
    timeout: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stop()
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const stop = this.#journal.follow((entry) => {
        if (matches(entry)) matched.push(entry)
        if (matched.length >= count) end()
      })
      const timer = setTimeout(end, timeout)
      signal?.addEventListener('abort', end)
      if (signal?.aborted) end()
    })
  }

  #select(match: RequestMatch): RecordedEntry[] {
    const found = this.#journal.entries().filter(this.#matcher(match))
    return match.limit === undefined ? found : found.slice(Math.max(0, found.length - match.limit))
  }

  #matcher(match: RequestMatch): (entry: RecordedEntry) => boolean {
    const matches = matcherOf(match)
    const org_id = this.#org_id()
    return org_id === undefined ? matches : (entry) => entry.org_id === org_id && matches(entry)
  }
}

/** Longest timeout of a wait, ms. */
const longestWait = 600_000

const waitingTime = z.union([z.string(), z.number()]).transform((value, context): number => {
  const ms = milliseconds(value)
  if (ms !== undefined && ms <= longestWait) return ms
  context.addIssue({ code: 'custom', message: `${durationAdvice}, at most 10m` })
  return z.NEVER
})

/** Schema fields of what to wait for. */
export const expectation = {
  match: requestFilter.default({}).describe('Which requests to count; default: all.'),
  count: z
    .int()
    .min(1)
    .default(1)
    .describe('How many requests to wait for, including those already in the journal; default: 1.'),
  timeout: waitingTime
    .default(5_000)
    .describe('How long to wait, in real time; default: `5s`, maximum: `10m`.'),
}

const waitOptions = fields(expectation)
type Expected = Pick<z.output<typeof waitOptions>, keyof typeof expectation>

/** What to wait for; default: one request, for 5 seconds. */
interface WaitOptions {
  readonly match?: RequestFilter | undefined
  readonly count?: number | undefined
  /** How long, in real time. */
  readonly timeout?: Duration | undefined
}

/** The journal of a mock, or of one organization. An invalid filter throws a TypeError that names the problem. */
export interface MockJournal {
  /** Returns the matching requests, oldest first; default: all. */
  entries(filter?: RequestFilter): RequestView[]
  /** The same as `entries`, under the name of `POST /requests/find`. */
  find(filter: RequestFilter): RequestView[]
  /** Returns the number of matching requests. */
  count(filter?: RequestFilter): number
  /**
   * Waits until a number of matching requests are in the journal, and returns them.
   * @throws WaitTimeout if they do not arrive in time; it lists the requests that did.
   */
  wait(options?: WaitOptions): Promise<RequestView[]>
  /** Returns the matching requests as a HAR 1.2 document, for the network panel of a browser. */
  har(filter?: RequestFilter): Har
  /** Calls back with each matching request from now on; returns a function that stops this. */
  follow(callback: (request: RequestView) => void, filter?: RequestFilter): () => void
  /** Deletes all entries. */
  clear(): void
}

/** Creates the API of a reader. */
export function journalOf(reader: JournalReader): MockJournal {
  const entries = (filter: RequestFilter = {}) => reader.list(readFilter(filter))
  return {
    entries,
    find: entries,
    count: (filter = {}) => reader.count(readFilter(filter)),
    async wait(options = {}) {
      const match = withText(options.match)
      return reader.wait(checked('journal.wait', waitOptions, { ...options, match }))
    },
    har: (filter = {}) => reader.har(readFilter(filter)),
    follow: (notify, filter = {}) =>
      reader.follow(readFilter(filter), checked('journal.follow', callback, notify) as typeof notify),
    clear: () => reader.clear(),
  }
}

const readFilter = (filter: RequestFilter) => checked('journal', requestFilter, withText(filter))

/** Writes the Date in a filter as text, as control routes receive it. */
function withText(filter: RequestFilter | undefined): unknown {
  return filter?.since instanceof Date ? { ...filter, since: filter.since.toJSON() } : filter
}
