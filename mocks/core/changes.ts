/** The newest changes of an organization, each with the values that it replaced, so that earlier states can be shown. */
import type { LedgerEntry } from './resources.ts'

/** The kinds of resources whose rows are added and never removed. */
export const appendOnlyResources = [
  'keys',
  'tasks',
  'documents',
  'notifications',
  'creatives',
  'landing_pages',
  'ledger',
] as const
/** A kind of resource whose rows are added and never removed. */
export type AppendOnlyResource = (typeof appendOnlyResources)[number]

/** A kind of resource or state whose changes are recorded. */
export type TrackedResource =
  | AppendOnlyResource
  | 'runs'
  | 'overrides'
  | 'agent'
  | 'windows'
  | 'chance'
  | 'quirks'
  | 'rules'
  | 'conditions'

/** A change of one row by one request, with its values before and after. */
export type RowChange = NonNullable<ReturnType<ChangeHistory['after']>>[number]

/** A function that returns a row as it was at some time; null if it did not exist yet. */
export type HistoricalRowReader = <Row extends object>(row: Row) => Row | null

/** The `HistoricalRowReader` for the present: returns a row unchanged. */
export const readCurrentRow: HistoricalRowReader = (row) => row

/**
 * Returns the rows as they were at an earlier moment, whose values `was` looks up, without rows that did not exist
 * then.
 */
export const rowsAtTime = <Row extends object>(rows: readonly Row[], was: HistoricalRowReader): Row[] =>
  rows.flatMap((row) => was(row) ?? [])

/** A row that counts how often something was used. */
interface Counted {
  used: number
}

/** The number of changes so far in all organizations of a mock. */
export interface ChangeCount {
  count: number
}

/**
 * Records the newest changes of an organization's rows, so that the journal can show what a request changed and earlier
 * states can be shown. A position is the number of a change.
 */
export class ChangeHistory {
  readonly #counter: ChangeCount
  readonly #keep: number
  /**
   * The resource of each change, its row, and the values that it replaced: columns take half of the memory of objects.
   */
  readonly #resources: TrackedResource[] = []
  readonly #rows: object[] = []
  readonly #befores: (object | number | null)[] = []
  /** Number of the change since which all changes are kept; undefined: recording has not begun. */
  #base: number | undefined
  #start: number | undefined
  #followers: Map<object, TrackedResource>[] = []

  /** `keep`: the number of changes to keep at least; 0: none are kept. */
  constructor(counter: ChangeCount, keep: number) {
    this.#counter = counter
    this.#keep = keep
  }

  /** Begins to record changes; what was created before counts as the past of the organization. */
  begin(): void {
    // Counts as a change, so that positions from before a reset of the organization are lower.
    if (this.#keep > 0) this.#base = this.#start = ++this.#counter.count
  }

  /**
   * True if a change with this number was made in this organization, whether it is still kept or not; false if it was
   * made before a reset replaced the organization.
   */
  includes(position: number): boolean {
    return this.#start !== undefined && position >= this.#start && position <= this.position
  }

  /** The number of the newest change. */
  get position(): number {
    return (this.#base ?? 0) + this.#rows.length
  }

  /** Records that a row was added at the end of its list. */
  added(resource: AppendOnlyResource, row: object): void {
    this.touched(resource, row)
    this.#push(resource, row, null)
  }

  /** Gives a row other values, and keeps those that they replace. */
  change<Row extends object>(resource: TrackedResource, row: Row, values: Partial<Row>): void {
    this.touched(resource, row)
    if (this.#base !== undefined) {
      const before: Partial<Row> = {}
      for (const name in values) before[name] = row[name]
      this.#push(resource, row, before)
    }
    Object.assign(row, values)
  }

  /**
   * Adds to the `used` count of a row, and records only its previous count, to save memory: nearly every request does
   * this.
   */
  count(resource: TrackedResource, row: Counted, by = 1): void {
    this.touched(resource, row)
    this.#push(resource, row, row.used)
    row.used += by
  }

  /**
   * Notes for the state file that a row is new or changed, without recording its earlier values, which nobody asks for
   * in such cases as `last_used_at`.
   */
  touched(resource: TrackedResource, row: object): void {
    for (const rows of this.#followers) rows.set(row, resource)
  }

  /**
   * Returns a map to which every row is added that is created or changed from now on; unlike recorded changes, none is
   * dropped.
   */
  follow(): Map<object, TrackedResource> {
    const rows = new Map<object, TrackedResource>()
    this.#followers = [...this.#followers, rows]
    return rows
  }

  unfollow(rows: Map<object, TrackedResource>): void {
    this.#followers = this.#followers.filter((one) => one !== rows)
  }

  /** True if all changes after a position are kept. */
  keeps(position: number): boolean {
    return this.#base !== undefined && position >= this.#base
  }

  /** Returns the changes after a position, or all that are kept, oldest first; undefined: not all of them are kept. */
  after(position = this.#base) {
    const base = this.#base
    if (base === undefined || position === undefined || position < base) return undefined
    return this.#rows.slice(position - base).map((row, at) => {
      const before = this.#befores[position - base + at] as object | number | null
      return {
        /** Number of the change; changes from before a reset of the organization have lower ones. */
        number: position + at + 1,
        resource: this.#resources[position - base + at] as TrackedResource,
        row,
        /** The values that the change replaced; null: it added the row. */
        before: typeof before === 'number' ? { used: before } : before,
      }
    })
  }

  /** Returns a reader of rows as they were at a position; undefined: not all changes since then are kept. */
  past(position: number): HistoricalRowReader | undefined {
    const changes = this.after(position)
    if (!changes) return undefined
    const values = new Map<object, object | null>()
    for (const { row, before } of changes.toReversed())
      values.set(row, before && { ...(values.get(row) ?? row), ...before })
    return <Row extends object>(row: Row) => {
      const value = values.get(row)
      return value === undefined ? row : (value as Row | null)
    }
  }

  #push(resource: TrackedResource, row: object, before: object | number | null): void {
    if (this.#base === undefined) return
    // Drops the oldest changes once there are half as many too many.
    const half = Math.floor(this.#keep / 2)
    const { length } = this.#rows
    if (length % half === 0 && length - half >= this.#keep) {
      for (const column of [this.#resources, this.#rows, this.#befores]) column.splice(0, half)
      this.#base += half
    }
    this.#counter.count++
    this.#resources.push(resource)
    this.#rows.push(row)
    this.#befores.push(before)
  }
}

/** The name of an event of an organization, such as `run_ended`. */
export type OrganizationEventType =
  | 'run_accepted'
  | 'run_started'
  | 'run_ended'
  | 'credit_reserved'
  | 'credit_refunded'
  | 'credits_added'
  | 'notification_added'

/** One event of an organization, such as the end of a run, with its time. */
export interface OrganizationEvent {
  readonly type: OrganizationEventType
  readonly org_id: string
  /** Mock time, ms since the epoch. */
  readonly at: number
  /** The id of the run, artifact, ledger entry or notification. */
  readonly subject: string
  /** The credits of a ledger event, or the outcome of a run that ended. */
  readonly detail?: number | string
}

/** The event that each kind of ledger entry causes. */
export const eventByLedgerEntryKind = {
  top_up: 'credits_added',
  reserve: 'credit_reserved',
  refund: 'credit_refunded',
} as const satisfies Record<LedgerEntry['kind'], OrganizationEventType>
