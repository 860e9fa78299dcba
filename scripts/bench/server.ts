/** Servers under test, each a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { requestOf, send } from './load.ts'

/** What a process has used since its start. */
export interface Usage {
  /** User and system time of all its threads, µs. */
  readonly cpu_us: number
  /** Resident memory, bytes. */
  readonly rss: number
}

export interface Server {
  readonly port: number
  /** From spawn to the first answer, ms. */
  readonly ready_ms: number
  usage(): Promise<Usage>
  stop(): Promise<void>
}

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Where the command starts: its sources, as in a clone. */
export const fromSources = fileOf('../work-agent-contract.ts')

/** Starts the mock as a person does; the limit counts every request and is never reached. */
export function startMock(env: NodeJS.ProcessEnv = {}, command = fromSources): Promise<Server> {
  return start(
    (port) => [
      command,
      'mock',
      ...['--port', String(port), '--log', 'off', '--rate-limit', '1000000000/60s'],
    ],
    env,
  )
}

/** Starts the yardstick, which answers `value` to everything. */
export function startBare(value: object): Promise<Server> {
  return start((port) => [fileOf('./bare.mjs'), String(port), JSON.stringify(value)], {})
}

async function start(command: (port: number) => string[], env: NodeJS.ProcessEnv): Promise<Server> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', fileOf('./probe.mjs'), ...command(port)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await firstAnswer(child, port)
  return {
    port,
    ready_ms: performance.now() - started,
    async usage() {
      const answer = once(child, 'message')
      child.send('usage')
      return (await answer)[0] as Usage
    },
    async stop() {
      const stopped = once(child, 'exit')
      child.kill()
      await stopped
    },
  }
}

async function firstAnswer(child: ChildProcess, port: number): Promise<void> {
  const requests = [requestOf('/api/cli/whoami')]
  while (child.exitCode === null) {
    try {
      await send({ port, requests, connections: 1, count: 1 })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  throw new Error(`A server under test ended with exit code ${child.exitCode}.`)
}
