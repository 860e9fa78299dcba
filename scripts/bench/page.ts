/** The page of the results as Markdown: goals, then a table for each kind of work. Pure. */
import { table } from '#reporting/markup.ts'
import { compareWithGoals } from './goals.ts'
import { type Measurement, type Results, rows, type Spread } from './results.ts'

/** The whole page. */
export function pageOf(results: Results): string {
  const { sides, missing, rounds, machine, generator, date } = results
  const cannot = sides.flatMap(({ name, cannotKeep }) => (cannotKeep ? `${name} (${cannotKeep})` : []))
  return `# Benchmarks

![Requests per second relative to the mock; the table below has the numbers.](benchmarks.svg)

\`npm run bench\` writes this page, its chart and [the data of both](benchmarks.json). Every side is measured once in
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

${goalsTable(results)}

## An authenticated GET, and start-up

${tableOf('served', results)}

## Create a task, then read it

${tableOf('pairs', results)}
${cannot.length > 0 ? `\nNot possible with ${cannot.join(' and ')}.\n` : ''}
## Read one task of many

${tableOf('growth', results)}

## In a test's own process

Create a mock, send one request, dispose of the mock: 200 times, after 50 that are not counted. Then one mock answers
request after request. The other peers need a process of their own. Memory kept through msw belongs to msw: mocks that
were disposed of are collected.

${tableOf('inProcess', results)}

## Versions and setup

${table(
  ['side', 'version', 'setup'],
  sides.map(({ name, version = '', setUp }) => [name, version, setUp]),
)}
${missing.map((reason) => `\nNot measured: ${reason}.\n`).join('')}`
}

/** The goals beside what was measured. */
export function goalsTable(results: Results): string {
  return table(['goal', 'measured', 'reached', 'cause'], compareWithGoals(results))
}

/** One table: a line for each side, a column for each row that was measured. */
export function tableOf(kind: Measurement['table'], { rows: measured, sides }: Results): string {
  const columns = rows.filter(([row, measurement]) => measurement.table === kind && measured[row])
  return table(
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
