/** What is measured of one side in one round, each time with a fresh process. */
import { send } from '../load.ts'
import { getTask, newTask, type Running, type Side, whoamiRequest } from './side.ts'
import { idIn } from './task.ts'

/** Requests, or pairs of them, under full load. */
export interface Load {
  /** In a second. */
  readonly rate: number
  /** CPU time of the server for each, µs; NaN where the system does not tell. */
  readonly cpu_us: number
}

export interface Reading {
  /** From spawn to the first answer. */
  readonly ready_ms: number
  /** Resident memory right after it. */
  readonly start_mb: number
  /** The authenticated GET. */
  readonly get: Load
  /** One request at a time. */
  readonly latency_us: number
  /** A task is created, then read, on one connection; undefined: it cannot. */
  readonly pairs: Load | undefined
}

/** What it is to answer one task of many. */
export interface Growth {
  readonly get: Load
  /** Resident memory before the load. */
  readonly mb: number
}

/** Long enough for a JVM to compile what is hot. */
const warmUp_ms = 4_000
const measured_ms = 2_000

export async function measure(side: Side): Promise<Reading> {
  const server = await side.start()
  try {
    const { ready_ms, port } = server
    const start_mb = megabytes(server)
    const get = await load(server, { requests: [whoamiRequest] })
    const alone = await send({ port, requests: [whoamiRequest], connections: 1, forMs: 1_000 })
    const second = (body: string) => getTask(idIn(body))
    const pairs = side.cannotKeep ? undefined : await load(server, { requests: [newTask], second }, 2_000)
    return { ready_ms, start_mb, get, latency_us: 1e6 / alone, pairs }
  } finally {
    await server.stop()
  }
}

export async function measureGrowth(side: Side, tasks: number): Promise<Growth> {
  const { server, ids } = await side.startWith(tasks)
  try {
    const mb = megabytes(server)
    return { mb, get: await load(server, { requests: ids.map(getTask) }, 2_000) }
  } finally {
    await server.stop()
  }
}

interface What {
  readonly requests: readonly Buffer[]
  readonly second?: (body: string) => Buffer
}

async function load(server: Running, what: What, warm_ms = warmUp_ms): Promise<Load> {
  const { port } = server
  await send({ ...what, port, forMs: warm_ms })
  const before = server.usage()
  const started = performance.now()
  const count = await send({ ...what, port, forMs: measured_ms })
  const rate = (count / (performance.now() - started)) * 1_000
  const after = server.usage()
  return { rate, cpu_us: before && after ? (after.cpu_us - before.cpu_us) / count : Number.NaN }
}

const megabytes = (server: Running) => (server.usage()?.rss ?? Number.NaN) / 1e6
