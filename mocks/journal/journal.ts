/** What was asked of the mock and how it was answered: a ring of entries, bounded in number and in size. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { shortOf } from '../core/id-prefix.ts'

/** An entry that the journal has yet to number. */
type Draft = { -readonly [Field in keyof JournalEntry]: JournalEntry[Field] }

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

/** How many requests an organization made, and how their ids begin. */
interface Count {
  readonly prefix: string
  count: number
}

export class Journal {
  /** Entries that are kept at most. */
  readonly size: number
  /** Written round and round: what is dropped is replaced, and not held any longer. */
  readonly #ring: (JournalEntry | undefined)[] = []
  #first = 0
  #kept = 0
  #text = 0
  #number = 0
  /** Of the newest entry: clients say the same again and again, and one copy is enough. */
  #headers: readonly string[] = []
  #url = ''
  readonly #counts = new Map<string | null, Count>()
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
    const counted = this.#countOf(org_id)
    return `${counted.prefix}${++counted.count}`
  }

  /** How many ids an organization was given. */
  countOf(org_id: string): number {
    return this.#counts.get(org_id)?.count ?? 0
  }

  /** Gives ids from there on: those after it come again. */
  recount(org_id: string, count: number): void {
    this.#countOf(org_id).count = count
  }

  #countOf(org_id: string | null): Count {
    const known = this.#counts.get(org_id)
    if (known) return known
    const fresh = { prefix: `req_${org_id === null ? 'nobody' : shortOf(org_id)}_`, count: 0 }
    this.#counts.set(org_id, fresh)
    return fresh
  }

  /** Adds an entry, and numbers it: the object itself, since a copy of each would be more for V8 to collect. */
  add(entry: Draft): void {
    if (!isSame(entry.headers, this.#headers)) this.#headers = entry.headers
    if (entry.url !== this.#url) this.#url = entry.url
    entry.headers = this.#headers
    entry.url = this.#url
    entry.number = ++this.#number
    for (const tell of this.#waiting.size > 0 ? [...this.#waiting] : none) tell(entry)
    if (this.size === 0) return
    if (this.#kept === this.size) this.#drop()
    this.#ring[(this.#first + this.#kept) % this.size] = entry
    this.#kept++
    this.#text += sizeOf(entry)
    while (this.#text > mostText) this.#drop()
  }

  /** Entries from the oldest that is kept to the newest. */
  entries(): JournalEntry[] {
    const end = this.#first + this.#kept
    const found = [
      ...this.#ring.slice(this.#first, end),
      ...this.#ring.slice(0, Math.max(0, end - this.size)),
    ]
    return found.filter((entry) => entry !== undefined)
  }

  /** Calls back with each entry from now on; answers a function that stops it. */
  follow(tell: (entry: JournalEntry) => void): () => void {
    this.#waiting.add(tell)
    return () => this.#waiting.delete(tell)
  }

  /** Forgets entries: of one organization, or all. Counts go on, so that ids stay unique. */
  clear(org_id?: string): void {
    const left = org_id === undefined ? [] : this.entries().filter((entry) => entry.org_id !== org_id)
    this.#ring.splice(0, this.#ring.length, ...left)
    this.#first = 0
    this.#kept = left.length
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
    const oldest = this.#ring[this.#first]
    if (oldest) this.#text -= sizeOf(oldest)
    this.#ring[this.#first] = undefined
    this.#first = (this.#first + 1) % this.size
    this.#kept--
  }
}

const none: readonly never[] = []

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, i) => text === others[i])
}

function sizeOf({ body, answer, url }: JournalEntry): number {
  return (body?.length ?? 0) + answer.length + url.length
}
