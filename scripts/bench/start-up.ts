/** How soon a server answers after its start, and what it holds by then. */
import { join } from 'node:path'
import { build, ownFolder } from './peers/install.ts'
import { alternate, spreadOf } from './rounds.ts'
import { type Server, startBare, startMock } from './server.ts'
import type { Row } from './table.ts'

const rounds = 7

/** Rows of start-up: the mock as it is published and as it is in a clone, and the yardstick. */
export async function startUpRows(): Promise<Row[]> {
  build()
  const published = (env?: NodeJS.ProcessEnv) => startMock(env, join(ownFolder, 'dist/bin.js'))
  await once(published)
  await once(startMock)
  const warm = await alternate(
    rounds,
    () => once(published),
    () => once(() => startBare({})),
  )
  const cold = await series(() => published({ NODE_DISABLE_COMPILE_CACHE: '1' }))
  const clone = await series(startMock)
  const ours = warm.map((round) => round.ours)
  const bare = warm.map((round) => round.theirs)
  const bareMs = spreadOf(bare.map(({ ms }) => ms)).median.toFixed(0)
  const bareMb = spreadOf(bare.map(({ mb }) => mb)).median.toFixed(0)
  const ready = (name: string, measured: readonly Start[], atMost: number, note: string): Row => ({
    name,
    measured: spreadOf(measured.map(({ ms }) => ms)),
    unit: 'ms',
    goal: { atMost },
    note,
  })
  return [
    ready('ready after spawn', ours, 150, `as published; bare node:http ${bareMs} ms`),
    ready('ready, first start ever', cold, 150, 'as published, without the compile cache'),
    ready('ready, from a clone', clone, 250, 'types are stripped at each start'),
    {
      name: 'memory at start',
      measured: spreadOf(ours.map(({ mb }) => mb)),
      unit: 'MB',
      goal: { atMost: 70 },
      note: `as published; bare node:http ${bareMb} MB`,
    },
  ]
}

interface Start {
  readonly ms: number
  readonly mb: number
}

async function once(start: () => Promise<Server>): Promise<Start> {
  const server = await start()
  const { rss } = await server.usage()
  await server.stop()
  return { ms: server.ready_ms, mb: rss / 1e6 }
}

async function series(start: () => Promise<Server>) {
  const results: Start[] = []
  for (let round = 0; round < rounds; round++) results.push(await once(start))
  return results
}
