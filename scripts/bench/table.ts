/** The table that the benchmark prints. */
import type { Spread } from './rounds.ts'

/** One line: what was measured, what it should be, and what helps to read it. */
export interface Row {
  readonly name: string
  readonly measured: Spread
  /** `ratio`: a share of the other side; or a unit. */
  readonly unit: 'ratio' | 'ms' | 'MB'
  /** Undefined: measured for comparison only. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number }
  readonly note?: string
}

const digits = { ratio: 2, ms: 0, MB: 0 } as const
const head = ['row', 'measured', 'spread', 'goal', 'reached', 'note']

/** Rows as aligned text. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [head, ...rows.map(cellsOf)]
  const widths = head.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellsOf({ name, measured, unit, goal, note }: Row): string[] {
  const write = (value: number) => value.toFixed(digits[unit])
  const suffix = unit === 'ratio' ? '' : ` ${unit}`
  return [
    name,
    write(measured.median) + suffix,
    `${write(measured.low)}–${write(measured.high)}`,
    goal ? `${'atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`}${suffix}` : '-',
    goal ? (reached(measured, goal) ? 'yes' : 'no') : '-',
    note ?? '',
  ]
}

function reached({ median }: Spread, goal: NonNullable<Row['goal']>): boolean {
  return 'atLeast' in goal ? median >= goal.atLeast : median <= goal.atMost
}
