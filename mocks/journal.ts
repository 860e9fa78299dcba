/** What was asked of the mock and how it was answered: a ring of entries, bounded in number and in size. */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { shortOf } from './core/short.ts'

/** One request and its answer, as kept. Times are mock time. */
export interface JournalEntry {
  /** `req_…`: the id that ledger entries refer to. */
  readonly id: string
  /**
   * The request of the same organization before it on the same connection: the client had its answer in hand.
   * Null: none, or not known.
   */
  readonly follows: string | null
  /** Place among all entries of the mock, from 1. */
  readonly number: number
  readonly org_id: string | null
  /** The key that was used, by id; null: none, or a session. */
  readonly key_id: string | null
  /** Null: a path or method that is no operation. */
  readonly operation: OperationId | null
  readonly method: string
  /** With scheme and host, as the client asked. */
  readonly url: string
  /** Names and values in turn, as sent: `rawHeaders`. Secrets included; `journal-view.ts` takes them out. */
  readonly headers: readonly string[]
  readonly body: string | null
  /** 0: no answer was sent. */
  readonly status: number
  readonly answerHeaders: Readonly<Record<string, string>>
  /** What was answered, or would have been, had it been sent. */
  readonly answer: string
  /** The `error` code of the answer, or null. */
  readonly error: string | null
  /** Why the mock answered so where a fault was asked for: what `X-Mock-Reason` says. */
  readonly reason: string | null
  /** What happened to the connection instead of an answer, or null. */
  readonly wire: string | null
  readonly variant: Variant
  /** ms since the epoch. */
  readonly at: number
  /** ms of mock time until the answer. */
  readonly duration_ms: number
}

/** Longest text that an entry keeps, characters. */
const longestText = 32_768
/** Characters that all entries may keep together. */
const mostText = 64_000_000

/** A text that is short enough to keep; of a longer one, its beginning, in memory of its own. */
export function kept(text: string): string {
  if (text.length <= longestText) return text
  const beginning = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, 2_048).toWellFormed()))
  return `${beginning}… (${text.length} characters)`
}

export class Journal {
  /** Entries that are kept at most. */
  readonly size: number
  #entries: JournalEntry[] = []
  #first = 0
  #text = 0
  #number = 0
  readonly #counts = new Map<string | null, number>()
  readonly #waiting = new Set<(entry: JournalEntry) => void>()

  constructor(size: number) {
    this.size = size
  }

  /** Whether anybody will see what is added. */
  get wanted(): boolean {
    return this.size > 0 || this.#waiting.size > 0
  }

  /** The id of the next entry of an organization: its own count, so that others do not move it. */
  nextId(org_id: string | null): string {
    const count = (this.#counts.get(org_id) ?? 0) + 1
    this.#counts.set(org_id, count)
    return `req_${org_id === null ? 'nobody' : shortOf(org_id)}_${count}`
  }

  /** How many ids an organization was given. */
  countOf(org_id: string): number {
    return this.#counts.get(org_id) ?? 0
  }

  /** Gives ids from there on: those after it come again. */
  recount(org_id: string, count: number): void {
    this.#counts.set(org_id, count)
  }

  add(entry: Omit<JournalEntry, 'number'>): void {
    this.#number++
    const numbered = { ...entry, number: this.#number }
    this.#entries.push(numbered)
    this.#text += sizeOf(numbered)
    while (this.#entries.length - this.#first > this.size || this.#text > mostText) this.#drop()
    for (const tell of [...this.#waiting]) tell(numbered)
  }

  /** Entries from the oldest that is kept to the newest. */
  entries(): JournalEntry[] {
    return this.#entries.slice(this.#first)
  }

  /** Calls back with each entry from now on; answers a function that stops it. */
  follow(tell: (entry: JournalEntry) => void): () => void {
    this.#waiting.add(tell)
    return () => this.#waiting.delete(tell)
  }

  /** Forgets entries: of one organization, or all. Counts go on, so that ids stay unique. */
  clear(org_id?: string): void {
    const left = org_id === undefined ? [] : this.entries().filter((entry) => entry.org_id !== org_id)
    this.#entries = left
    this.#first = 0
    this.#text = left.reduce((sum, entry) => sum + sizeOf(entry), 0)
  }

  /** Forgets entries and counts: of one organization, or all; numbers begin anew with all. */
  restart(org_id?: string): void {
    this.clear(org_id)
    if (org_id !== undefined) return void this.#counts.delete(org_id)
    this.#counts.clear()
    this.#number = 0
  }

  #drop(): void {
    const oldest = this.#entries[this.#first]
    if (!oldest) return
    this.#text -= sizeOf(oldest)
    this.#first++
    if (this.#first > 1_000 && this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first)
      this.#first = 0
    }
  }
}

function sizeOf({ body, answer, url }: JournalEntry): number {
  return (body?.length ?? 0) + answer.length + url.length
}
