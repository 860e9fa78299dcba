/**
 * `npm run bench`: the mock beside its peers (15 minutes); writes `docs/benchmarks.md` and its data. With `-- --quick`, beside bare `node:http` alone (about a minute). A goal that is missed is reported
 * and fails nothing.
 */
import { writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform } from 'node:os'
import { parseArgs } from 'node:util'
import {
  loadGeneratorPackage,
  measureInProcess,
  measureReadsByTaskCount,
  measureServer,
  measureStartUpMs,
} from './measure.ts'
import {
  type BenchmarkResults,
  type MeasuredValues,
  measureInTurns,
  renderBenchmarksPage,
  renderGoalsTable,
  renderMeasurementTable,
  resultsText,
  summarizeMeasurements,
} from './results.ts'
import { buildPackage, checkAnswers, installSide } from './server.ts'
import {
  bareNodeServer,
  clonedMock,
  inProcessSides,
  peerSides,
  publishedMock,
  type ServedSide,
} from './sides.ts'

const rounds = 5
const processor = cpus()[0]?.model.trim() || arch()
const machine = `Node ${process.version}, ${platform()} ${arch()}, ${availableParallelism()} cores, ${processor}`

try {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
  await compare(values.quick)
} catch (error) {
  console.error(`The benchmark could not run: ${(error as Error).message.split('\n')[0]}`)
  process.exitCode = 2
}

/** Compares the mock with every peer, or with `quick` with bare `node:http` alone. */
async function compare(quick: boolean): Promise<void> {
  const effort = quick ? { warmUp: 2, measured: 1 } : { warmUp: 4, measured: 2 }
  const sizes = quick ? [10, 100_000] : [10, 1_000, 100_000]
  const turns = quick ? 3 : rounds
  const readings: MeasuredValues = new Map()
  const { served, ...found } = await prepare(
    quick ? [publishedMock, bareNodeServer] : [publishedMock, bareNodeServer, ...peerSides],
  )
  const inside = quick ? [] : inProcessSides.filter(({ from }) => served.some(({ name }) => name === from))
  const keeping = quick ? [publishedMock] : served.filter(({ cannotKeep }) => cannotKeep === undefined)
  await measureInTurns(readings, turns, served, async (side) => ({
    ...(await measureServer(side, effort, quick)),
    ...(quick &&
      side === publishedMock && {
        ready_first: await measureStartUpMs({ ...publishedMock, env: { NODE_DISABLE_COMPILE_CACHE: '1' } }),
        ready_clone: await measureStartUpMs(clonedMock),
      }),
  }))
  await measureInTurns(readings, 3, keeping, (side) =>
    measureReadsByTaskCount(side, { ...effort, warmUp: 2 }, sizes),
  )
  await measureInTurns(readings, turns, inside, measureInProcess)
  const rows = summarizeMeasurements([...served, ...inside], readings)
  const results = { ...found, sides: [...found.sides, ...inside], rows }
  const goals = renderGoalsTable(results)
  if (quick) {
    const tables = (['served', 'pairs', 'growth'] as const).map((table) =>
      renderMeasurementTable(table, results),
    )
    return console.log([machine, ...tables, goals].join('\n\n'))
  }
  writeFileSync('docs/benchmarks.json', resultsText(results))
  writeFileSync('docs/benchmarks.md', renderBenchmarksPage(results))
  console.log(goals)
}

/** Builds the mock and installs the sides; finds out which sides answer as they should, and why others do not. */
async function prepare(all: readonly ServedSide[]) {
  buildPackage()
  const served: ServedSide[] = []
  const sides: BenchmarkResults['sides'][number][] = []
  const missing: string[] = []
  for (const side of all) {
    try {
      const version = installSide(side)
      await checkAnswers(side)
      served.push(side)
      sides.push({ ...side, version })
    } catch (error) {
      missing.push(`${side.name}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  const date = new Date().toISOString().slice(0, 10)
  return { served, date, machine, generator: loadGeneratorPackage, rounds, sides, missing }
}
