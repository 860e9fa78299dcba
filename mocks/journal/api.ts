/** The journal in process: the words of the control routes, as functions. */
import { z } from 'zod'
import type { Har } from '#traffic/har.ts'
import { milliseconds } from '../core/duration.ts'
import { type RequestFilter, requestFilter } from './filter.ts'
import type { JournalReader } from './reader.ts'
import type { RequestView } from './view.ts'

/** Longest time that somebody waits, ms. */
const longestWait = 600_000

const timeout = z.union([z.string(), z.number()]).transform((value, context): number => {
  const ms = milliseconds(value)
  if (ms !== undefined && ms <= longestWait) return ms
  context.addIssue({ code: 'custom', message: 'takes a duration such as 5s or 150ms, 10m at most' })
  return z.NEVER
})

/** What to wait for, as it is written. */
export const expectation = {
  match: requestFilter.default({}).describe('Which requests count; default: all.'),
  count: z.int().min(1).default(1).describe('How many of them, those that are kept included; default: 1.'),
  timeout: timeout.default(5_000).describe('How long to wait, in real time; default: `5s`, longest: `10m`.'),
}

const expected = z.strictObject(expectation)

/** The journal of a mock, or of one organization. Every filter may throw a TypeError that says what is wrong with it. */
export interface MockJournal {
  /** Requests that match, oldest first; without a filter all that are kept. */
  entries(filter?: RequestFilter): RequestView[]
  /** The same, in the word of `POST /requests/find`. */
  find(filter: RequestFilter): RequestView[]
  /** How many requests match. */
  count(filter?: RequestFilter): number
  /**
   * Answers so many requests, once they have come: at once where they already have.
   * @throws Unmet where they do not come in time; it tells what did.
   */
  wait(asked?: z.input<typeof expected>): Promise<RequestView[]>
  /** Requests that match, as a HAR 1.2 document for the network panel of a browser. */
  har(filter?: RequestFilter): Har
  /** Calls back with each request that matches from now on; answers a function that stops it. */
  follow(tell: (request: RequestView) => void, filter?: RequestFilter): () => void
  /** Forgets what was kept. */
  clear(): void
}

/** The words of a reader. */
export function journalOf(reader: JournalReader): MockJournal {
  const entries = (filter: RequestFilter = {}) => reader.list(read(requestFilter, filter))
  return {
    entries,
    find: entries,
    count: (filter = {}) => reader.count(read(requestFilter, filter)),
    async wait(asked = {}) {
      const { timeout, ...rest } = read(expected, asked)
      return reader.wait({ ...rest, timeout_ms: timeout })
    },
    har: (filter = {}) => reader.har(read(requestFilter, filter)),
    follow: (tell, filter = {}) => reader.follow(read(requestFilter, filter), tell),
    clear: () => reader.clear(),
  }
}

function read<S extends z.ZodType>(schema: S, value: z.input<S>): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new TypeError(`${issue?.path.join('.') || 'the filter'}: ${issue?.message}`)
}
