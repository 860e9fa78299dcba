/** A server in the comparison: how it is started, and what was measured of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import suite from '../../../package.json' with { type: 'json' }
import { freePort } from '../free-port.ts'
import { requestOf, send } from '../load.ts'
import { folderOf, install, ownFolder, prepare } from './install.ts'
import type { Peer } from './peer.ts'
import { type ProcessUsage, usageOf } from './process.ts'
import { idIn, tasksOf } from './task.ts'

/** A running server. */
export interface Running {
  readonly port: number
  /** From spawn to the first answer, ms. */
  readonly ready_ms: number
  /** Undefined where the system does not tell. */
  usage(): ProcessUsage | undefined
  stop(): Promise<void>
}

export interface Side {
  readonly name: string
  readonly version: string
  readonly setUp: string
  readonly kind: 'own' | 'yardstick' | 'peer'
  /** Why it cannot create what can be read afterwards; undefined: it can. */
  readonly cannotKeep: string | undefined
  /** It answers on more than one core. */
  readonly manyCores?: boolean
  /** Nobody offers it: it was made for this benchmark. */
  readonly madeHere?: boolean
  start(): Promise<Running>
  /** Starts with so many tasks; answers the ids of some of them. */
  startWith(count: number): Promise<{ server: Running; ids: readonly string[] }>
}

export const newTask = requestOf('/api/cli/tasks', { text: 'Summarise what customers say in their reviews' })
export const whoamiRequest = requestOf('/api/cli/whoami')
export const getTask = (id: string) => requestOf(`/api/cli/tasks/${id}`)

/** The mock as it is published; its tasks are created over HTTP. */
export const own: Side = {
  name: suite.name,
  version: suite.version,
  setUp: 'as published, with its rate limit counting and its journal on',
  kind: 'own',
  cannotKeep: undefined,
  start: startOwn,
  async startWith(count) {
    const server = await startOwn()
    const ids: string[] = []
    const onBody = (body: string) => ids.push(idIn(body))
    // The history that every organization is created with counts too; a few more do not matter.
    await send({ port: server.port, requests: [newTask], count, onBody })
    return { server, ids: some(ids) }
  },
}

/** A peer, installed. */
export function sideOf(peer: Peer): Side {
  const version = install(peer)
  const start = async (tasks: readonly object[]) => {
    prepare(peer, tasks)
    const port = await freePort()
    const folder = folderOf(peer)
    const { file, args } = peer.command(port, folder)
    return watch(() => spawn(file, args, { cwd: folder, stdio: 'ignore' }), port)
  }
  return {
    ...peer,
    version,
    kind: peer.yardstick ? 'yardstick' : 'peer',
    cannotKeep: peer.cannotKeep,
    start: () => start([]),
    async startWith(count) {
      const tasks = tasksOf(count)
      return { server: await start(tasks), ids: some(tasks.map(({ id }) => id)) }
    },
  }
}

async function startOwn(): Promise<Running> {
  const port = await freePort()
  const flags = ['--port', String(port), '--log', 'off', '--rate-limit', '1000000000/60s']
  const args = [join(ownFolder, 'dist/bin.js'), 'mock', ...flags]
  return watch(() => spawn(process.execPath, args, { stdio: 'ignore' }), port)
}

/** Up to a thousand of them, from the first to the last. */
function some(ids: readonly string[]): string[] {
  const step = Math.ceil(ids.length / 1_000)
  return ids.filter((_, i) => i % step === 0)
}

const patience_ms = 60_000

async function watch(begin: () => ChildProcess, port: number): Promise<Running> {
  const started = performance.now()
  const child = begin()
  let ended: string | undefined
  child.once('error', ({ message }) => {
    ended = `could not be started: ${message}`
  })
  child.once('exit', (code, signal) => {
    ended ??= `ended with ${code ?? signal} before it answered`
  })
  const exited = once(child, 'close').catch(() => undefined)
  const stop = async () => {
    if (ended !== undefined) return
    // Asked first: the mock writes its compile cache when it stops.
    child.kill()
    const insist = setTimeout(() => child.kill('SIGKILL'), 3_000)
    await exited
    clearTimeout(insist)
  }
  for (;;) {
    const up = await send({ port, requests: [whoamiRequest], connections: 1, count: 1 }).catch(() => 0)
    if (up === 1) break
    if (ended !== undefined) throw new Error(ended)
    if (performance.now() - started > patience_ms) {
      await stop()
      throw new Error(`did not answer within ${patience_ms / 1_000} s`)
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return { port, ready_ms: performance.now() - started, usage: () => usageOf(child.pid ?? 0), stop }
}
