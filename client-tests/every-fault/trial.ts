/** One run of a client under faults: its requests, its end, and the work that the state of its organization shows. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import type { ClientReport, ReportedRequest } from '../client-report.ts'
import { answerSummary } from '../entries.ts'

/** A request of a client and its answer, without secrets. */
export interface ClientExchange
  extends Pick<JournalEntry, 'id' | 'operation' | 'org_id' | 'status' | 'error' | 'reason' | 'wire'> {
  /** ISO 8601, mock time. */
  readonly at: string
  readonly request: Pick<JournalEntry, 'method' | 'url' | 'body'>
}

/** One run of a client under faults: its requests, how it ended, and the work that it left behind. */
export interface ClientTrial {
  /** In the order in which they arrived. */
  readonly requests: readonly ClientExchange[]
  /** True if a fault was applied to a request, even if the client gave that up before its answer. */
  readonly isMet: boolean
  /** The report on its requests, judged by the rules for clients. */
  readonly report: ClientReport
  /** True if the client ended without an error; undefined if it was killed or interrupted. */
  readonly end: { readonly ok: boolean } | undefined
  /** How it ended, in a few words. */
  readonly note: string
  /** The work that the service had done for it when it ended. */
  readonly work: AgentWorkCounts
  /** The work that the service had done once all of its requests had taken effect and all runs had ended. */
  readonly settled: AgentWorkCounts
}

/** The path of a request without its query. */
export const pathWithoutQuery = ({ request }: ClientExchange) =>
  URL.parse(request.url)?.pathname ?? request.url

/** Converts requests to the form in which a client report shows evidence. */
export function toReportedRequests(requests: readonly ClientExchange[]): ReportedRequest[] {
  return requests.map((one) => ({
    request_id: one.id,
    at: one.at,
    method: one.request.method,
    path: pathWithoutQuery(one),
    answer: answerSummary(one),
  }))
}

/** The rows of an organization that the work of a client is counted from, in the form of a snapshot of the mock. */
export interface OrganizationRows {
  readonly tasks: readonly {
    readonly id: string
    readonly run: { readonly ended: boolean; readonly reserve: { readonly request_id: string | null } } | null
  }[]
  readonly documents: readonly unknown[]
  readonly landing_pages: readonly unknown[]
  readonly keys: readonly { readonly deleted: boolean }[]
  readonly notifications: readonly { readonly read: boolean }[]
  readonly ledger: readonly {
    readonly kind: string
    readonly subject: string | null
    readonly request_id: string | null
  }[]
}

/** The kind of row that each creating operation adds. */
export const rowKindByOperation = {
  createTask: 'tasks',
  createDocument: 'documents',
  createLandingPage: 'landing_pages',
  createKey: 'keys',
} as const
type Kind = (typeof rowKindByOperation)[keyof typeof rowKindByOperation]

/** The work that the service did for a client, counted from the state of its organization: numbers by kind. */
export interface AgentWorkCounts {
  /** The number of creations of each kind. */
  readonly created: Readonly<Record<Kind, number>>
  /** The number of keys that were deleted. */
  readonly deleted: number
  /** The number of notifications that were marked as read. */
  readonly read: number
  /** Ids of the requests that cost a credit which was not refunded. */
  readonly paid: readonly string[]
  /**
   * Ids of the paid requests, and of each task's latest run, which counts as accepted even if it failed and was
   * refunded.
   */
  readonly accepted: readonly string[]
  /** Runs that had not ended when the client did. */
  readonly open: readonly { readonly task_id: string; readonly request_id: string }[]
}

/** Counts the work that was done between two states of an organization. */
export function workDoneBetween(before: OrganizationRows, now: OrganizationRows): AgentWorkCounts {
  const more = (kind: Kind) => now[kind].length - before[kind].length
  const deleted = (state: OrganizationRows) => state.keys.filter((key) => key.deleted).length
  const read = (state: OrganizationRows) => state.notifications.filter((one) => one.read).length
  const refunded = new Set(now.ledger.flatMap(({ kind, subject }) => (kind === 'refund' ? [subject] : [])))
  const paid = now.ledger.flatMap(({ kind, subject, request_id }) =>
    kind === 'reserve' && request_id !== null && !refunded.has(subject) ? [request_id] : [],
  )
  return {
    created: Object.fromEntries(
      Object.values(rowKindByOperation).map((kind) => [kind, more(kind)]),
    ) as AgentWorkCounts['created'],
    deleted: deleted(now) - deleted(before),
    read: read(now) - read(before),
    paid,
    accepted: [...new Set([...paid, ...now.tasks.flatMap(({ run }) => run?.reserve.request_id ?? [])])],
    open: now.tasks.flatMap(({ id, run }) =>
      run && !run.ended && run.reserve.request_id !== null
        ? [{ task_id: id, request_id: run.reserve.request_id }]
        : [],
    ),
  }
}

/**
 * Lists the work that a client did in its usual run and has not done in this one, one text for each kind; empty if
 * there is none. Runs in progress count as not done.
 */
export function missingWorkTexts(work: AgentWorkCounts, usual: AgentWorkCounts): string[] {
  const counted = (name: string, done: number, wanted: number) =>
    done < wanted ? [`${done} of ${wanted} ${name}`] : []
  const open = work.open.length - usual.open.length
  return [
    ...Object.values(rowKindByOperation).flatMap((kind) =>
      counted(`${kind.replace('_', ' ')} created`, work.created[kind], usual.created[kind]),
    ),
    ...counted('keys deleted', work.deleted, usual.deleted),
    ...counted('paid runs accepted', work.accepted.length, usual.accepted.length),
    ...(open > 0 ? [`${open} of ${work.accepted.length} paid runs still in progress`] : []),
  ]
}

/** True if anything was created, deleted or paid for. */
export const isAnyWorkDone = ({ created, deleted, paid }: AgentWorkCounts) =>
  paid.length + deleted > 0 || Object.values(created).some((count) => count > 0)
