/** Renders a matrix for a terminal. */
import { cellAt, legend, type Matrix, notableCells, othersInWords, signs } from '../matrix.ts'
import { oneLine } from '../one-line.ts'
import { wordsOf } from '../outcome.ts'

/** So many cells are explained; the other formats explain all. */
const mostExplained = 20

/** The table, and what is wrong in it with the command that repeats each run. */
export function matrixBlocks(matrix: Matrix): string[] {
  const { columns, rows } = matrix
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const line = (label: string, cells: readonly string[]) =>
    [label.padEnd(width), ...cells.map((text, i) => text.padStart(columns[i]?.id.length ?? 0))].join(' ')
  const table = [
    line(
      '',
      columns.map(({ id }) => id),
    ),
    ...rows.map((row) =>
      line(
        row,
        columns.map(({ id }) => signs[cellAt(matrix, row, id)?.outcome ?? 'none']),
      ),
    ),
    legend,
  ]
  return [
    ...(rows.length > 0 ? [table.join('\n')] : []),
    ...[othersInWords(matrix)].filter(Boolean),
    ...explainedCells(matrix),
  ]
}

/** The runs that need attention, each with what was found and the command that repeats it; the only one with its requests. */
export function explainedCells(matrix: Matrix): string[] {
  const notable = notableCells(matrix)
  const isOnly = matrix.cells.length === 1
  const explained = notable.slice(0, mostExplained).map(({ id, outcome, findings, note, repeat, trace }) => {
    const lines = [...(isOnly ? trace : []), ...findings, repeat].map((text) => `  ${oneLine(text)}`)
    return [`${wordsOf(outcome)}  ${id} (${note})`, ...lines].join('\n')
  })
  const rest = notable.length - explained.length
  return rest > 0 ? [...explained, `and ${rest} more; --report html=FILE or json=FILE has them`] : explained
}
