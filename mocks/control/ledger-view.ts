/** The ledger of an organization as shown to people: each change of the balance, with its time and cause. */

import type { Organization } from '../core/organization.ts'
import type { LedgerEntry } from '../core/resources.ts'

/** A ledger entry with the balance after it. Amounts are credits. */
export interface LedgerEntryView {
  readonly id: string
  /** Mock time: ISO 8601. */
  readonly at: string
  readonly kind: LedgerEntry['kind']
  /** Negative for a reserve, and if credits were removed. */
  readonly amount: number
  readonly balance: number
  /** The id of the run or artifact; null: none. */
  readonly subject: string | null
  /** The journal id of the request that caused the entry; null: caused by time or an operator. */
  readonly request_id: string | null
}

/** The ledger of one organization, with its sums. Amounts are credits. */
export interface LedgerView {
  readonly org_id: string
  readonly name: string
  /** Spendable credits. */
  readonly balance: number
  /** Credits reserved for active and queued runs. */
  readonly reserved: number
  /** Credits spent. */
  readonly spent: number
  /** Credits refunded. */
  readonly refunded: number
  /** Credits added, minus credits removed. */
  readonly added: number
  /** Oldest first. */
  readonly entries: readonly LedgerEntryView[]
}

/** Returns the ledger of an organization as of now. */
export function viewLedger(org: Organization): LedgerView {
  org.settle(org.clock.now())
  const { balance, entries } = org.ledger
  const sums: Record<LedgerEntry['kind'], number> = { top_up: 0, reserve: 0, refund: 0 }
  for (const { kind, amount } of entries) sums[kind] += amount
  const reserved = org.agent.load
  return {
    org_id: org.id,
    name: org.name,
    balance,
    reserved,
    spent: -sums.reserve - sums.refund - reserved,
    refunded: sums.refund,
    added: sums.top_up,
    entries: viewEntries(entries),
  }
}

/** Returns ledger entries, oldest first, each with the balance after it. */
export function viewEntries(entries: readonly LedgerEntry[]): LedgerEntryView[] {
  let after = 0
  return entries.map((entry) => {
    after += entry.amount
    return viewEntry(entry, after)
  })
}

function viewEntry({ at, ...entry }: LedgerEntry, balance: number): LedgerEntryView {
  const { id, kind, amount, subject, request_id } = entry
  return { id, at: new Date(at).toISOString(), kind, amount, balance, subject, request_id }
}
