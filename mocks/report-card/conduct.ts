/** What one organization asked of the mock, and what it is judged by. */
import type { Organization } from '../core/organization.ts'
import type { JournalEntry } from '../journal.ts'
import { headerOf } from './entries.ts'
import type { Context } from './rule.ts'

/** The requests of one organization, in the order of the journal, with everything that rules ask about them. */
export interface Conduct {
  readonly entries: readonly JournalEntry[]
  readonly context: Context
}

/** How the client ended, where that is known; undefined: it may go on. */
export type End = Context['end']

/** Requests of an organization; those that carry its key and were refused are among them. */
export function conductOf(org: Organization, journal: readonly JournalEntry[], end?: End): Conduct {
  const now = org.clock.now()
  org.settle(now)
  const secrets = org.keys.all().map(({ secret }) => secret)
  const entries = journal.filter(
    (entry) =>
      entry.org_id === org.id || (entry.org_id === null && secrets.some((key) => carries(entry, key))),
  )
  const { ledger } = org
  return {
    entries,
    context: { org_id: org.id, secrets, ledger: ledger.entries, now, end, knew: knowledge(entries) },
  }
}

/** Requests that belong to no organization, each credential on its own. */
export function conductOfStrangers(entries: readonly JournalEntry[], now: number, end?: End): Conduct {
  return { entries, context: { org_id: null, secrets: [], ledger: [], now, end, knew: knowledge(entries) } }
}

/** Whether a request shows a key, be it in the right place or not. */
function carries(entry: JournalEntry, secret: string): boolean {
  const bearer = headerOf(entry, 'authorization')?.slice('bearer '.length).trim()
  return bearer === secret || (secret.length >= longEnough && entry.url.includes(secret))
}

/** A shorter key may stand in an address by chance. */
const longEnough = 8

/** An answer is in hand after so long, ms: what comes sooner may have been on its way already. */
const delivery = 100

/** Whether the client had an answer in hand: it came before on the same connection, or long ago. */
function knowledge(entries: readonly JournalEntry[]): Context['knew'] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return (later, earlier) => {
    if (later.number <= earlier.number) return false
    if (later.at > earlier.at + earlier.duration_ms + delivery) return true
    let before = later.follows
    while (before !== null && before !== earlier.id) {
      const entry = byId.get(before)
      before = entry && entry.number > earlier.number ? entry.follows : null
    }
    return before === earlier.id
  }
}
