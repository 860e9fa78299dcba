/** A table of runs: what became of each row in each column, worst first. */
import { counted } from './markup.ts'
import type { Outcome } from './outcome.ts'

export interface Matrix {
  /** What rows and columns are, such as `Request` and `fault`. */
  readonly names: readonly [row: string, column: string]
  /** Ids are short, since a terminal shows them side by side. */
  readonly columns: readonly { readonly id: string; readonly title: string }[]
  readonly rows: readonly string[]
  /** Worst first. */
  readonly cells: readonly MatrixCell[]
}

/** One run. */
export interface MatrixCell {
  /** Unique. */
  readonly id: string
  /** Null: the run belongs to several rows, and is listed below the table. */
  readonly row: string | null
  readonly column: string | null
  readonly outcome: Extract<Outcome, 'passed' | 'failed' | 'warned' | 'not_exercised'>
  /** What was found, each in a sentence. */
  readonly findings: readonly string[]
  /** How it ended, in a few words. */
  readonly note: string
  /** The command that repeats it. */
  readonly repeat: string
  /** Its requests, each in a line. */
  readonly trace: readonly string[]
}

/** How a cell is shown in one or two characters; `none`: there is none. */
export const signs = { passed: 'ok', failed: 'F', warned: 'w', not_exercised: '?', none: '·' } as const

/** What the signs mean. */
export const legend = 'ok: passed; F: failed; w: warned; ?: not exercised; ·: cannot happen'

/** The cell of a row and a column; undefined: there is none. */
export function cellAt({ cells }: Matrix, row: string, column: string): MatrixCell | undefined {
  return cells.find((cell) => cell.row === row && cell.column === column)
}

/** The cells that need attention, worst first; the only one in any case. */
export function notableCells({ cells }: Matrix): readonly MatrixCell[] {
  return cells.length === 1 ? cells : cells.filter(({ outcome }) => outcome !== 'passed')
}

/** How many of the cells outside the table have each outcome, in words; empty: there are none, or no table. */
export function othersInWords({ rows, cells }: Matrix): string {
  const others = cells.filter(({ row }) => row === null)
  if (others.length === 0 || rows.length === 0) return ''
  const count = (outcome: MatrixCell['outcome']) => others.filter((one) => one.outcome === outcome).length
  return `Beside the table: ${counted(others.length, 'run')}, ${count('failed')} failed, ${count('warned')} warned, ${count('not_exercised')} not exercised`
}
