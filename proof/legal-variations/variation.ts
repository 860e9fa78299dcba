/** One legal variation: behaviour that the specification allows, and that the suite must accept. */
import type { Variant } from '#contract/route.ts'
import type { Mutation } from '../mutations/mutation.ts'

export interface Variation {
  /** Stable, unique, kebab-case. */
  readonly id: string
  /** What the service does, in the present tense. */
  readonly title: string
  /** What allows it: an anchor of docs/specification.md, such as `#run-refund`, or an RFC, and what is open there. */
  readonly allowed: string
  /** Patterns of the SHOULD requirements that it breaks, with `*` for any letters; never a MUST. */
  readonly warns?: readonly string[]
  /** The only variant in which it is tried; undefined: both. */
  readonly variant?: Variant
  /** It exists only over a real connection, where the base URL has this path. */
  readonly wire?: { readonly path: string }
  /** Variations of the same group exclude each other. */
  readonly group?: string
  /** The change; a new one for each mock. */
  mutate(): Mutation
}

/** Variations by `id (group): What the service does`, behind the requirements that they break. */
export type Rows = Readonly<Record<string, Variation['mutate'] | Pick<Variation, 'mutate' | 'wire'>>>

/** Variations by what allows them. */
export const variationsOf = (table: Readonly<Record<string, Rows>>): readonly Variation[] =>
  Object.entries(table).flatMap(([allowed, rows]) =>
    Object.entries(rows).map(([named, row]): Variation => {
      const [, warns, id = '', group, title = ''] =
        /^(?:([^:(]+) )?([^: (]+)(?: \(([^)]+)\))?: (.+)$/.exec(named) ?? []
      return {
        ...{ id, title, allowed },
        ...(warns && { warns: warns.split(' ') }),
        ...(group && { group }),
        ...(typeof row === 'function' ? { mutate: row } : row),
      }
    }),
  )
