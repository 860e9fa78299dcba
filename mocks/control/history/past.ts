/** Rows of an organization as they were at an earlier position of its changes. */
import type { Change } from '../../core/changes.ts'
import type { Organization } from '../../core/organization.ts'

/** Looks up earlier values of rows. */
export class Past {
  readonly #values = new Map<object, object | null>()

  constructor(changes: readonly Change[]) {
    for (const { row, before } of changes.toReversed())
      this.#values.set(row, before && { ...(this.#values.get(row) ?? row), ...before })
  }

  /** Returns a row as it was; null: it did not exist yet. The row itself if it has not changed since. */
  valueOf<Row extends object>(row: Row): Row | null {
    const value = this.#values.get(row)
    return value === undefined ? row : (value as Row | null)
  }

  /** Returns those rows that existed, as they were. */
  all<Row extends object>(rows: readonly Row[]): Row[] {
    return rows.flatMap((row) => this.valueOf(row) ?? [])
  }
}

/** Returns the past of an organization at a position; undefined: the changes since then are no longer kept. */
export function pastOf(org: Organization, position: number): Past | undefined {
  const changes = org.changes.after(position)
  return changes && new Past(changes)
}
