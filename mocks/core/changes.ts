/**
 * The changes of an organization, so that earlier states can be shown: one byte each, and of a row that changed also
 * what the change replaced. Rows that were added are the newest ones of their lists, so that they are not kept twice.
 */

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

const resources = [...growing, 'runs', 'overrides', 'agent'] as const
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

/** Counts the changes of all organizations of a mock. */
export interface ChangeCounter {
  count: number
}

/** Added to the place of a resource: a row of it changed. */
const edited = 0x80
/** Bytes that are reserved at first. */
const firstBytes = 64

const codes = Object.fromEntries(resources.map((name, place) => [name, place])) as Readonly<
  Record<ChangedResource, number>
>

/** The newest changes of one organization. */
export class Changes {
  readonly #counter: ChangeCounter
  readonly #keep: number
  /** What each change was: the place of its resource and, if a row changed, `edited`. */
  #log = new Uint8Array(0)
  #length = 0
  /** The rows that changed, and what was replaced, in the order of `#log`. */
  #rows: object[] = []
  #befores: object[] = []
  /** Number of the change after which all are kept; undefined: nothing is recorded yet. */
  #base: number | undefined

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
    if (this.#base !== undefined) this.#push(codes[resource])
  }

  /** Records that a row is about to change; `before`: the values that will be replaced. */
  changing(resource: ChangedResource, row: object, before: object): void {
    if (this.#base === undefined) return
    this.#rows.push(row)
    this.#befores.push(before)
    this.#push(codes[resource] | edited)
  }

  /**
   * Returns the changes after a position, oldest first; without one: all that are kept. Undefined: not all of them
   * are. `listOf` returns the rows of a resource, oldest first.
   */
  after(
    position: number | undefined,
    listOf: (resource: GrowingResource) => readonly object[],
  ): Change[] | undefined {
    const base = this.#base ?? 0
    const from = (position ?? base) - base
    if (this.#base === undefined || from < 0) return undefined
    const left = new Map<ChangedResource, number>()
    const found: Change[] = []
    let edit = this.#rows.length
    for (let at = this.#length - 1; at >= from; at--) {
      const code = this.#log[at] as number
      const resource = resources[code & ~edited] as ChangedResource
      const number = base + at + 1
      if (code & edited) {
        edit--
        const [row, before] = [this.#rows[edit] as object, this.#befores[edit] as object]
        found.push({ number, resource, row, before })
      } else {
        const rows = listOf(resource as GrowingResource)
        const place = (left.get(resource) ?? rows.length) - 1
        left.set(resource, place)
        found.push({ number, resource, row: rows[place] as object, before: null })
      }
    }
    return found.reverse()
  }

  #push(code: number): void {
    this.#counter.count++
    if (this.#length === this.#log.length) this.#makeRoom()
    this.#log[this.#length++] = code
  }

  /** Reserves twice as many bytes or, where that is enough, drops the oldest changes. */
  #makeRoom(): void {
    const most = Math.ceil(this.#keep * 1.5)
    if (this.#length < most) {
      const longer = new Uint8Array(Math.min(most, Math.max(firstBytes, this.#length * 2)))
      longer.set(this.#log)
      this.#log = longer
      return
    }
    const dropped = this.#length - this.#keep
    const edits = this.#log.subarray(0, dropped).reduce((sum, code) => sum + (code & edited ? 1 : 0), 0)
    this.#rows = this.#rows.slice(edits)
    this.#befores = this.#befores.slice(edits)
    this.#log.copyWithin(0, dropped)
    this.#length = this.#keep
    this.#base = (this.#base ?? 0) + dropped
  }
}
