/** One switchable violation of the API. */
import type { Variant } from '#contract/route.ts'
import type { Mutation } from '../mutations/mutation.ts'

export interface Defect {
  /** Stable, unique, kebab-case with operation ids as they are. */
  readonly id: string
  /** What the service does wrong, in the present tense. */
  readonly title: string
  /** Ids of the requirements that it breaks, all of them and no others; `*` stands for any letters. */
  readonly breaks: readonly string[]
  /** The only variant in which it is a violation; undefined: both. */
  readonly variant?: Variant
  /** The change; a new one for each mock. */
  mutate(): Mutation
}

/** The id and the title of a defect. */
type Name = `${string}: ${string}`

function defectOf(breaks: string, name: string, mutate: () => Mutation, variant?: Variant): Defect {
  const [, id = '', title = ''] = /^(\S+): (.+)$/.exec(name) ?? []
  return { id, title, breaks: breaks.split(' '), ...(variant && { variant }), mutate }
}

/** The defects of a table, by the requirements that they break, separated by spaces; `variant`: only there. */
export function defectsOf(
  table: Readonly<Record<string, Readonly<Record<Name, () => Mutation>>>>,
  variant?: Variant,
): Defect[] {
  return Object.entries(table).flatMap(([breaks, rows]) =>
    Object.entries(rows).map(([name, mutate]) => defectOf(breaks, name, mutate, variant)),
  )
}

/** A defect for each of some operations or kinds. */
export function defectsFor<const Kind>(
  kinds: readonly Kind[],
  row: (kind: Kind) => readonly [breaks: string, name: Name, change: Mutation],
): Defect[] {
  return kinds.map((kind) => {
    const [breaks, name] = row(kind)
    return defectOf(breaks, name, () => row(kind)[2])
  })
}
