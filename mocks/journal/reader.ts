/** Reads the journal of a mock, or of one organization in it; what it shows has no secrets. */

import { type Har, harOf } from '#traffic/har.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { matcherOf, type RequestMatch } from './filter.ts'
import type { Journal } from './journal.ts'
import { type RequestView, viewRequest } from './view.ts'

/** What to wait for. */
export interface Expected {
  readonly match: RequestMatch
  /** Requests, those that are kept included. */
  readonly count: number
  /** Real ms. */
  readonly timeout_ms: number
}

/** So many requests did not come in time. */
export class WaitTimeout extends Error {
  /** Those that came, oldest first. */
  readonly matched: readonly RequestView[]
  /** The newest of all that came, whether they match or not, oldest first. */
  readonly seen: readonly RequestView[]

  constructor(message: string, matched: readonly RequestView[], seen: readonly RequestView[]) {
    super(message)
    this.matched = matched
    this.seen = seen
  }
}

/** How many of the newest requests an expectation that was not met shows. */
const shown = 10

export class JournalReader {
  readonly #journal: Journal
  readonly #org_id: () => string | undefined
  readonly #keys: readonly string[]

  /** `org_id`: of the organization in question, none: all; `keys`: secrets that are not known by how they begin. */
  constructor(journal: Journal, org_id: () => string | undefined, keys: readonly string[] = []) {
    this.#journal = journal
    this.#org_id = org_id
    this.#keys = keys
  }

  /** Requests that match, oldest first. */
  list(match: RequestMatch): RequestView[] {
    return this.#select(match).map(this.#view)
  }

  /** How many requests match. */
  count(match: RequestMatch): number {
    return this.#select(match).length
  }

  /** Requests that match, as a HAR 1.2 document. */
  har(match: RequestMatch): Har {
    return harOf(this.#select(match), this.#keys)
  }

  /** Calls back with each request that matches from now on; answers a function that stops it. */
  follow(match: RequestMatch, tell: (request: RequestView) => void): () => void {
    const matches = this.#matcher(match)
    return this.#journal.follow((entry) => {
      if (matches(entry)) tell(this.#view(entry))
    })
  }

  /** Forgets what was kept. */
  clear(): void {
    this.#journal.clear(this.#org_id())
  }

  /** Answers so many requests, once they have come. @throws Unmet where they do not, or nobody waits any more. */
  async wait({ match, count, timeout_ms }: Expected, signal?: AbortSignal): Promise<RequestView[]> {
    const matches = this.#matcher(match)
    const matched = this.#journal.entries().filter(matches)
    if (matched.length < count) await this.#more(matched, matches, count, timeout_ms, signal)
    const views = matched.map(this.#view)
    if (matched.length >= count) return views
    const advice = `${matched.length} of ${count} such requests came in ${timeout_ms} ms.`
    throw new WaitTimeout(advice, views, this.list({ limit: shown }))
  }

  /** Takes in what comes until there is enough of it, the time is over, or nobody waits any more. */
  #more(
    matched: JournalEntry[],
    matches: (entry: JournalEntry) => boolean,
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

  #select(match: RequestMatch): JournalEntry[] {
    const found = this.#journal.entries().filter(this.#matcher(match))
    return match.limit === undefined ? found : found.slice(Math.max(0, found.length - match.limit))
  }

  #matcher(match: RequestMatch): (entry: JournalEntry) => boolean {
    const matches = matcherOf(match)
    const org_id = this.#org_id()
    return org_id === undefined ? matches : (entry) => entry.org_id === org_id && matches(entry)
  }

  #view = (entry: JournalEntry): RequestView => viewRequest(entry, this.#keys)
}
