/** One legal variation: behaviour that the specification allows, and that the suite must accept. */
import { type NamedMutation, parseTableKey } from '../mutations/mutation.ts'

/** Legal but unusual behaviour of a service, which must break no MUST. */
export interface Variation extends NamedMutation {
  /**
   * Licence of the variation: an anchor of docs/specification.md, such as `#run-refund`, or an RFC, and what is open
   * there.
   */
  readonly allowed: string
  /** Patterns of the SHOULD requirements that it breaks, with `*` for any letters; never a MUST. */
  readonly warns?: readonly string[]
  /** Set if it exists only over a real connection, where the base URL has this path. */
  readonly wire?: { readonly path: string }
  /** Variations of the same group exclude each other. */
  readonly group?: string
}

/**
 * A table of variations. Keys: `id (group): What the service does`, with the SHOULD requirements that it violates in
 * front, if any. Values: how it changes the mock.
 */
export type VariationTable = Readonly<
  Record<string, Variation['mutate'] | Pick<Variation, 'mutate' | 'wire'>>
>

/** The variations of several tables as one list; the key of each table is the part of the specification or RFC that allows them. */
export const variationsOfTables = (table: Readonly<Record<string, VariationTable>>): readonly Variation[] =>
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
