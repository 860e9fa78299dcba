/** The in-process API of the journal, with the same operations as the control routes. */
import { z } from 'zod'
import { callback, checked, fields } from '#contract/input/checked.ts'
import type { Har } from '#traffic/har.ts'
import { type Duration, durationAdvice, milliseconds } from '../core/duration.ts'
import { type RequestFilter, requestFilter } from './filter.ts'
import type { JournalReader } from './reader.ts'
import type { RequestView } from './view.ts'

/** Longest timeout of a wait, ms. */
const longestWait = 600_000

const timeout = z.union([z.string(), z.number()]).transform((value, context): number => {
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
  timeout: timeout.default(5_000).describe('How long to wait, in real time; default: `5s`, maximum: `10m`.'),
}

const waitOptions = fields(expectation)

/** What to wait for; default: one request, for 5 seconds. */
export interface WaitOptions {
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
      const { timeout, ...rest } = checked('journal.wait', waitOptions, { ...options, match })
      return reader.wait({ ...rest, timeout_ms: timeout })
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
