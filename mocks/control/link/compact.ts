/** The state of an organization without what it was created with: seed and name give that again. */
import type { OrganizationState } from '../../core/state.ts'

/** What differs, by field: of a list, how many rows at its beginning are the same, and the others. */
export type CompactState = Readonly<Record<string, unknown>>

/** A list of which only the end differs. */
interface Tail {
  readonly same: number
  readonly rows: readonly unknown[]
}

/** Returns what differs between a state and that of the organization when it was created. */
export function compact(state: OrganizationState, birth: OrganizationState): CompactState {
  const fields = Object.entries(state).flatMap(([name, value]) => {
    const first: unknown = Reflect.get(birth, name)
    if (isSame(value, first)) return []
    return [[name, Array.isArray(value) && Array.isArray(first) ? tailOf(value, first) : { value }]]
  })
  return Object.fromEntries(fields)
}

/** Returns the whole state; it is not yet validated. */
export function expand(state: CompactState, birth: OrganizationState): object {
  const fields = Object.entries(state).map(([name, change]) => {
    if (typeof change !== 'object' || change === null) return [name, change]
    if ('value' in change) return [name, change.value]
    const { same, rows } = change as Tail
    const first: unknown = Reflect.get(birth, name)
    return [
      name,
      [...(Array.isArray(first) ? first.slice(0, same) : []), ...(Array.isArray(rows) ? rows : [])],
    ]
  })
  return { ...birth, ...Object.fromEntries(fields) }
}

function tailOf(rows: readonly unknown[], first: readonly unknown[]): Tail {
  const differs = rows.findIndex((row, place) => !isSame(row, first[place]))
  const same = differs < 0 ? rows.length : differs
  return { same, rows: rows.slice(same) }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
