/** Reads journal entries as rules need them: what was asked, and what the client was told. */
import { routeOf } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'

type Entries = readonly JournalEntry[]

/** The path without its query, as sent. */
export function pathOf({ url }: JournalEntry): string {
  return URL.parse(url)?.pathname ?? url
}

/** The task that a request is about, as its path spells it; undefined: none. */
export function taskOf(entry: JournalEntry): string | undefined {
  return entry.operation === 'getTask' || entry.operation === 'runTask'
    ? pathOf(entry).split('/')[4]
    : undefined
}

/** Whether a request asks for something that costs a credit (§8.2). */
export function isPaid({ operation }: JournalEntry): boolean {
  return operation !== null && routeOf(operation).cost === 1
}

/** What happens to a connection so that the client is left without an answer. */
const silent = new Set<string | null>(['reset', 'empty', 'truncate', 'hang'])

/** Whether the client got an answer that it could read. */
export function isAnswered({ wire, reason }: JournalEntry): boolean {
  return !silent.has(wire) && !/\bmalformed\b/.test(reason ?? '')
}

/** The answer as JSON; empty where the client could read none, or where it was too long to keep. */
export function answerOf(entry: JournalEntry): Record<string, unknown> {
  if (!isAnswered(entry)) return {}
  try {
    const value: unknown = JSON.parse(entry.answer)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Whether the client got a success. */
export function isSuccess(entry: JournalEntry): boolean {
  return entry.status < 300 && isAnswered(entry)
}

/** Whether the client was told of an error, by its code. */
export function reportsError(entry: JournalEntry, error: string): boolean {
  return entry.error === error && isAnswered(entry)
}

/** Whether a look at a task told that its status is final (§3.1). */
export function reportsFinished(entry: JournalEntry): boolean {
  return isSuccess(entry) && answerOf(entry).finished === true
}

/** Whether a run was accepted and was not over at once: also the one that is answered `busy` (§3.3). */
export function isAccepted(entry: JournalEntry): boolean {
  if (entry.operation !== 'runTask') return false
  return reportsError(entry, 'busy') || (isSuccess(entry) && !reportsFinished(entry))
}

/** Whether a text was too long for the journal, so that only its beginning is known. */
export function isCut(text: string): boolean {
  return /… \(\d+ characters\)$/.test(text)
}

/** Whether one request says the same as another. */
export function isSame(a: JournalEntry, b: JournalEntry): boolean {
  return a.method === b.method && a.url === b.url && a.body === b.body
}

/** The value of a request header; the name in lower case. */
export function headerOf({ headers }: JournalEntry, name: string): string | undefined {
  const at = headers.findIndex((one, i) => i % 2 === 0 && one.toLowerCase() === name)
  return at < 0 ? undefined : headers[at + 1]
}

/** The entries after one of them. */
export function after(entries: Entries, entry: JournalEntry): Entries {
  return entries.slice(entries.indexOf(entry) + 1)
}

/** The entries up to the first that fits, without it. */
export function until(entries: Entries, fits: (entry: JournalEntry) => boolean): Entries {
  const end = entries.findIndex(fits)
  return end < 0 ? entries : entries.slice(0, end)
}

/** ms between two requests. */
export function gap(earlier: JournalEntry, later: JournalEntry): number {
  return later.at - earlier.at
}

/** A length of time for people. */
export function seconds(ms: number): string {
  return `${Math.round(ms) / 1_000} s`
}
