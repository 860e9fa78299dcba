/** The ledger of an organization as shown to people: each change of the balance, with its time and cause. */
import { z } from 'zod'
import type { Organization } from '../core/organization.ts'
import type { LedgerEntry } from '../core/resources.ts'

/** A ledger entry with the balance after it. Amounts are credits. */
const ledgerEntryView = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(['top_up', 'reserve', 'refund']),
  amount: z.number().describe('Negative for a reserve, and if credits were removed.'),
  balance: z.number().describe('Spendable credits after the entry.'),
  subject: z.string().nullable().describe('The id of the run or artifact; null: none.'),
  request_id: z
    .string()
    .nullable()
    .describe('The request that caused the entry; null: caused by time or an operator.'),
})
/** A ledger entry with the balance after it. Times are ISO 8601 in mock time, amounts are credits. */
export type LedgerEntryView = Readonly<z.output<typeof ledgerEntryView>>

/** The ledger of one organization, with its sums. Amounts are credits. */
export const ledgerView = z.object({
  org_id: z.string(),
  name: z.string(),
  balance: z.number(),
  reserved: z.number().describe('Credits reserved for active and queued runs.'),
  spent: z.number(),
  refunded: z.number(),
  added: z.number(),
  entries: z.array(ledgerEntryView).describe('Oldest first.'),
})
/** The ledger of one organization, with its sums. Amounts are credits. */
export type LedgerView = Readonly<z.output<typeof ledgerView>>

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
