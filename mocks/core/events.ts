/** What happens in an organization, told in order, each at its mock time. */

export type EventType =
  | 'run_accepted'
  | 'run_started'
  | 'run_ended'
  | 'credit_reserved'
  | 'credit_refunded'
  | 'credits_added'
  | 'notification_added'

export interface OrganizationEvent {
  readonly type: EventType
  readonly org_id: string
  /** Mock time, ms since the epoch. */
  readonly at: number
  /** The task, run, ledger entry or notification that it is about. */
  readonly subject: string
  /** Credits of a ledger event; the outcome of a run that ended. */
  readonly detail?: number | string
}
