/** The page of the comparison: goals beside what was measured, then a table for each kind of work. Pure. */
import { type Spread, spreadOf } from '../rounds.ts'
import type { Goal } from './goal.ts'
import { ratioOf } from './ratio.ts'
import type { Results } from './results.ts'

/** The page as Markdown. */
export function pageOf(results: Results, goals: readonly Goal[]): string {
  const { sides, missing } = results
  return [
    ...opening(results),
    '## Goals',
    '',
    ...table(
      ['goal', 'measured', 'reached', 'cause'],
      goals.map(({ what, measured, reached, because }) =>
        reached ? [what, measured, 'yes', ''] : [what, measured, 'no', because],
      ),
    ),
    '## An authenticated GET, and the start',
    '',
    ...servedTable(results),
    '## Create a task, then read it',
    '',
    ...pairsTable(results),
    '## Read one task of many',
    '',
    ...growthTable(results),
    "## In a test's own process",
    '',
    'Make one, ask it once, dispose of it: 200 times in a row after 50 that do not count. Then one that stays is asked',
    'again and again. The others are processes of their own and cannot. What stays behind through msw is msw’s own: mocks',
    'that were disposed of are collected.',
    '',
    ...inProcessTable(results),
    '## Who is compared',
    '',
    ...table(
      ['server', 'version', 'set up'],
      sides.map(({ side }) => [side.name, side.version, side.setUp]),
    ),
    ...missing.flatMap((reason) => [`Not measured: ${reason}.`, '']),
  ].join('\n')
}

function opening({ where, rounds }: Results): string[] {
  return [
    '# Benchmarks',
    '',
    `Written by \`npm run bench\`: ${rounds} rounds in which all sides take turns, each time with a fresh process; a value is`,
    'the median, the lowest and the highest are in brackets. The load comes from 20 connections with one request under',
    'way on each, and shares the machine with the server; latency is one connection, one request at a time. CPU is the',
    'time that the server and its children spent on a request, on all cores. Of speeds only the ratios mean anything:',
    '`times` is how often the mock answers for each answer of the other, in the same round; in `times by CPU` other',
    'work on the machine has the smallest part.',
    '',
    'The peers answer a fixed text once the header is there, or keep tasks without looking at them; the mock',
    'authenticates, counts the rate limit, validates, books in a ledger and keeps its journal.',
    '',
    where,
    '',
  ]
}

function servedTable({ sides }: Results): string[] {
  const rates = sides.map(({ readings }) => readings.map(({ get }) => get.rate))
  const costs = sides.map(({ readings }) => readings.map(({ get }) => get.cpu_us))
  return table(
    ['server', 'requests/s', 'times', 'CPU µs', 'times by CPU', 'latency µs', 'ready ms', 'MB at start'],
    sides.map(({ side, readings }, i) => [
      side.name,
      cell(spreadOf(rates[i] ?? [])),
      cell(ratioOf(rates[0] ?? [], rates[i] ?? []), 2),
      cell(spreadOf(costs[i] ?? []), 1),
      cell(ratioOf(costs[i] ?? [], costs[0] ?? []), 2),
      cell(spreadOf(readings.map(({ latency_us }) => latency_us))),
      cell(spreadOf(readings.map(({ ready_ms }) => ready_ms))),
      cell(spreadOf(readings.map(({ start_mb }) => start_mb))),
    ]),
  )
}

function pairsTable({ sides }: Results): string[] {
  const loads = sides.map(({ readings }) => readings.flatMap(({ pairs }) => pairs ?? []))
  const rates = loads.map((all) => all.map(({ rate }) => rate))
  const costs = loads.map((all) => all.map(({ cpu_us }) => cpu_us))
  return table(
    ['server', 'pairs/s', 'times', 'CPU µs', 'times by CPU'],
    sides.map(({ side }, i) =>
      side.cannotKeep
        ? [side.name, `cannot: ${side.cannotKeep}`, '', '', '']
        : [
            side.name,
            cell(spreadOf(rates[i] ?? [])),
            cell(ratioOf(rates[0] ?? [], rates[i] ?? []), 2),
            cell(spreadOf(costs[i] ?? []), 1),
            cell(ratioOf(costs[i] ?? [], costs[0] ?? []), 2),
          ],
    ),
  )
}

function growthTable({ growth }: Results): string[] {
  const sizes = [...new Set(growth.map(({ tasks }) => tasks))]
  const [fewest = 0, most = 0] = [Math.min(...sizes), Math.max(...sizes)]
  const names = [...new Set(growth.map(({ side }) => side.name))]
  return table(
    [
      'server',
      ...sizes.map((size) => `requests/s with ${size.toLocaleString('en')}`),
      `with ${most.toLocaleString('en')} / ${fewest.toLocaleString('en')}, by CPU`,
      `MB with ${most.toLocaleString('en')}`,
    ],
    names.map((name) => {
      const of = (size: number) =>
        growth.find(({ side, tasks }) => side.name === name && tasks === size)?.readings ?? []
      const costs = (size: number) => of(size).map(({ get }) => get.cpu_us)
      return [
        name,
        ...sizes.map((size) => cell(spreadOf(of(size).map(({ get }) => get.rate)))),
        cell(ratioOf(costs(fewest), costs(most)), 2),
        cell(spreadOf(of(most).map(({ mb }) => mb))),
      ]
    }),
  )
}

function inProcessTable({ inProcess }: Results): string[] {
  return table(
    ['mock', 'how', 'ms for all three', 'kept kB for each', 'µs a request'],
    inProcess.map(({ side, readings }) => [
      side.name,
      side.setUp,
      cell(spreadOf(readings.map(({ ms }) => ms)), 2),
      cell(spreadOf(readings.map(({ kept_kb }) => kept_kb)), 1),
      cell(spreadOf(readings.map(({ us }) => us)), 1),
    ]),
  )
}

/** A median, and the ends where they differ. */
function cell({ median, low, high }: Spread, digits = 0): string {
  if (Number.isNaN(median)) return '-'
  const [middle, least, most] = [median, low, high].map((value) => value.toFixed(digits))
  return least === most ? `${middle}` : `${middle} (${least}–${most})`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), '']
}
