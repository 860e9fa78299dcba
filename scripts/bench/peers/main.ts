/**
 * The published mock beside the tools that people use today, in one run and in turn. Needs the registry, and Java
 * for WireMock; a peer that cannot be had is named with its reason.
 */
import { writeFileSync } from 'node:fs'
import { goalsOf } from './goals.ts'
import { type InProcessSide, inProcessSides } from './in-process.ts'
import { build } from './install.ts'
import { measure, measureGrowth } from './measure.ts'
import { pageOf } from './page.ts'
import { peers } from './peers.ts'
import type { Results } from './results.ts'
import { own, type Side, sideOf } from './side.ts'

const rounds = 5
const growthRounds = 3
const sizes = [10, 1_000, 100_000]

/** Measures everything; writes the page and answers it. `where`: versions and machine, in a sentence. */
export async function compareWithPeers(where: string): Promise<string> {
  build()
  const missing: string[] = []
  const sides: Side[] = [own]
  await start(own)
  for (const peer of peers) {
    try {
      const side = sideOf(peer)
      await start(side)
      sides.push(side)
    } catch (error) {
      missing.push(`${peer.name}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  const readings = await inTurn(rounds, sides, 'the start, GET, create and read', (side) => measure(side))
  const keepers = sides.filter(({ cannotKeep }) => cannotKeep === undefined)
  const kinds = sizes.flatMap((tasks) =>
    keepers.map((side) => ({ side, tasks, name: `${side.name}, ${tasks}` })),
  )
  const growth = await inTurn(growthRounds, kinds, 'one task of many', ({ side, tasks }) =>
    measureGrowth(side, tasks),
  )
  const inside: InProcessSide[] = inProcessSides()
  const inProcess = await inTurn(rounds, inside, 'in process', async (side) => side.measure())
  const results: Results = {
    where,
    rounds,
    missing,
    sides: sides.map((side, i) => ({ side, readings: readings[i] ?? [] })),
    growth: kinds.map(({ side, tasks }, i) => ({ side, tasks, readings: growth[i] ?? [] })),
    inProcess: inside.map((side, i) => ({ side, readings: inProcess[i] ?? [] })),
  }
  const page = pageOf(results, goalsOf(results))
  writeFileSync('docs/benchmarks.md', page)
  return page
}

/** A first start, not measured: caches are written, and what does not start is known. */
async function start(side: Side): Promise<void> {
  await (await side.start()).stop()
}

/** Measures each in every round, forwards and backwards in turn; answers the readings of each. */
async function inTurn<S extends { readonly name: string }, R>(
  times: number,
  all: readonly S[],
  what: string,
  read: (one: S) => Promise<R>,
): Promise<R[][]> {
  const readings: R[][] = all.map(() => [])
  for (let round = 0; round < times; round++) {
    console.error(`${what}: round ${round + 1} of ${times}`)
    const order = [...all.keys()]
    for (const i of round % 2 === 0 ? order : order.toReversed()) {
      const one = all[i] as S
      readings[i]?.push(await read(one))
    }
  }
  return readings
}
