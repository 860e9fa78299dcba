/** A table of runs, a row for each request and a column for each fault, worst first; each cell opens its run. */
import { countWithNoun, escapeHtml, printableLine } from './markup.ts'
import { type Outcome, outcomeWordsOf } from './outcome.ts'

/** A table of outcomes: a row for each request, a column for each fault. */
export interface OutcomeMatrix {
  /** What a row and a column stand for, such as `Request` and `fault`. */
  readonly names: readonly [row: string, column: string]
  /** The columns. Their ids are short, since a terminal shows them side by side. */
  readonly columns: readonly { readonly id: string; readonly title: string }[]
  readonly rows: readonly string[]
  /** The cells, worst first. */
  readonly cells: readonly MatrixCell[]
}

/** A cell of the matrix: one run, with its outcome, its findings and the command that repeats it. */
export interface MatrixCell {
  /** Unique. */
  readonly id: string
  /** The row of the run; null: it belongs to several rows, and is listed below the table. */
  readonly row: string | null
  readonly column: string | null
  readonly outcome: Extract<Outcome, 'passed' | 'failed' | 'warned' | 'not_exercised'>
  /** Findings, each in a sentence. */
  readonly findings: readonly string[]
  /** How the run ended, in a few words. */
  readonly note: string
  /** The command that repeats it. */
  readonly repeat: string
  /** Its requests, each in a line. */
  readonly trace: readonly string[]
}

/** A cell in one or two characters; `none`: the fault cannot happen to the request. */
const signs = { passed: 'ok', failed: 'F', warned: 'w', not_exercised: '?', none: '·' } as const

/** The legend that explains the signs in the text form of a matrix. */
export const matrixLegend = 'ok: passed; F: failed; w: warned; ?: not exercised; ·: cannot happen'

/** The cell of a row and a column; undefined if there is none. */
const cellAt = (cells: OutcomeMatrix['cells'], row: string, column: string): MatrixCell | undefined =>
  cells.find((cell) => cell.row === row && cell.column === column)

/** The cells that need attention, worst first; a single cell in any case. */
function notableCells({ cells }: OutcomeMatrix): readonly MatrixCell[] {
  return cells.length === 1 ? cells : cells.filter(({ outcome }) => outcome !== 'passed')
}

/**
 * The number of cells outside the table with each outcome, in words; empty if there are none, or if there is no table.
 */
function othersInWords({ rows, cells }: OutcomeMatrix): string {
  const others = cells.filter(({ row }) => row === null)
  if (others.length === 0 || rows.length === 0) return ''
  const count = (outcome: MatrixCell['outcome']) => others.filter((one) => one.outcome === outcome).length
  return `Beside the table: ${countWithNoun(others.length, 'run')}, ${count('failed')} failed, ${count('warned')} warned, ${count('not_exercised')} not exercised`
}

/** Renders a matrix as an HTML table, and its runs below the table, those that need attention first. */
export function renderMatrixHtml(matrix: OutcomeMatrix): string {
  const { columns, rows, names, cells } = matrix
  const head = columns.map(
    ({ id, title }) => `<th scope="col" title="${escapeHtml(title)}">${escapeHtml(id)}</th>`,
  )
  const body = rows.map((row) => {
    const tds = columns.map(({ id }) => tableCell(cellAt(cells, row, id)))
    return `<tr><th scope="row">${escapeHtml(row)}</th>${tds.join('')}</tr>`
  })
  const notable = notableCells(matrix)
  const others = othersInWords(matrix)
  const passed = cells.filter((cell) => !notable.includes(cell))
  const table = `<div class="wide"><table class="matrix"><caption>${escapeHtml(`${names[0]} by ${names[1]}; ${matrixLegend}`)}</caption>
<thead><tr><td></td>${head.join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table></div>`
  return `<section aria-label="${escapeHtml(`${names[0]} by ${names[1]}`)}">
${rows.length > 0 ? table : ''}
${others === '' ? '' : `<p>${escapeHtml(others)}</p>`}
${notable.map((cell) => run(cell, cells.length === 1)).join('\n')}
${passed.length > 0 ? `<details><summary>${countWithNoun(passed.length, 'run')} that passed</summary>\n${passed.map((cell) => run(cell)).join('\n')}</details>` : ''}
</section>`
}

const anchorOf = ({ id }: MatrixCell) => `run-${id}`

function tableCell(cell: MatrixCell | undefined): string {
  if (!cell) return '<td>·</td>'
  const title = [outcomeWordsOf(cell.outcome), ...cell.findings].join('; ')
  return `<td class="${escapeHtml(cell.outcome)}"><a href="#${encodeURIComponent(anchorOf(cell))}" title="${escapeHtml(title)}">${signs[cell.outcome] ?? '?'}</a></td>`
}

function run(cell: MatrixCell, isOpen = false): string {
  const { id, outcome, findings, note, repeat, trace } = cell
  const found = findings.map((text) => `<li>${escapeHtml(text)}</li>`)
  return `<details class="run ${escapeHtml(outcome)}" id="${escapeHtml(anchorOf(cell))}"${isOpen ? ' open' : ''}><summary><b>${escapeHtml(id)}</b><span class="badge">${escapeHtml(outcomeWordsOf(outcome))}</span> ${escapeHtml(note)}</summary>
${found.length > 0 ? `<ul>${found.join('')}</ul>` : ''}<pre>${escapeHtml(trace.join('\n'))}</pre>
<h3>Repeat <button type="button" class="copy">copy</button></h3><pre>${escapeHtml(repeat)}</pre></details>`
}

/** The script of an HTML report that unfolds the run to which a link or the page's address leads. */
export const matrixScript = `
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at; at = at.parentElement) if (at.matches('details')) at.open = true;
  if (target?.matches('.run')) target.scrollIntoView();
};
addEventListener('hashchange', openTarget);
openTarget();
`

/** The style sheet of the matrix in an HTML report. */
export const matrixStyle = `
section { padding: 1rem max(1.25rem, calc((100vw - 68rem) / 2)); } .matrix { margin: .5rem 0 1rem; } .wide { overflow-x: auto; }
.matrix caption { text-align: left; color: var(--idle); } .matrix td, .matrix thead th { text-align: center; padding: 0; border: 1px solid var(--line); font-size: .8rem; min-width: 2.2rem; }
.matrix th { white-space: nowrap; } .matrix thead th { padding: .3rem 0; writing-mode: vertical-rl; text-align: right; vertical-align: bottom; } .matrix td a { display: block; padding: .1rem; color: var(--tone); text-decoration: none; } .matrix td.failed, .matrix td.warned { background: var(--soft); font-weight: 700; }
.run { scroll-margin-top: 6rem; padding: .3rem .8rem; border-left: 4px solid var(--tone); } .run summary { display: flex; flex-wrap: wrap; gap: .15rem .7rem; align-items: baseline; }
.run:target { box-shadow: 0 0 0 2px var(--tone); }
`

/** Maximum number of cells that are explained; the other formats explain all. */
const mostExplained = 20

/** Width of a terminal, characters. */
const widest = 80

/**
 * Renders a matrix as text for a terminal: first the rows with a problem, in as many tables as their width requires;
 * then the problems, each with the command that repeats its run.
 */
export function renderMatrixTextBlocks(matrix: OutcomeMatrix): string[] {
  const { rows, columns, cells } = matrix
  const notable = rows.filter((row) => cells.some((one) => one.row === row && one.outcome !== 'passed'))
  const left = rows.length - notable.length
  const sentence =
    left > 0 ? [`${countWithNoun(left, 'request')} without anything to tell: ok under every fault`] : []
  const width = Math.max(0, ...notable.map(({ length }) => length))
  const groups: (typeof columns)[] = [[]]
  let used = width
  for (const column of notable.length > 0 ? columns : []) {
    used += column.id.length + 1
    if (used > widest) {
      groups.push([])
      used = width + column.id.length + 1
    }
    groups[groups.length - 1] = [...(groups.at(-1) ?? []), column]
  }
  const tables = groups.flatMap((group) => (group.length > 0 ? [tableOf(matrix, notable, group, width)] : []))
  return assembleMatrixBlocks(
    matrix,
    [[...tables, ...sentence, matrixLegend].join('\n')],
    explainMatrixCells(matrix),
  )
}

function tableOf(
  matrix: OutcomeMatrix,
  rows: readonly string[],
  columns: OutcomeMatrix['columns'],
  width: number,
): string {
  const grid = matrixSignRowsOf({ ...matrix, rows, columns })
  const lines = grid.map(([label = '', ...signs], at) => {
    const cells = signs.map((text, i) => text.padStart(columns[i]?.id.length ?? 0))
    return [(at === 0 ? '' : label).padEnd(width), ...cells].join(' ')
  })
  return `${lines.join('\n')}\n`
}

/**
 * Puts the parts of a matrix into the order in which a format shows them: the table if there is one, notes on runs
 * outside the table, and explanations of runs.
 */
export function assembleMatrixBlocks(
  matrix: OutcomeMatrix,
  table: readonly string[],
  explained: readonly string[],
): string[] {
  const others = othersInWords(matrix)
  return [...(matrix.rows.length > 0 ? table : []), ...(others === '' ? [] : [others]), ...explained]
}

/** Converts a matrix to rows of signs such as `ok`: the header row, and one row for each request. */
export const matrixSignRowsOf = ({ names, columns, rows, cells }: OutcomeMatrix): string[][] => [
  [names.join(' by '), ...columns.map(({ id }) => id)],
  ...rows.map((row) => [row, ...columns.map(({ id }) => signs[cellAt(cells, row, id)?.outcome ?? 'none'])]),
]

/**
 * Explains the runs that need attention: each with its findings and the command that repeats it, a single run also with
 * its requests.
 */
export function explainMatrixCells(matrix: OutcomeMatrix): string[] {
  const notable = notableCells(matrix)
  const isOnly = matrix.cells.length === 1
  const explained = notable.slice(0, mostExplained).map(({ id, outcome, findings, note, repeat, trace }) => {
    const lines = [...(isOnly ? trace : []), ...findings, repeat].map((text) => `  ${printableLine(text)}`)
    return [`${outcomeWordsOf(outcome)}  ${id} (${note})`, ...lines].join('\n')
  })
  const rest = notable.length - explained.length
  return rest > 0 ? [...explained, `and ${rest} more; --report html=FILE or json=FILE has them`] : explained
}
