/** How soon a server answers after its start, and what it holds by then. */
import { alternate, spreadOf } from './rounds.ts'
import { type Server, startBare, startMock } from './server.ts'
import type { Row } from './table.ts'

const rounds = 7

/** Rows of start-up: the mock with and without Node's compile cache, and the yardstick. */
export async function startUpRows(): Promise<Row[]> {
  await once(startMock)
  const cold = await series(() => startMock({ NODE_DISABLE_COMPILE_CACHE: '1' }))
  const bothWarm = await alternate(
    rounds,
    () => once(startMock),
    () => once(() => startBare({})),
  )
  const ours = bothWarm.map((round) => round.ours)
  const bare = bothWarm.map((round) => round.theirs)
  const bareMs = spreadOf(bare.map(({ ms }) => ms)).median.toFixed(0)
  const bareMb = spreadOf(bare.map(({ mb }) => mb)).median.toFixed(0)
  return [
    {
      name: 'ready after spawn',
      measured: spreadOf(ours.map(({ ms }) => ms)),
      unit: 'ms',
      goal: { atMost: 250 },
      note: `bare node:http ${bareMs} ms`,
    },
    {
      name: 'ready, first start ever',
      measured: spreadOf(cold.map(({ ms }) => ms)),
      unit: 'ms',
      goal: { atMost: 250 },
      note: 'without the compile cache',
    },
    {
      name: 'memory at start',
      measured: spreadOf(ours.map(({ mb }) => mb)),
      unit: 'MB',
      note: `bare node:http ${bareMb} MB`,
    },
  ]
}

async function once(start: () => Promise<Server>) {
  const server = await start()
  const { rss } = await server.usage()
  await server.stop()
  return { ms: server.ready_ms, mb: rss / 1e6 }
}

async function series(start: () => Promise<Server>) {
  const results: Awaited<ReturnType<typeof once>>[] = []
  for (let round = 0; round < rounds; round++) results.push(await once(start))
  return results
}
