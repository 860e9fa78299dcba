/**
 * The changes of an organization, each with what it replaced, so that earlier states can be shown. Rows are shared
 * with the organization, not copied: a change costs one small object.
 */

/** What a change was made to. */
export type ChangedResource =
  | 'keys'
  | 'tasks'
  | 'documents'
  | 'notifications'
  | 'creatives'
  | 'landing_pages'
  | 'ledger'
  | 'runs'
  | 'overrides'
  | 'agent'

/** One change. */
export interface Change {
  /** Number among all changes of the mock, from 1. */
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

/** The newest changes of one organization. */
export class Changes {
  readonly #counter: ChangeCounter
  readonly #keep: number
  #kept: Change[] = []
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

  /** The number of the newest change of the mock. */
  get position(): number {
    return this.#counter.count
  }

  /** Records that a row was added. */
  added(resource: ChangedResource, row: object): void {
    if (this.#base !== undefined) this.#push(resource, row, null)
  }

  /** Records that a row is about to change; `before`: the values that will be replaced. */
  changing(resource: ChangedResource, row: object, before: object): void {
    if (this.#base !== undefined) this.#push(resource, row, before)
  }

  /** Returns the changes after a position, oldest first; undefined: not all of them are kept. */
  after(position: number): readonly Change[] | undefined {
    if (this.#base === undefined || position < this.#base) return undefined
    let at = this.#kept.length
    while (at > 0 && (this.#kept[at - 1]?.number ?? 0) > position) at--
    return this.#kept.slice(at)
  }

  /** Returns all changes that are kept, oldest first. */
  kept(): readonly Change[] {
    return this.#kept
  }

  #push(resource: ChangedResource, row: object, before: object | null): void {
    this.#kept.push({ number: ++this.#counter.count, resource, row, before })
    if (this.#kept.length < this.#keep * 1.5) return
    this.#base = this.#kept[this.#kept.length - this.#keep - 1]?.number
    this.#kept = this.#kept.slice(-this.#keep)
  }
}
