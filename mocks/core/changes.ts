/**
 * The changes of an organization, so that earlier states can be shown: at most a byte each, and of a row that changed
 * also what the change replaced. Rows that were added are the newest ones of their lists, so that they are not kept twice;
 * of random streams it is enough to know how much was drawn.
 */
import { CodeLog } from './code-log.ts'

/** What rows are added to, which then only grows. */
export const growing = [
  'keys',
  'tasks',
  'documents',
  'notifications',
  'creatives',
  'landing_pages',
  'ledger',
] as const
/** What rows are added to. */
export type GrowingResource = (typeof growing)[number]

const resources = [...growing, 'runs', 'overrides', 'agent', 'windows'] as const
/** What a change was made to. */
export type ChangedResource = (typeof resources)[number]

/** One change. */
export interface Change {
  /** Number among the changes of the organization; those of an earlier life of it are lower. */
  readonly number: number
  readonly resource: ChangedResource
  /** The row as it is now. */
  readonly row: object
  /** The values that the change replaced; null: it added the row. */
  readonly before: object | null
}

/** The random streams of an organization. */
export const streams = ['ids', 'outcomes', 'delays'] as const
/** A random stream of an organization. */
export type Stream = (typeof streams)[number]

/** What a byte stands for, decoded. */
export type Recorded =
  | { readonly kind: 'added'; readonly number: number; readonly resource: GrowingResource }
  | ({ readonly kind: 'changed'; readonly before: object } & Omit<Change, 'before'>)
  /** So many words were drawn from a stream. */
  | { readonly kind: 'drawn'; readonly stream: Stream; readonly words: number }
  /** A request was counted in the window of the credential with this place. */
  | { readonly kind: 'counted'; readonly place: number }

/** Counts the changes of all organizations of a mock. */
export interface ChangeCounter {
  count: number
}

/** The upper two bits of a byte say what the others are. */
const bits = {
  /** The place of a resource that a row was added to. */
  added: 0x00,
  /** The place of a stream, then a number of words below 16. */
  drawn: 0x40,
  /** The place of a resource of which a row changed. */
  edited: 0x80,
  /** The place of a credential. */
  counted: 0xc0,
} as const
const upper = 0xc0
const lower = 0x3f
const codes = Object.fromEntries(resources.map((name, place) => [name, place])) as Readonly<
  Record<ChangedResource, number>
>

/** A part of the changes, dropped as a whole. */
class Part {
  /** What each change was: the place of its resource and, if a row changed, `edited`. */
  readonly log = new CodeLog()
  /** The rows that changed, and what was replaced, in the order of `log`. */
  readonly rows: object[] = []
  readonly befores: object[] = []
}

/** The newest changes of one organization. */
export class Changes {
  readonly #counter: ChangeCounter
  readonly #keep: number
  /** Oldest first. */
  #parts: Part[] = []
  #length = 0
  /** Number of the change after which all are kept; undefined: nothing is recorded yet. */
  #base: number | undefined
  /** Rows that changed, for each of those who follow them. */
  #followers: Map<object, ChangedResource>[] = []

  /** `keep`: the number of changes to keep at least; 0: none are. */
  constructor(counter: ChangeCounter, keep: number) {
    this.#counter = counter
    this.#keep = keep
  }

  /** Starts to record: what happened before is the past of the organization. */
  begin(): void {
    // Counted, so that positions in an earlier life of the organization lie before it.
    if (this.#keep > 0) this.#base = ++this.#counter.count
  }

  /** The number of the newest change. */
  get position(): number {
    return (this.#base ?? 0) + this.#length
  }

  /** Records that a row was added at the end of its list. */
  added(resource: GrowingResource): void {
    if (this.#base !== undefined) this.#push(bits.added | codes[resource])
  }

  /** Records that a row is about to change; `before`: the values that will be replaced. */
  changing(resource: ChangedResource, row: object, before: object): void {
    this.touched(resource, row)
    if (this.#base === undefined) return
    const { rows, befores } = this.#push(bits.edited | codes[resource])
    rows.push(row)
    befores.push(before)
  }

  /** Notes that a row changes whose earlier values nobody asks for, such as when a key was last used. */
  touched(resource: ChangedResource, row: object): void {
    for (const rows of this.#followers) rows.set(row, resource)
  }

  /** Returns a map that gets every row that changes from now on, however many changes are kept. */
  follow(): Map<object, ChangedResource> {
    const rows = new Map<object, ChangedResource>()
    this.#followers = [...this.#followers, rows]
    return rows
  }

  /** Ends what `follow` began. */
  unfollow(rows: Map<object, ChangedResource>): void {
    this.#followers = this.#followers.filter((one) => one !== rows)
  }

  /** Records that words were drawn from a random stream. */
  drew(stream: Stream, words: number): void {
    if (this.#base === undefined) return
    for (let left = words; left > 0; left -= 15)
      this.#push(bits.drawn | (streams.indexOf(stream) << 4) | Math.min(15, left))
  }

  /** Records that a request was counted; `place`: that of its credential. Those of the first 64 are kept. */
  counted(place: number): void {
    if (this.#base !== undefined && place <= lower) this.#push(bits.counted | place)
  }

  /** Returns whether everything after a position is kept. */
  keeps(position: number): boolean {
    return this.#base !== undefined && position >= this.#base
  }

  /** Returns what happened after a position, newest first; without one: all that is kept. */
  *newestFirst(position = this.#base ?? 0): Generator<Recorded> {
    let number = this.position
    for (const { log, rows, befores } of this.#parts.toReversed()) {
      let edit = rows.length
      for (const code of log.newestFirst()) {
        if (number <= position) return
        if ((code & upper) === bits.edited) edit--
        yield decoded(code, number--, rows[edit], befores[edit])
      }
    }
  }

  #push(code: number): Part {
    this.#counter.count++
    this.#length++
    const part = this.#newestPart()
    part.log.push(code)
    return part
  }

  /** Returns the part to add to. Parts have half of the changes to keep; drops the oldest ones that are not needed. */
  #newestPart(): Part {
    const newest = this.#parts.at(-1)
    if (newest && newest.log.length < Math.floor(this.#keep / 2)) return newest
    const [oldest] = this.#parts
    const dropped = oldest?.log.length ?? 0
    if (dropped > 0 && this.#length - dropped >= this.#keep) {
      this.#parts = this.#parts.slice(1)
      this.#length -= dropped
      this.#base = (this.#base ?? 0) + dropped
    }
    const part = new Part()
    this.#parts.push(part)
    return part
  }
}

/** Returns what a byte stands for; `row`, `before`: those of the newest edit up to it. */
function decoded(code: number, number: number, row?: object, before?: object): Recorded {
  const [kind, value] = [code & upper, code & lower]
  if (kind === bits.drawn)
    return { kind: 'drawn', stream: streams[value >> 4] as Stream, words: value & 0x0f }
  if (kind === bits.counted) return { kind: 'counted', place: value }
  const resource = resources[value] as ChangedResource
  if (kind === bits.added) return { kind: 'added', number, resource: resource as GrowingResource }
  return { kind: 'changed', number, resource, row: row as object, before: before as object }
}
