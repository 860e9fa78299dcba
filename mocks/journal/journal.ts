/** The journal of requests and responses, bounded in entries and in text size. */
import { type RecordedEntry, RequestCounter } from './entry.ts'

/** Maximum text of all entries together, headers included, characters. */
const mostText = 64_000_000

/** A control call of an operator that changed something, as the journal keeps it. */
export interface OperatorAction {
  /** A number between those of the requests before and after the action, so that both can be sorted together. */
  readonly number: number
  /** Mock time, ISO 8601. */
  readonly at: string
  /** Null: the whole mock. */
  readonly org_id: string | null
  readonly method: string
  /** The control route below `/__admin`, and what was sent, in one line. */
  readonly path: string
  /** Description of the action. */
  readonly says: string
}

const mostActions = 500
/** The distance between the numbers of two actions that no request separates. */
const between = 1e-6

/** The newest requests of a mock, with the actions of operators in between. */
export type Journal = ReturnType<typeof createJournal>

/** Creates a journal. `size`: the maximum number of entries; 0: none is kept. */
export function createJournal(size: number) {
  /**
   * Entries, oldest first. Those before `first` are dropped: overwritten, so that they can be freed, and removed many
   * at once.
   */
  let kept: (RecordedEntry | undefined)[] = []
  let first = 0
  let text = 0
  /** The newest entry of each operation, with which the next one shares what is equal. */
  const newest = new Map<RecordedEntry['operation'], RecordedEntry>()
  const counts = new Map<string | null, RequestCounter>()
  const followers = new Set<(entry: RecordedEntry) => void>()

  function placeAfter(number: number): number {
    let [from, to] = [first, kept.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((kept[middle]?.number ?? 0) <= number) from = middle + 1
      else to = middle
    }
    return from
  }

  function drop(): void {
    text -= kept[first]?.size ?? 0
    kept[first++] = undefined
    if (first <= size) return
    kept.splice(0, first)
    first = 0
  }

  const journal = {
    size,
    /** Number of the newest request; 0: none yet. */
    newest: 0,
    /** Changes whenever entries are deleted other than by newer ones. */
    generation: 0,
    /** The number of restarts of the numbering. */
    restarts: 0,
    /** Actions of operators, oldest first. */
    actions: [] as readonly OperatorAction[],
    /** True if added entries are stored or followed. */
    get active(): boolean {
      return size > 0 || followers.size > 0
    },
    /** Returns the requests of an organization, numbered independently of other organizations. */
    requestsOf(org_id: string | null): RequestCounter {
      const known = counts.get(org_id)
      if (known) return known
      const created = new RequestCounter(org_id)
      counts.set(org_id, created)
      return created
    },
    countOf: (org_id: string): number => counts.get(org_id)?.count ?? 0,
    /**
     * Returns the id of the last request on a connection that one organization uses alone; undefined if there is none.
     */
    lastOn(connection: object): string | undefined {
      for (const requests of counts.values()) {
        const last = requests.last.get(connection)
        if (last) return requests.idAt(last.place)
      }
      return undefined
    },
    /** Numbers an entry and adds it. The object is mutated rather than copied, to reduce garbage collection. */
    add(entry: RecordedEntry): void {
      const like = newest.get(entry.operation)
      const shared = like !== undefined && isSame(entry.headers, like.headers)
      if (shared) entry.headers = like.headers
      if (entry.url === like?.url) entry.url = like.url
      if (entry.answer === like?.answer) entry.answer = like.answer
      newest.set(entry.operation, entry)
      entry.number = ++journal.newest
      for (const notify of followers.size > 0 ? [...followers] : none) notify(entry)
      if (size === 0) return
      if (kept.length - first === size) drop()
      entry.size = sizeOf(entry) + (shared ? 0 : lengthOf(entry.headers))
      kept.push(entry)
      text += entry.size
      while (text > mostText) drop()
    },
    note(action: Omit<OperatorAction, 'number'>): void {
      const number = Math.max(journal.actions.at(-1)?.number ?? 0, journal.newest) + between
      journal.actions = [...journal.actions.slice(1 - mostActions), { ...action, number }]
    },
    /** Returns all entries, oldest first. */
    entries: () => kept.slice(first) as RecordedEntry[],
    /** Number of the oldest entry that is kept; one more than `newest`: none is. */
    get oldest(): number {
      return kept[first]?.number ?? journal.newest + 1
    },
    /** Returns the entries after a number, oldest first. Takes time for these only. */
    after: (number: number) => kept.slice(placeAfter(number)) as RecordedEntry[],
    /** Returns the entry with a number, or else the next older one. */
    upTo: (number: number): RecordedEntry | undefined => kept[placeAfter(number) - 1],
    /** Calls back with each entry from now on; returns a function that stops this. */
    follow(callback: (entry: RecordedEntry) => void): () => void {
      followers.add(callback)
      return () => followers.delete(callback)
    },
    /** Deletes the entries of one organization, or all. Counts continue, so that ids stay unique. */
    clear(org_id?: string): void {
      const left = org_id === undefined ? [] : journal.entries().filter((entry) => entry.org_id !== org_id)
      journal.generation++
      kept = left
      newest.clear()
      for (const entry of left) entry.size = sizeOf(entry) + lengthOf(entry.headers)
      first = 0
      text = left.reduce((sum, entry) => sum + entry.size, 0)
    },
    /** Deletes entries and counts of one organization, or of all, in which case numbering restarts at 1. */
    restart(org_id?: string): void {
      journal.clear(org_id)
      if (org_id !== undefined) return void counts.delete(org_id)
      counts.clear()
      journal.actions = []
      journal.newest = 0
      journal.restarts++
    },
  }
  return journal
}

const none: readonly never[] = []

function isSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false
  return true
}

/** Overhead of a header beside its characters, in characters. */
const perHeader = 16

/** The characters of an entry without the headers of the request, which it may share with the one before. */
function sizeOf({ body, answer, url, reason, answerHeaders }: RecordedEntry): number {
  let size = (body?.length ?? 0) + answer.length + url.length + (reason?.length ?? 0)
  for (const name in answerHeaders) size += (answerHeaders[name]?.length ?? 0) + perHeader
  return size
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + perHeader, 0)
}
