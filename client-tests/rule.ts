/** A rule for clients: what the specification asks of them, as data, and one pure function that judges it. */
import type { JournalEntry } from '#traffic/journal-entry.ts'

/** `MUST`: the specification writes it. `SHOULD`: it only follows from it; shown as advice. */
export type Level = 'MUST' | 'SHOULD'

/** One change of a balance, as far as rules look at it. */
export interface LedgerEntry {
  readonly kind: string
  /** Credits; negative when they were spent. */
  readonly amount: number
  /** ms since the epoch. */
  readonly at: number
  /** The request that caused it; null: none. */
  readonly request_id: string | null
}

/** What a rule is judged by beside the requests: all of one organization. */
export interface Context {
  /** Null: requests of nobody known. */
  readonly org_id: string | null
  /** The bearer values of its keys. */
  readonly secrets: readonly string[]
  /** Its ledger, oldest first: when credits came. */
  readonly ledger: readonly LedgerEntry[]
  /** Mock time of the judgement, ms since the epoch. */
  readonly now: number
  /** How the client ended; undefined: it may go on. */
  readonly end: { readonly ok: boolean } | undefined
  /** Whether the client had the answer to the earlier request in hand when it sent the later one. */
  knew(later: JournalEntry, earlier: JournalEntry): boolean
}

/** Something that happened to the client, and what it made of it. Without a violation it did well. */
export interface Situation {
  readonly evidence: readonly JournalEntry[]
  /** What the client did wrong, in the past tense, without a subject. */
  readonly violation?: string | undefined
}

export interface Rule {
  /** Stable, unique, never reused. */
  readonly id: string
  readonly level: Level
  readonly section: string
  /** A sentence that is true of a good client. */
  readonly statement: string
  /** What has to happen before the rule can be judged. */
  readonly needs: string
  /** How to fix a client that breaks it, in one sentence. */
  readonly fix: string
  /**
   * The situations that the rule is about, in order; none: it was not exercised.
   * `entries`: the requests of one organization, in the order of the journal.
   */
  judge(entries: readonly JournalEntry[], context: Context): Situation[]
}
