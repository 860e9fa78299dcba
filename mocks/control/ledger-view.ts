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
  const sums = sumsOf(entries, org.agent.load)
  return { org_id: org.id, name: org.name, balance, ...sums, entries: viewEntries(entries) }
}

/** Returns what became of credits: a run that failed has spent none (§3.2). `reserved`: for runs that have not ended. */
export function sumsOf(entries: readonly LedgerEntry[], reserved: number) {
  const sums: Record<LedgerEntry['kind'], number> = { top_up: 0, reserve: 0, refund: 0 }
  for (const { kind, amount } of entries) sums[kind] += amount
  const spent = -sums.reserve - sums.refund - reserved
  return { reserved, spent, refunded: sums.refund, added: sums.top_up }
}

/** Returns ledger entries, oldest first, each with the balance after it. */
export function viewEntries(entries: readonly LedgerEntry[]): LedgerEntryView[] {
  let after = 0
  return entries.map((entry) => {
    after += entry.amount
    return viewEntry(entry, after)
  })
}

/** An entry as people read it: a balance that was set is one, although it is emptied first and then filled. */
type ReadEntry = Omit<LedgerEntryView, 'kind'> & { readonly kind: LedgerEntryView['kind'] | 'set' }

/** Returns the entries with those that set the balance as one each. */
export function withSets(entries: readonly LedgerEntryView[]): ReadEntry[] {
  const read: ReadEntry[] = []
  for (const entry of entries) {
    const before = read.at(-1)
    const emptied = before?.kind === 'set' && before.balance === 0 && before.at === entry.at
    const { kind, amount, balance } = entry
    if (emptied && kind === 'top_up')
      read.splice(-1, 1, { ...entry, amount: before.amount + amount, kind: 'set' })
    else read.push(kind === 'top_up' && amount <= 0 && balance === 0 ? { ...entry, kind: 'set' } : entry)
  }
  return read
}

function viewEntry({ at, ...entry }: LedgerEntry, balance: number): LedgerEntryView {
  const { id, kind, amount, subject, request_id } = entry
  return { id, at: new Date(at).toISOString(), kind, amount, balance, subject, request_id }
}
