/** What is measured, one row each; results as data, as `docs/benchmarks.json` holds them, measured in turn, so that other work on the machine affects every side. */
import type { Side } from './sides.ts'

export interface Measurement {
  /** The table of the page it belongs to; `msw` has none. */
  readonly table: 'served' | 'pairs' | 'growth' | 'inProcess' | 'msw'
  readonly head: string
  /** The head of a second column, which compares the mock with each side. */
  readonly times?: string
  readonly better: 'higher' | 'lower'
  readonly digits?: number
}

const rate = { better: 'higher', times: 'times' } as const
const cpu = { head: 'CPU µs', better: 'lower', digits: 1, times: 'times by CPU' } as const
const start = { table: 'served', better: 'lower' } as const
const grown = { table: 'growth', better: 'higher' } as const
const inside = { table: 'inProcess', better: 'lower', digits: 1 } as const
const msw = { table: 'msw', better: 'lower', digits: 1 } as const

export const measurements = {
  get: { ...rate, table: 'served', head: 'requests/s' },
  get_cpu: { ...cpu, table: 'served' },
  latency: { ...start, head: 'latency µs' },
  ready: { ...start, head: 'ready ms' },
  ready_first: { ...start, head: 'ready ms, first start' },
  ready_clone: { ...start, head: 'ready ms, from a clone' },
  start_mb: { ...start, head: 'MB at start' },
  create: { ...rate, table: 'pairs', head: 'creates/s' },
  create_cpu: { ...cpu, table: 'pairs' },
  pairs: { ...rate, table: 'pairs', head: 'pairs/s' },
  pairs_cpu: { ...cpu, table: 'pairs' },
  read_10: { ...grown, head: 'requests/s with 10 tasks' },
  read_1000: { ...grown, head: 'requests/s with 1,000 tasks' },
  read_100000: { ...grown, head: 'requests/s with 100,000 tasks' },
  growth: { ...grown, head: 'requests/s with 100,000 / 10', digits: 2 },
  growth_cpu: { ...grown, head: '100,000 / 10 by CPU', digits: 2 },
  grown_mb: { ...grown, head: 'MB with 100,000 tasks', better: 'lower' },
  inside_ms: { ...inside, head: 'create, ask, dispose: ms', digits: 2 },
  inside_kb: { ...inside, head: 'kept for each: kB' },
  inside_us: { ...inside, head: 'one request: µs' },
  msw_ms: { ...msw, head: 'through msw: create, ask, dispose: ms', digits: 2 },
  msw_us: { ...msw, head: 'through msw: one request: µs' },
} as const satisfies Record<string, Measurement>

export type Row = keyof typeof measurements

export const rows = Object.entries(measurements) as [Row, Measurement][]

export interface Results {
  readonly date: string
  readonly machine: string
  /** What sent the load. */
  readonly generator: string
  readonly rounds: number
  /** The mock first. */
  readonly sides: readonly (Side & { readonly version?: string })[]
  /** By row and name of the side. */
  readonly rows: { readonly [R in Row]?: Readonly<Record<string, Measured>> }
  /** Sides that could not be measured, each with its reason. */
  readonly missing: readonly string[]
}

export interface Measured {
  readonly value: Spread
  /** How many times better the mock is, in the same rounds. */
  readonly times: Spread
}

/** Medians and spreads; ratios are to the first side of our own that has the row. */
export function summarize(sides: readonly Side[], readings: Readings): Results['rows'] {
  const measured = rows.map(([row, { better }]) => {
    const valuesOf = ({ name }: Side) => (readings.get(name) ?? []).flatMap((reading) => reading[row] ?? [])
    const having = sides.filter((side) => valuesOf(side).length > 0)
    const ours = having.filter(({ kind }) => kind === 'own').map(valuesOf)[0] ?? []
    const entries = having.map((side) => {
      const values = valuesOf(side)
      const ratios = values.map((value, i) => (ours[i] ?? Number.NaN) / value)
      const times = better === 'higher' ? ratios : ratios.map((ratio) => 1 / ratio)
      return [side.name, { value: spreadOf(values), times: spreadOf(times) }]
    })
    return [row, entries.length > 0 ? Object.fromEntries(entries) : undefined]
  })
  return Object.fromEntries(measured)
}

/** Results as JSON, one line for each row of a side. */
export function resultsText(results: Results): string {
  const round = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(5)) : value
  const joinLines = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/(?<=\[) | (?=\])/g, '')
  const short = /\{\s+"value": [^}]+\}|\[[^[{\]]*\]/g
  return `${JSON.stringify(results, round, 2).replaceAll(short, joinLines)}\n`
}

/** Median, lowest and highest; only the median where the others are not known. */
export type Spread = readonly [median: number, low?: number, high?: number]

/** What was measured, by name of the side: one reading a round, each by row. */
export type Readings = Map<string, Readonly<Record<string, number>>[]>

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return [at(0.5), at(0), at(1)]
}

/** Measures each side once a round, forwards and backwards in turn, and adds to the readings. */
export async function takeTurns<S extends { readonly name: string }>(
  readings: Readings,
  rounds: number,
  sides: readonly S[],
  measure: (side: S) => Promise<Readonly<Record<string, number>>>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      console.error(`round ${round + 1} of ${rounds}: ${side.name}`)
      const reading = await measure(side)
      readings.set(side.name, [...(readings.get(side.name) ?? []), reading])
    }
  }
}
