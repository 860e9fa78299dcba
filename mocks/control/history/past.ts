/** Rows of an organization as they were at an earlier position of its changes. */
import type { Change, GrowingResource } from '../../core/changes.ts'
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

/** The rows of each list that grows, oldest first. */
export const lists: Readonly<Record<GrowingResource, (org: Organization) => readonly object[]>> = {
  keys: ({ keys }) => keys.all(),
  tasks: ({ tasks }) => tasks.all(),
  documents: ({ documents }) => documents.all(),
  notifications: ({ notifications }) => notifications.all(),
  creatives: ({ creatives }) => creatives.all(),
  landing_pages: ({ landingPages }) => landingPages.all(),
  ledger: ({ ledger }) => ledger.entries,
}

/**
 * Returns the changes of rows of an organization after a position, oldest first, or all that are kept; undefined: not
 * all of them are.
 */
export function changesAfter(org: Organization, position?: number): readonly Change[] | undefined {
  if (position !== undefined && !org.changes.keeps(position)) return undefined
  const left = new Map<GrowingResource, number>()
  const found: Change[] = []
  for (const recorded of org.changes.newestFirst(position)) {
    if (recorded.kind === 'changed') found.push(recorded)
    if (recorded.kind !== 'added') continue
    const { number, resource } = recorded
    const rows = lists[resource](org)
    const place = (left.get(resource) ?? rows.length) - 1
    left.set(resource, place)
    found.push({ number, resource, row: rows[place] as object, before: null })
  }
  return found.reverse()
}

/** Returns the past of an organization at a position; undefined: the changes since then are no longer kept. */
export function pastOf(org: Organization, position: number): Past | undefined {
  const changes = changesAfter(org, position)
  return changes && new Past(changes)
}
