/** One exchange as the service recorded it: a request and its answer. */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'

/** One request and its answer, as the journal of a mock keeps them. Times are mock time. */
export interface JournalEntry {
  /** `req_…`: the id that ledger entries refer to. */
  readonly id: string
  /**
   * The previous request of the same organization on the same connection, if the client had received its answer before
   * it sent this one. Null: there is none, or it is not known.
   */
  readonly follows: string | null
  /** Number among all entries of the mock, from 1. */
  readonly number: number
  readonly org_id: string | null
  /** The key that was used, by id; null if there is none, or for a session. */
  readonly key_id: string | null
  /** Null: a path or method that is no operation. */
  readonly operation: OperationId | null
  readonly method: string
  /** With scheme and host, as the client sent it. */
  readonly url: string
  /** Names and values in turn, as sent: `rawHeaders`. Secrets included; `redaction.ts` removes them. */
  readonly headers: readonly string[]
  readonly body: string | null
  /** 0: no answer was sent. */
  readonly status: number
  readonly answerHeaders: Readonly<Record<string, string>>
  /** The body of the answer or, after a connection fault, the body that it would have had. */
  readonly answer: string
  /** The `error` code of the answer, or null. */
  readonly error: string | null
  /** The fault that applied, as in `X-Mock-Reason`; null if there is none. */
  readonly reason: string | null
  /** The connection fault that the client saw instead of an answer, or null. */
  readonly wire: string | null
  readonly variant: Variant
  /** ms since the epoch. */
  readonly at: number
  /** By how many ms `at` may be too early, where a recorder wrote whole seconds only. */
  readonly clock_ms?: number
  /**
   * How long the request waited behind others on its connection until it was taken up at `at`, ms: it had arrived
   * before the previous answer was sent. Unset if it did not wait, or if that is not known.
   */
  readonly waited_ms?: number | undefined
  /**
   * How long before `at` its connection was opened, ms: the client may have decided at that time to send it. Unset if
   * it is not the first on its connection, or if that is not known.
   */
  readonly opened_ms?: number | undefined
  /** ms of mock time until the answer. */
  readonly duration_ms: number
}

/**
 * Numbers entries in their order. Computed fields of the journal's entries are kept, which object spread would lose.
 */
export const numberEntriesInOrder = (entries: readonly JournalEntry[]): JournalEntry[] =>
  entries.map((entry, i) => {
    const { id, org_id, follows } = entry
    return { ...entry, id, org_id, follows, number: i + 1 }
  })

/** Characters of a text that is kept whole: a valid request seldom has more. */
const longestText = 131_072

/** Cuts a long text to its beginning, copied so that the original can be freed; a short text stays unchanged. */
export function truncateText(text: string): string {
  if (text.length <= longestText) return text
  const beginning = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, 2_048).toWellFormed()))
  return `${beginning}… (${text.length} characters)`
}

/** True if a text in the journal is only the beginning of what was sent. */
export function isTruncated(text: string): boolean {
  return text.length < longestText && /… \(\d+ characters\)$/.test(text)
}
