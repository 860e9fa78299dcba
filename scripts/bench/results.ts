/**
 * The rows of the benchmark; the results as `docs/benchmarks.json` holds them; and their page as Markdown. Sides are
 * measured in turn, so that other work on the machine affects all of them.
 */
import { renderMarkdownTable } from '#reporting/markup.ts'
import type { BenchmarkSide } from './sides.ts'

interface Measurement {
  /** The table of the page that it is a column of; `msw` is in none. */
  readonly table: 'served' | 'pairs' | 'growth' | 'inProcess' | 'msw'
  readonly head: string
  /** The head of a second column: how many times better the mock is than each side. */
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

const measurements = {
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

/** The id of a measurement, a row of the results, such as `latency`. */
export type MeasurementId = keyof typeof measurements

const rows = Object.entries(measurements) as [MeasurementId, Measurement][]

/** The results of the benchmark, as `docs/benchmarks.json` holds them. */
export interface BenchmarkResults {
  readonly date: string
  readonly machine: string
  readonly generator: string
  readonly rounds: number
  /** The servers and mocks that were compared, ours first. */
  readonly sides: readonly (BenchmarkSide & { readonly version?: string })[]
  /** The measured values, by id of the measurement and name of the side. */
  readonly rows: { readonly [R in MeasurementId]?: Readonly<Record<string, Measured>> }
  /** The sides that could not be measured, each with the reason. */
  readonly missing: readonly string[]
}

interface Measured {
  readonly value: Spread
  /** The factor by which the mock is better, in the same rounds. */
  readonly times: Spread
}

/**
 * Calculates the median and the spread of each measurement; ratios compare with the first side of our own that was
 * measured in it.
 */
export function summarizeMeasurements(
  sides: readonly BenchmarkSide[],
  readings: MeasuredValues,
): BenchmarkResults['rows'] {
  const measured = rows.map(([row, { better }]) => {
    const valuesOf = ({ name }: BenchmarkSide) =>
      (readings.get(name) ?? []).flatMap((reading) => reading[row] ?? [])
    const having = sides.filter((side) => valuesOf(side).length > 0)
    const ours = having.filter(({ kind }) => kind === 'own').map(valuesOf)[0] ?? []
    const entries = having.map((side) => {
      const values = valuesOf(side)
      const ratios = values.map((value, i) => (ours[i] ?? Number.NaN) / value)
      const times = better === 'higher' ? ratios : ratios.map((ratio) => 1 / ratio)
      return [side.name, { value: medianAndRangeOf(values), times: medianAndRangeOf(times) }]
    })
    return [row, entries.length > 0 ? Object.fromEntries(entries) : undefined]
  })
  return Object.fromEntries(measured)
}

/** Writes results as JSON, with one line for each measurement of a side. */
export function resultsText(results: BenchmarkResults): string {
  const round = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(5)) : value
  const joinLines = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/(?<=\[) | (?=\])/g, '')
  const short = /\{\s+"value": [^}]+\}|\[[^[{\]]*\]/g
  return `${JSON.stringify(results, round, 2).replaceAll(short, joinLines)}\n`
}

/** Median, lowest and highest; only the median where the others are not known. */
type Spread = readonly [median: number, low?: number, high?: number]

/** The values that were measured, by name of the side: one record for each round, by id of the measurement. */
export type MeasuredValues = Map<string, Readonly<Record<string, number>>[]>

/** The median of some values, and the lowest and the highest of them. */
export function medianAndRangeOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return [at(0.5), at(0), at(1)]
}

/**
 * Measures each side (each server or mock that is compared) once a round, in alternating order, and adds the values to
 * `readings`.
 */
export async function measureInTurns<S extends { readonly name: string }>(
  readings: MeasuredValues,
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

interface Goal {
  readonly row: MeasurementId
  /** The name of what is measured; undefined: the head of its row. */
  readonly head?: string
  /** The sides with the best of which the mock is compared; undefined: the goal is for the value itself. */
  readonly against?: keyof typeof opponents
  readonly atLeast?: number
  readonly atMost?: number
  /** The reason why it is missed, where that is known. */
  readonly cause?: string
}

const opponents = {
  'bare `node:http`': ({ kind }: BenchmarkSide) => kind === 'baseline',
  'every peer': ({ kind }: BenchmarkSide) => kind === 'peer',
  WireMock: ({ name }: BenchmarkSide) => name === 'WireMock',
}

const modules = 'modules that must be loaded: [a quick start](decisions/0002-a-quick-start.md)'
const network = 'Node and the network take most of the time of a request'
const work = 'validation, the ledger, the rate limit and the journal, which bare `node:http` does not have'
const making = 'making the `Request` and the `Response` and reading its JSON takes most of it'
const throughMsw = 'both depend on msw, and the mock does more work for each request'
const ahead = { against: 'every peer', atLeast: 1 } as const

const byCpu = { row: 'get_cpu', head: 'requests/s by CPU time' } as const
const pairsByCpu = { row: 'pairs_cpu', head: 'pairs/s by CPU time' } as const

const goals: readonly Goal[] = [
  { ...byCpu, against: 'bare `node:http`', atLeast: 0.75, cause: network },
  { ...pairsByCpu, against: 'bare `node:http`', atLeast: 0.72, cause: work },
  { row: 'create', against: 'bare `node:http`', atLeast: 0.35 },
  { row: 'growth', atLeast: 0.95 },
  { row: 'get', against: 'WireMock', atLeast: 6, cause: network },
  { ...byCpu, against: 'WireMock', atLeast: 10, cause: network },
  { row: 'ready', atMost: 110, cause: modules },
  { row: 'ready_first', atMost: 150, cause: modules },
  { row: 'ready_clone', atMost: 250 },
  { row: 'start_mb', atMost: 72, cause: modules },
  { row: 'grown_mb', atMost: 200 },
  { row: 'inside_us', atMost: 9, cause: making },
  { row: 'get', ...ahead },
  { row: 'latency', ...ahead },
  { row: 'ready', ...ahead, cause: modules },
  { row: 'start_mb', ...ahead, cause: modules },
  ...(['pairs', 'read_10', 'read_1000', 'read_100000', 'inside_ms', 'inside_us'] as const).map((row) => ({
    row,
    ...ahead,
  })),
  { row: 'msw_ms', ...ahead, cause: throughMsw },
  { row: 'msw_us', ...ahead, cause: throughMsw },
]

/** The goals whose rows were measured: goal, measured, reached, cause. */
function compareWithGoals(results: BenchmarkResults): string[][] {
  return goals.flatMap(({ row, against, atLeast, atMost, cause = '', ...goal }) => {
    const { digits = 1, ...measurement }: Measurement = measurements[row]
    const { head = measurement.head } = goal
    const having = results.sides.flatMap((side) => {
      const measured: Measured | undefined = results.rows[row]?.[side.name]
      if (!measured) return []
      const [median] = measured.value
      const text = median.toFixed(median < 100 ? digits : 0)
      return { ...side, median, text, times: measured.times[0] }
    })
    const own = having.find(({ kind }) => kind === 'own')
    const bare = having.find(({ kind }) => kind === 'baseline')
    const [best] = against ? having.filter(opponents[against]).sort((a, b) => a.times - b.times) : []
    if (!own || (against && !best)) return []
    const value = best?.times ?? own.median
    const reached = value >= (atLeast ?? value) && value <= (atMost ?? value)
    const bound = atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`
    if (!best) {
      const beside = bare ? ` (${bare.name}: ${bare.text})` : ''
      return [[`${head} ${bound}`, own.text + beside, ...verdict(reached, cause)]]
    }
    const cpu = results.rows[`${row}_cpu` as MeasurementId]?.[best.name]?.times[0]
    const byCpu = cpu ? `; by CPU time ${cpu.toFixed(2)}` : ''
    const measured = `${value.toFixed(2)} (${own.text} against ${best.text} of ${best.name}${byCpu})`
    const text = atLeast === 1 ? `${head}: ahead of ${against}` : `${head}: ${bound} times ${against}`
    const why = best.manyCores ? 'it uses every core, a Node server one' : cause
    const limit = `bare \`node:http\` answers ${((bare?.median ?? 0) / best.median).toFixed(1)} times as many`
    return [
      [
        text,
        measured,
        ...verdict(reached, row === 'get' && bare && bare !== best ? `${why}; ${limit}` : why),
      ],
    ]
  })
}

const verdict = (reached: boolean, cause: string) => (reached ? ['yes', ''] : ['no', cause])

/** Renders `docs/benchmarks.md` from the results. */
export function renderBenchmarksPage(results: BenchmarkResults): string {
  const { sides, missing, rounds, machine, generator, date } = results
  const cannot = sides.flatMap(({ name, cannotKeep }) => (cannotKeep ? `${name} (${cannotKeep})` : []))
  return `# Benchmarks

${relativeTo(results)}

\`npm run bench\` writes this page and [its data](benchmarks.json). Every side is measured once in
each of ${rounds} rounds (3 for many tasks), with a fresh process each time. Values are medians, with the lowest and highest
in brackets. The load generator runs on the same machine and keeps 20 connections busy, each with one request at a
time; latency is measured with one connection. CPU is the time that the server spends on one request, on all cores.
Compare ratios, not speeds: \`times\` is the mock's speed divided by that of the other side in the same round. Other
work on the machine affects \`times by CPU\` least.

The peers return a fixed text if the header is present, and store tasks without validation. The mock authenticates,
counts the rate limit, validates, and keeps a ledger and a journal. Before it is measured, each side must require a key,
return every field of \`whoami\` and, if it can keep tasks, return a task it was sent.

${machine}; load from ${generator}; ${date}.

## Goals

${renderGoalsTable(results)}

## An authenticated GET, and start-up

${renderMeasurementTable('served', results)}

## Create a task, then read it

${renderMeasurementTable('pairs', results)}
${cannot.length > 0 ? `\nNot possible with ${cannot.join(' and ')}.\n` : ''}
## Read one task of many

${renderMeasurementTable('growth', results)}

## In a test's own process

Create a mock, send one request, dispose of the mock: 200 times, after 50 that are not counted. Then one mock answers
request after request. The other peers need a process of their own. Memory kept through msw belongs to msw: mocks that
were disposed of are collected.

${renderMeasurementTable('inProcess', results)}

## Versions and setup

${renderMarkdownTable(
  ['side', 'version', 'setup'],
  sides.map(({ name, version = '', setUp }) => [name, version, setUp]),
)}
${missing.map((reason) => `\nNot measured: ${reason}.\n`).join('')}`
}

/** Requests per second relative to those of the mock, the most first; the tables have the numbers. */
function relativeTo({ sides, rows }: BenchmarkResults): string {
  const bars = sides.flatMap(({ name }) => {
    const [times] = rows.get?.[name]?.times ?? []
    return times ? [[name, 1 / times] as const] : []
  })
  const sorted = bars.toSorted(([, a], [, b]) => b - a)
  return renderBarChart('Requests per second, relative to the mock', 'times the mock', sorted, 2)
}

/** Renders a horizontal bar chart in Mermaid. */
export function renderBarChart(
  title: string,
  axis: string,
  bars: readonly (readonly [name: string, value: number])[],
  digits: number,
): string {
  const values = bars.map(([, value]) => value)
  return `\`\`\`mermaid
xychart-beta horizontal
  title "${title}"
  x-axis [${bars.map(([name]) => `"${name}"`).join(', ')}]
  y-axis "${axis}" 0 --> ${Math.ceil(Math.max(...values))}
  bar [${values.map((value) => value.toFixed(digits)).join(', ')}]
\`\`\``
}

/** Renders the table that compares the results with the goals. */
export const renderGoalsTable = (results: BenchmarkResults): string =>
  renderMarkdownTable(['goal', 'measured', 'reached', 'cause'], compareWithGoals(results))

/** Renders one of the tables of the page: a line for each side, a column for each measurement in it. */
export function renderMeasurementTable(
  kind: Measurement['table'],
  { rows: measured, sides }: BenchmarkResults,
): string {
  const columns = rows.filter(([row, measurement]) => measurement.table === kind && measured[row])
  return renderMarkdownTable(
    ['side', ...columns.flatMap(([, { head, times }]) => (times ? [head, times] : [head]))],
    sides
      .filter(({ name }) => columns.some(([row]) => measured[row]?.[name]))
      .map(({ name }) => [
        name,
        ...columns.flatMap(([row, { times, digits }]) => {
          const one = measured[row]?.[name]
          return times ? [cell(one?.value, digits), cell(one?.times, 2)] : [cell(one?.value, digits)]
        }),
      ]),
  )
}

function cell(spread: Spread | undefined, digits = 0): string {
  if (!spread || Number.isNaN(spread[0])) return '-'
  const [median, low, high] = spread.map((value) => value?.toFixed(digits))
  return low === high ? `${median}` : `${median} (${low}–${high})`
}
