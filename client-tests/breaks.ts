/** Where a client broke off: it ended with an error right after a success. */
import { routeOf } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { isAnswered, isSame, isSuccess, reportsError, reportsFinished } from './entries.ts'
import type { Context } from './rule.ts'

type Entries = readonly JournalEntry[]

/** Whether a request failed, and the client neither repeated it with success nor can do without it. */
function isTrouble(entry: JournalEntry, later: Entries): boolean {
  if ((entry.status < 400 && isAnswered(entry)) || reportsError(entry, 'busy')) return false
  const isOptional =
    entry.status === 404 && entry.operation !== null && routeOf(entry.operation).set === 'extended'
  return !isOptional && !later.some((one) => isSame(one, entry) && isSuccess(one))
}

/** The last request that failed for good; undefined: none did. */
export function lastFailure(entries: Entries): JournalEntry | undefined {
  return entries.findLast((entry, i) => isTrouble(entry, entries.slice(i + 1)))
}

/** The number of the last request that failed for good; 0: none did. */
export const lastTrouble = (entries: Entries): number => lastFailure(entries)?.number ?? 0

/** Whether a run failed, which a client may report by ending with an error: its credit was refunded. */
export function hasFailedRun([first]: Entries, { ledger }: Context): boolean {
  return first !== undefined && ledger.some(({ kind, at }) => kind === 'refund' && at >= first.at)
}

/** Whether the client stopped at an answer: it ended with an error although nothing had gone wrong. */
export function brokeOff(entries: Entries, entry: JournalEntry, context: Context): boolean {
  return (
    context.end?.ok === false &&
    entry === entries.at(-1) &&
    lastTrouble(entries) === 0 &&
    !(reportsFinished(entry) && hasFailedRun(entries, context))
  )
}
