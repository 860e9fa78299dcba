/** A journal entry in one line, without secrets: what a list of many requests shows. */
import type { OperationId } from '#contract/operation.ts'
import { redactionOf } from '#traffic/redaction.ts'
import type { RecordedEntry, Stage } from './stage.ts'

/** One request in one line. */
export interface RequestRow {
  /** Number among all requests of the mock, from 1. */
  readonly number: number
  readonly id: string
  /** Mock time: ISO 8601. */
  readonly at: string
  /** Mock time until the response, ms. */
  readonly duration_ms: number
  /** Null: not authenticated. */
  readonly org_id: string | null
  /** Null: the path and method are no operation. */
  readonly operation: OperationId | null
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** 0: no response was sent. */
  readonly status: number
  readonly error: string | null
  /** The fault that applied, as in `X-Mock-Reason`; null: none. */
  readonly reason: string | null
  /** The connection fault, such as `reset`; null: none. */
  readonly wire: string | null
  /** What it added to the credits of the organization, or took. */
  readonly credits: number
  readonly decided_by: Stage
}

/** Paths with nothing in them but words and an id of the mock's own form: no secret looks like that. */
const harmless = /^\/api\/cli(?:\/[a-z-]+)+(?:\/[a-z]+_[0-9a-z]{16}(?:\/[a-z]+)?)?$/

/** Returns an entry in one line. `keys`: secrets to redact that have no known prefix. */
export function rowOf(entry: RecordedEntry, keys: readonly string[] = []): RequestRow {
  return {
    number: entry.number,
    id: entry.id,
    at: timeOf(entry.at),
    duration_ms: entry.duration_ms,
    org_id: entry.org_id,
    operation: entry.operation,
    method: entry.method,
    path: pathOf(entry, keys),
    status: entry.status,
    error: entry.error,
    reason: entry.reason,
    wire: entry.wire,
    credits: entry.credits,
    decided_by: entry.decided_by,
  }
}

/** The last time that was written; requests of one millisecond are many. */
let last = { at: Number.NaN, text: '' }

function timeOf(at: number): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() }
  return last.text
}

function pathOf(entry: RecordedEntry, keys: readonly string[]): string {
  const path = entry.url.slice(entry.url.indexOf('/', entry.url.indexOf('//') + 2))
  const authenticated = entry.decided_by !== 'authentication'
  return authenticated && isHarmless(path, keys) ? path : redactionOf(entry, keys).text(path)
}

/** Returns whether a path cannot show a secret. */
export function isHarmless(path: string, keys: readonly string[] = []): boolean {
  return keys.length === 0 && harmless.test(path)
}
