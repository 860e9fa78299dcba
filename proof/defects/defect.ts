/** One switchable violation of the API. */
import type { Variant } from '#contract/route.ts'
import type { RequirementPattern } from '#contract-tests/model/requirement-id.ts'
import { type Mutation, type NamedMutation, parseTableKey } from '../mutations/mutation.ts'

/** A defect: wrong behaviour that a mock is given on purpose, with all requirements that it violates. */
export interface Defect extends NamedMutation {
  /** The ids of all requirements that it violates, and of no others; `*` stands for any letters. */
  readonly breaks: readonly string[]
}

/**
 * Requirements that a defect breaks, its id and its title: `KEY-NAME KEY-PREFIX key-nameless: The list shows no names.`
 * With ` (first)` behind the id it is a violation in that variant only.
 */
type Name = `${string} ${string}: ${string}`

/** Defects by their names, or by the beginning that the names of several share. */
interface Table {
  readonly [name: string]: (() => Mutation) | Table
}

/** The first of some words that is no id of a requirement, but for the last word, which need not be one. */
type Misspelled<Words extends string> = Words extends `${infer Word} ${infer Rest}`
  ? Word extends RequirementPattern
    ? Misspelled<Rest>
    : Word
  : never

/** The words of a name before its note and its title; empty for a name that is composed. */
type WordsOf<Row> = string extends Row
  ? ''
  : Row extends `${infer Words} (${string}): ${string}`
    ? Words
    : Row extends `${infer Words}: ${string}`
      ? Words
      : Row extends string
        ? `${Row} `
        : ''

/** A table in which a name with a misspelled id demands a value that nothing has, so that it does not compile. */
type Checked<Rows> = {
  [Row in keyof Rows]: [Misspelled<WordsOf<Row>>] extends [never]
    ? Rows[Row] extends Table
      ? Checked<Rows[Row]>
      : Rows[Row]
    : { readonly misspelled: Misspelled<WordsOf<Row>> }
}

function defectOf(name: string, mutate: () => Mutation): Defect {
  const { words, id, note, title } = parseTableKey(name)
  return { id, title, breaks: words, ...(note && { variant: note as Variant }), mutate }
}

/**
 * Creates the defects of a table. Keys: `REQUIREMENT… id: What the service does`; values: functions that create the
 * change of the mock.
 */
export const defectsOfTable = <Rows extends Table>(table: Rows & Checked<Rows>): Defect[] => rowsOf(table)

function rowsOf(table: Table, start = ''): Defect[] {
  return Object.entries(table).flatMap(([name, row]) =>
    typeof row === 'function' ? defectOf(start + name, row) : rowsOf(row, `${start}${name} `),
  )
}

/** Creates a defect for each item of a list, such as for each operation. */
export function defectForEach<const Kind>(
  kinds: readonly Kind[],
  row: (kind: Kind) => readonly [name: Name, change: Mutation],
): Defect[] {
  return kinds.map((kind) => defectOf(row(kind)[0], () => row(kind)[1]))
}
