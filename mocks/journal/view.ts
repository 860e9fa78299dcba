/** Journal entries as shown to people, with secrets redacted. */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { pairsOf, redactionOf } from '#traffic/redaction.ts'

/** One request and its response. */
export interface RequestView {
  /** Number among all requests of the mock, from 1; never reused. */
  readonly number: number
  /** `req_…`, referenced by the ledger. The same history gives the same ids, so they repeat after a restore. */
  readonly id: string
  /** Mock time: ISO 8601. */
  readonly at: string
  /** Mock time until the response, ms. */
  readonly duration_ms: number
  /** Null: not authenticated. */
  readonly org_id: string | null
  /** The id of the key; null: none, or a session. */
  readonly key_id: string | null
  /** Null: the path and method are no operation. */
  readonly operation: OperationId | null
  /** 0: no response was sent. */
  readonly status: number
  /** The `error` code of the response. */
  readonly error: string | null
  readonly variant: Variant
  /** The fault that applied, as in `X-Mock-Reason`; null: none. */
  readonly reason: string | null
  /** The connection fault, such as `reset`; null: none. */
  readonly wire: string | null
  readonly request: {
    readonly method: string
    readonly url: string
    /** Names in lower case; repeated headers are joined with a comma. */
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  }
  /** The response, or what it would have been without the fault in `wire`. */
  readonly answer: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

/** Converts an entry. `keys`: secrets to redact that have no known prefix. */
export function viewRequest(entry: JournalEntry, keys: readonly string[] = []): RequestView {
  const redaction = redactionOf(entry, keys)
  const headers: Record<string, string> = {}
  for (const [name, value] of pairsOf(entry.headers)) {
    const shown = redaction.header(name, value)
    const before = headers[name.toLowerCase()]
    headers[name.toLowerCase()] = before === undefined ? shown : `${before}, ${shown}`
  }
  const answerHeaders = Object.entries(entry.answerHeaders).map(([name, value]) => [
    name,
    redaction.header(name, value),
  ])
  return {
    number: entry.number,
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    duration_ms: entry.duration_ms,
    org_id: entry.org_id,
    key_id: entry.key_id,
    operation: entry.operation,
    status: entry.status,
    error: entry.error,
    variant: entry.variant,
    reason: entry.reason,
    wire: entry.wire,
    request: {
      method: entry.method,
      url: redaction.text(entry.url),
      headers,
      body: entry.body === null ? null : redaction.text(entry.body),
    },
    answer: {
      headers: Object.fromEntries(answerHeaders),
      body: entry.operation === 'createKey' ? redaction.newKey(entry.answer) : redaction.text(entry.answer),
    },
  }
}
