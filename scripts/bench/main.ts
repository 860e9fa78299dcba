/**
 * `npm run bench`: the mock beside its peers (15 minutes); writes `docs/benchmarks.md` and its data. With `-- --quick`, beside bare `node:http` alone (about a minute). A goal that is missed is reported
 * and fails nothing.
 */
import { writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform } from 'node:os'
import { parseArgs } from 'node:util'
import { generator, measureGrowth, measureInProcess, measureReady, measureServer } from './measure.ts'
import {
  goalsTable,
  pageOf,
  type Readings,
  type Results,
  resultsText,
  summarize,
  tableOf,
  takeTurns,
} from './results.ts'
import { build, checkAnswers, install } from './server.ts'
import { bare, clone, inProcess, own, peers, type Served } from './sides.ts'

const rounds = 5
const processor = cpus()[0]?.model.trim() || arch()
const machine = `Node ${process.version}, ${platform()} ${arch()}, ${availableParallelism()} cores, ${processor}`

try {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' } } })
  if (values.quick) await compareWithBare()
  else await compareWithPeers()
} catch (error) {
  console.error(`The benchmark could not run: ${(error as Error).message.split('\n')[0]}`)
  process.exitCode = 2
}

async function compareWithBare(): Promise<void> {
  const effort = { warmUp: 2, measured: 1 }
  const firstStart = { ...own, env: { NODE_DISABLE_COMPILE_CACHE: '1' } }
  const readings: Readings = new Map()
  const { served, ...found } = await prepare([own, bare])
  await takeTurns(readings, 3, served, async (side) => ({
    ...(await measureServer(side, effort, true)),
    ...(side === own && {
      ready_first: await measureReady(firstStart),
      ready_clone: await measureReady(clone),
    }),
  }))
  await takeTurns(readings, 3, [own], (side) => measureGrowth(side, effort, [10, 100_000]))
  const results = { ...found, rows: summarize(served, readings) }
  const tables = (['served', 'pairs', 'growth'] as const).map((table) => tableOf(table, results))
  console.log([machine, ...tables, goalsTable(results)].join('\n\n'))
}

async function compareWithPeers(): Promise<void> {
  const effort = { warmUp: 4, measured: 2 }
  const readings: Readings = new Map()
  const { served, ...found } = await prepare([own, bare, ...peers])
  const inside = inProcess.filter(({ from }) => served.some(({ name }) => name === from))
  const keeping = served.filter(({ cannotKeep }) => cannotKeep === undefined)
  await takeTurns(readings, rounds, served, (side) => measureServer(side, effort, false))
  await takeTurns(readings, 3, keeping, (side) =>
    measureGrowth(side, { ...effort, warmUp: 2 }, [10, 1_000, 100_000]),
  )
  await takeTurns(readings, rounds, inside, measureInProcess)
  const rows = summarize([...served, ...inside], readings)
  const results = { ...found, sides: [...found.sides, ...inside], rows }
  writeFileSync('docs/benchmarks.json', resultsText(results))
  writeFileSync('docs/benchmarks.md', pageOf(results))
  console.log(goalsTable(results))
}

/** Builds and installs; finds which sides answer as they should, and why others do not. */
async function prepare(all: readonly Served[]) {
  build()
  const served: Served[] = []
  const sides: Results['sides'][number][] = []
  const missing: string[] = []
  for (const side of all) {
    try {
      const version = install(side)
      await checkAnswers(side)
      served.push(side)
      sides.push({ ...side, version })
    } catch (error) {
      missing.push(`${side.name}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  const date = new Date().toISOString().slice(0, 10)
  return { served, date, machine, generator, rounds, sides, missing }
}
