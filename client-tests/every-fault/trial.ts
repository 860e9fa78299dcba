/** One run of a client under faults, as whoever ran it saw it. */
import type { OperationId } from '#contract/operation.ts'
import type { ClientReport, RequestEvidence } from '../client-report.ts'
import { answerText } from '../entries.ts'
import type { Work } from './work.ts'

/** A request and its answer, without secrets. */
export interface SentRequest {
  /** The id in the journal. */
  readonly id: string
  /** ISO 8601, mock time. */
  readonly at: string
  /** Null: a path or method that is no operation. */
  readonly operation: OperationId | null
  /** Null: not authenticated. */
  readonly org_id: string | null
  /** 0: no answer was sent. */
  readonly status: number
  readonly error: string | null
  readonly reason: string | null
  readonly wire: string | null
  readonly request: { readonly method: string; readonly url: string; readonly body: string | null }
}

export interface Trial {
  /** In the order in which they arrived. */
  readonly requests: readonly SentRequest[]
  /** Whether a fault met a request, also one that the client gave up before its answer. */
  readonly isMet: boolean
  /** How the client did by the rules for requests. */
  readonly report: ClientReport
  /** How it ended; undefined: it was killed or interrupted. */
  readonly end: { readonly ok: boolean } | undefined
  /** The same in a few words. */
  readonly note: string
  /** What was done for it when it ended. */
  readonly work: Work
  /** The same once each of its requests had taken effect and each run had ended. */
  readonly settled: Work
}

/** The path of a request, without its query. */
export const pathIn = ({ request }: SentRequest) => URL.parse(request.url)?.pathname ?? request.url

/** Requests as a report shows them. */
export function evidenceIn(requests: readonly SentRequest[]): RequestEvidence[] {
  return requests.map((one) => ({
    request_id: one.id,
    at: one.at,
    method: one.request.method,
    path: pathIn(one),
    answer: answerText(one),
  }))
}
