/** Events of an organization, emitted in order, each with its mock time. */
import type { LedgerEntry } from './resources.ts'

/** The type of an event. */
export type EventType =
  | 'run_accepted'
  | 'run_started'
  | 'run_ended'
  | 'credit_reserved'
  | 'credit_refunded'
  | 'credits_added'
  | 'notification_added'

/** One event of an organization. */
export interface OrganizationEvent {
  readonly type: EventType
  readonly org_id: string
  /** Mock time, ms since the epoch. */
  readonly at: number
  /** The id of the run, artifact, ledger entry or notification. */
  readonly subject: string
  /** The credits of a ledger event, or the outcome of a run that ended. */
  readonly detail?: number | string
}

/** The event of each kind of ledger entry. */
export const ledgerEvents = {
  top_up: 'credits_added',
  reserve: 'credit_reserved',
  refund: 'credit_refunded',
} as const satisfies Record<LedgerEntry['kind'], EventType>
