/** An entry of the journal as people see it, without secrets. */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { pairsOf, redactionOf } from '#traffic/redaction.ts'

/** One request and its answer, for people. */
export interface RequestView {
  /** Place among all requests of the mock, from 1; never given twice. */
  readonly number: number
  /** `req_…`: what the ledger refers to. The same history gives the same ids: after a restore they come again. */
  readonly id: string
  /** Mock time: ISO 8601. */
  readonly at: string
  /** ms of mock time until the answer. */
  readonly duration_ms: number
  /** Null: nobody known. */
  readonly org_id: string | null
  /** The key by its id; null: none, or a session. */
  readonly key_id: string | null
  /** Null: no operation. */
  readonly operation: OperationId | null
  /** 0: no answer was sent. */
  readonly status: number
  /** The `error` code of the answer. */
  readonly error: string | null
  readonly variant: Variant
  /** Which fault was at work, as `X-Mock-Reason` says. */
  readonly reason: string | null
  /** What happened to the connection, such as `reset`; null: nothing. */
  readonly wire: string | null
  readonly request: {
    readonly method: string
    readonly url: string
    /** Names in lower case; of a name that came twice both values, with a comma between them. */
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  }
  /** What was answered, or would have been where `wire` says otherwise. */
  readonly answer: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

/** Shows an entry. `keys`: secrets that are not known by how they begin. */
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
