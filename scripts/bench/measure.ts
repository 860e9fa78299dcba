/** Measurements of one side in one round, each with a fresh process. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { installAndImportTool, type SideProcess, startSideProcess, taskIdInAnswer } from './server.ts'
import { type InProcessSide, peerWhoamiAnswer, type ServedSide, sideFolderOf } from './sides.ts'

/** Durations of sending, s: before it is measured, and while it is. */
interface Effort {
  readonly warmUp: number
  readonly measured: number
}

const text = 'Summarise what customers say in their reviews'
const getWhoami: Request = { path: '/api/cli/whoami' }
const create: Request = { method: 'POST', path: '/api/cli/tasks', body: JSON.stringify({ text }) }
const read = (id = ''): Request => ({ path: `/api/cli/tasks/${id}` })

/** Creates a task, then reads it on the same connection. */
const pair: readonly Request[] = [
  {
    ...create,
    onResponse(_, body, context) {
      context.id = taskIdInAnswer(body)
    },
  },
  { ...read(), setupRequest: (request, { id }) => ({ ...request, ...read(id) }) },
]

/**
 * Measures a side (a server that the benchmark compares): its start-up, the authenticated GET, and writing; with
 * `quick` only creations, otherwise pairs of a creation and a read.
 */
export async function measureServer(side: ServedSide, effort: Effort, quick: boolean) {
  await using server = await startSideProcess(side)
  const start_mb = (await server.usage()).mb
  const get = await load(server, [getWhoami], effort)
  const reading = { ready: server.ready, start_mb, get: get.rate, get_cpu: get.cpu_us }
  const writing = () => load(server, quick ? [create] : pair, { ...effort, warmUp: effort.warmUp / 2 })
  if (quick) {
    const { rate, cpu_us } = await writing()
    return { ...reading, create: rate, create_cpu: cpu_us }
  }
  const alone = await sendOverConnections(server.port, [getWhoami], { connections: 1, duration: 1 })
  const latency = (alone.seconds / alone.count) * 1e6
  if (side.cannotKeep !== undefined) return { ...reading, latency }
  const { rate, cpu_us } = await writing()
  return { ...reading, latency, pairs: rate / 2, pairs_cpu: cpu_us * 2 }
}

/** Measures the time from starting a side to its first answer, ms. */
export async function measureStartUpMs(side: ServedSide): Promise<number> {
  await using server = await startSideProcess(side)
  return server.ready
}

/** Measures how fast a side reads one task, with few and with many tasks in it. */
export async function measureReadsByTaskCount(side: ServedSide, effort: Effort, sizes: readonly number[]) {
  const reading: Record<string, number> = {}
  let few = { rate: Number.NaN, cpu_us: Number.NaN }
  for (const [i, size] of sizes.entries()) {
    const tasks = side.kind === 'own' ? [] : tasksOf(size)
    await using server = await startSideProcess(side, tasks)
    const ids = side.kind === 'own' ? await fill(server, size) : tasks.map(({ id }) => id)
    reading.grown_mb = (await server.usage()).mb
    const many = await load(server, sample(ids).map(read), effort)
    if (i === 0) few = many
    reading[`read_${size}`] = many.rate
    reading.growth = many.rate / few.rate
    reading.growth_cpu = few.cpu_us / many.cpu_us
  }
  return reading
}

/** Measures a mock that runs inside a test and without a port, in a process started for the measurement. */
export async function measureInProcess({ way, from }: InProcessSide): Promise<Record<string, number>> {
  const script = fileURLToPath(new URL('./in-process.mjs', import.meta.url))
  const command = ['--expose-gc', script, way, sideFolderOf(from), JSON.stringify(peerWhoamiAnswer)]
  const reading = JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' }))
  const throughMsw = way === 'msw' || way === 'byHand'
  return throughMsw ? { ...reading, msw_ms: reading.inside_ms, msw_us: reading.inside_us } : reading
}

/** Requests a second, and the CPU time that the server spends on each, µs. */
async function load({ port, usage }: SideProcess, requests: readonly Request[], effort: Effort) {
  await sendOverConnections(port, requests, { duration: effort.warmUp })
  const before = await usage()
  const { count, seconds } = await sendOverConnections(port, requests, { duration: effort.measured })
  const after = await usage()
  return { rate: count / seconds, cpu_us: (after.cpu_us - before.cpu_us) / count }
}

/** Up to a hundred ids, mixed by age, since each connection starts with the first one. */
function sample(ids: readonly string[]): string[] {
  const count = Math.min(ids.length, 100)
  const picked = (i: number) => ids[Math.floor((((i * 37) % count) * ids.length) / count)] ?? ''
  return Array.from({ length: count }, (_, i) => picked(i))
}

/** Creates tasks over HTTP, beside those the mock is seeded with; returns their ids. */
async function fill({ port }: SideProcess, amount: number): Promise<string[]> {
  const ids: string[] = []
  await sendOverConnections(port, [{ ...create, onResponse: (_, body) => ids.push(taskIdInAnswer(body)) }], {
    amount,
  })
  return ids
}

/** Tasks that a side holds at its start. */
function tasksOf(count: number): { readonly id: string }[] {
  const at = '2026-03-01T09:00:00.000Z'
  const empty = { description: null, scheduled_at: null, started_at: null, finished_at: null }
  const task = { text, status: 'pending', created_at: at, updated_at: at, ...empty }
  return Array.from({ length: count }, (_, i) => ({ id: `task_${i}`, ...task }))
}

/** A request, as autocannon describes it. `context` lives for one pass over the requests. */
interface Request {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly onResponse?: (status: number, body: string, context: { id?: string }) => void
  readonly setupRequest?: (request: Request, context: { id?: string }) => Request
}

type Count = 'duration' | 'errors' | 'timeouts' | 'non2xx'
type Autocannon = (options: object) => Promise<{ requests: { total: number } } & Record<Count, number>>

/** The npm package that generates the load, with its major version. */
export const loadGeneratorPackage = 'autocannon@9'

/**
 * Sends the requests in turn over keep-alive connections, one at a time on each: for a `duration` in seconds or until
 * `amount` are sent. Returns how many were answered, and in how many seconds. @throws Error if a connection fails or an
 * answer is not 2xx.
 */
export async function sendOverConnections(
  port: number,
  requests: readonly Request[],
  options: { connections?: number; duration?: number; amount?: number },
) {
  const autocannon = installAndImportTool(loadGeneratorPackage) as Autocannon
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    headers: { Authorization: 'Bearer wak_test_demo', 'Content-Type': 'application/json' },
    connections: Math.min(20, options.amount ?? 20),
    sampleInt: 50,
    requests,
    ...options,
  })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests failed`)
  return { count: result.requests.total, seconds: result.duration }
}
