/** The ledger of an organization as people see it: who reserved, got back and was given what, when, and by what. */

import type { Organization } from '../core/organization.ts'
import type { LedgerEntry } from '../core/resources.ts'

/** One entry, and what could be spent after it. */
export interface LedgerEntryView {
  readonly id: string
  /** Mock time: ISO 8601. */
  readonly at: string
  readonly kind: LedgerEntry['kind']
  /** Credits; negative for a reserve, or where credits were taken away. */
  readonly amount: number
  readonly balance: number
  /** The run or artifact that a credit was for; null: none. */
  readonly subject: string | null
  /** The request that caused it, by its id in the journal; null: time, or an operator. */
  readonly request_id: string | null
}

export interface LedgerView {
  readonly org_id: string
  readonly name: string
  /** Credits that can be spent now. */
  readonly balance: number
  /** Credits that are held for runs that are going or waiting. */
  readonly reserved: number
  /** Credits that were spent for good. */
  readonly spent: number
  /** Credits that were given back. */
  readonly refunded: number
  /** Credits that were added, less those that were taken away. */
  readonly added: number
  /** Oldest first. */
  readonly entries: readonly LedgerEntryView[]
}

/** Shows a ledger as it stands now. */
export function viewLedger(org: Organization): LedgerView {
  org.settle(org.clock.now())
  const { balance, entries } = org.ledger
  const sums: Record<LedgerEntry['kind'], number> = { top_up: 0, reserve: 0, refund: 0 }
  let after = 0
  const views = entries.map((entry) => {
    sums[entry.kind] += entry.amount
    after += entry.amount
    return viewEntry(entry, after)
  })
  const reserved = org.agent.load
  return {
    org_id: org.id,
    name: org.name,
    balance,
    reserved,
    spent: -sums.reserve - sums.refund - reserved,
    refunded: sums.refund,
    added: sums.top_up,
    entries: views,
  }
}

function viewEntry({ at, ...entry }: LedgerEntry, balance: number): LedgerEntryView {
  const { id, kind, amount, subject, request_id } = entry
  return { id, at: new Date(at).toISOString(), kind, amount, balance, subject, request_id }
}
