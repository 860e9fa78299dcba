/** Reads the journal of a mock, or of one of its organizations, with secrets redacted. */

import { type Har, harOf } from '#traffic/har.ts'
import { matcherOf, type RequestMatch } from './filter.ts'
import type { Journal } from './journal.ts'
import { type RequestRow, rowOf } from './row.ts'
import type { RecordedEntry } from './stage.ts'
import { type RequestView, viewRequest } from './view.ts'

/** What to wait for. */
export interface Expectation {
  readonly match: RequestMatch
  /** Number of requests, including those already in the journal. */
  readonly count: number
  /** Real ms. */
  readonly timeout_ms: number
}

/** The expected requests did not arrive in time. */
export class WaitTimeout extends Error {
  /** The matching requests that arrived, oldest first. */
  readonly matched: readonly RequestView[]
  /** The newest of all requests, matching or not, oldest first. */
  readonly seen: readonly RequestView[]

  constructor(message: string, matched: readonly RequestView[], seen: readonly RequestView[]) {
    super(message)
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
    return this.#select(match).map(this.#view)
  }

  /** The same, each when it is asked for. */
  *each(match: RequestMatch): Generator<RequestView> {
    for (const entry of this.#select(match)) yield this.#view(entry)
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
  view(entry: RecordedEntry): RequestView {
    return this.#view(entry)
  }

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
      if (matches(entry)) callback(this.#view(entry))
    })
  }

  /** Deletes the entries. */
  clear(): void {
    this.#journal.clear(this.#org_id())
  }

  /** Returns the expected requests once they have arrived. @throws WaitTimeout if they do not, or `signal` is aborted. */
  async wait({ match, count, timeout_ms }: Expectation, signal?: AbortSignal): Promise<RequestView[]> {
    const matches = this.#matcher(match)
    const matched = this.#journal.entries().filter(matches)
    if (matched.length < count) await this.#collect(matched, matches, count, timeout_ms, signal)
    const views = matched.map(this.#view)
    if (matched.length >= count) return views
    const message = `${matched.length} of ${count} matching requests arrived within ${timeout_ms} ms.`
    throw new WaitTimeout(message, views, this.list({ limit: mostSeen }))
  }

  /** Adds matching entries to `matched` until there are enough, the time is over or `signal` is aborted. */
  #collect(
    matched: RecordedEntry[],
    matches: (entry: RecordedEntry) => boolean,
    count: number,
    timeout_ms: number,
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
      const timer = setTimeout(end, timeout_ms)
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

  #view = (entry: RecordedEntry): RequestView => viewRequest(entry, this.#secrets())
}
