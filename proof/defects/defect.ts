/** One switchable violation of the API. */
import type { Variant } from '#contract/route.ts'
import { type Mutation, type Named, readName } from '../mutations/mutation.ts'

export interface Defect extends Named {
  /** Ids of the requirements that it breaks, all of them and no others; `*` stands for any letters. */
  readonly breaks: readonly string[]
}

/**
 * What a defect breaks, its id and its title: `KEY-NAME KEY-PREFIX key-nameless: The list shows no names.` With
 * ` (first)` behind the id it is a violation in that variant only.
 */
type Name = `${string} ${string}: ${string}`

/** Defects by their names, or by the beginning that the names of several share. */
interface Table {
  readonly [name: string]: (() => Mutation) | Table
}

function defectOf(name: string, mutate: () => Mutation): Defect {
  const { words, id, note, title } = readName(name)
  return { id, title, breaks: words, ...(note && { variant: note as Variant }), mutate }
}

/** The defects of a table. */
export function defectsOf(table: Table, start = ''): Defect[] {
  return Object.entries(table).flatMap(([name, row]) =>
    typeof row === 'function' ? defectOf(start + name, row) : defectsOf(row, `${start}${name} `),
  )
}

/** A defect for each of some operations or kinds. */
export function defectsFor<const Kind>(
  kinds: readonly Kind[],
  row: (kind: Kind) => readonly [name: Name, change: Mutation],
): Defect[] {
  return kinds.map((kind) => defectOf(row(kind)[0], () => row(kind)[1]))
}
