/** One legal variation: behaviour that the specification allows, and that the suite must accept. */
import { type NamedMutation, parseTableKey } from '../mutations/mutation.ts'

/** A legal variation: unusual behaviour of a service that the specification allows, so that it must violate no MUST. */
export interface Variation extends NamedMutation {
  /**
   * The rule that allows it: an anchor of docs/specification.md, such as `#run-refund`, or an RFC, and what is open
   * there.
   */
  readonly allowed: string
  /** Patterns of the SHOULD requirements that it violates, with `*` for any letters; it never violates a MUST. */
  readonly warns?: readonly string[]
  /** Set if it needs a real connection; the base URL of the service then has this path. */
  readonly wire?: { readonly path: string }
  /** The group of variations of which only one can be tried at a time. */
  readonly group?: string
}

/**
 * A table of legal variations. Keys: `id (group): What the service does`, preceded by the SHOULD requirements that it
 * violates, if any. Values: functions that create the change of the mock.
 */
export type VariationTable = Readonly<
  Record<string, Variation['mutate'] | Pick<Variation, 'mutate' | 'wire'>>
>

/**
 * Lists the variations of several tables; the key of each table is the part of the specification or the RFC that allows
 * them.
 */
export const flattenVariationTables = (
  table: Readonly<Record<string, VariationTable>>,
): readonly Variation[] =>
  Object.entries(table).flatMap(([allowed, rows]) =>
    Object.entries(rows).map(([name, row]): Variation => {
      const { words, id, note, title } = parseTableKey(name)
      return {
        ...{ id, title, allowed },
        ...(words.length > 0 && { warns: words }),
        ...(note && { group: note }),
        ...(typeof row === 'function' ? { mutate: row } : row),
      }
    }),
  )
