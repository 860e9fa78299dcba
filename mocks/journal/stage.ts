/** What decided a request, and the journal entry that keeps it. */
import type { JournalEntry } from '#traffic/journal-entry.ts'

/** The steps that can decide a request, in order; `state`: the handler, by the state of the organization. */
export const stages = [
  'authentication',
  'route',
  'preference',
  'fault',
  'rate_limit',
  'availability',
  'extended_set',
  'input',
  'text',
  'state',
  'bug',
] as const
/** A step that can decide a request. */
export type Stage = (typeof stages)[number]

/** A journal entry of the mock: also what decided it, and which changes it made. */
export interface RecordedEntry extends JournalEntry {
  /** Ids of the quirks that made the answer differ; undefined: the organization has none. */
  readonly quirks?: ReadonlySet<string> | undefined
  readonly decided_by: Stage
  /** Number of the last change of the mock before the request was handled. */
  readonly changes_from: number
  /** Number of its last change. The same as `changes_from`: it changed nothing. */
  readonly changes_to: number
  /** What it added to the credits of the organization, or took. */
  readonly credits: number
}
