/** Installs peers, starts them, and watches what they hold. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { freePort } from '../free-port.ts'
import { requestOf, send } from '../load.ts'
import { type Peer, packageName } from './peer.ts'

/** Where peers are installed; git ignores it. */
const home = resolve('.bench')

/** A running server, and how it came up. */
export interface Running {
  readonly port: number
  /** From spawn to the first answer, ms. */
  readonly ready_ms: number
  /** Resident memory now, of it and of its children, bytes; undefined where the system does not tell. */
  memory(): number | undefined
  stop(): Promise<void>
}

/** Installs a peer and writes its files; answers the versions that were installed. */
export function install(peer: Peer): string {
  const folder = join(home, peer.name.replaceAll(/\W+/g, '-'))
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  if (peer.packages.length > 0) {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...peer.packages], {
      cwd: folder,
      stdio: 'inherit',
    })
  }
  for (const [name, text] of Object.entries(peer.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const versions = peer.packages.map((spec) => {
    const { version } = JSON.parse(
      readFileSync(join(folder, 'node_modules', packageName(spec), 'package.json'), 'utf8'),
    )
    return version
  })
  return versions.join(', ')
}

/** Starts a peer. */
export async function startPeer(peer: Peer): Promise<Running> {
  const folder = join(home, peer.name.replaceAll(/\W+/g, '-'))
  const port = await freePort()
  const { file, args } = peer.command(port, folder)
  return watch(spawn(file, args, { cwd: folder, stdio: 'ignore' }), port)
}

/** Starts the mock as it is published. */
export async function startBuilt(): Promise<Running> {
  const port = await freePort()
  const args = [
    'dist/bin.js',
    'mock',
    '--port',
    String(port),
    '--log',
    'off',
    '--rate-limit',
    '1000000000/60s',
  ]
  return watch(spawn(process.execPath, args, { stdio: 'ignore' }), port)
}

async function watch(child: ChildProcess, port: number): Promise<Running> {
  const started = performance.now()
  const requests = [requestOf('/api/cli/whoami')]
  for (;;) {
    if (child.exitCode !== null) throw new Error(`a server ended with exit code ${child.exitCode}`)
    const up = await send({ port, requests, connections: 1, count: 1 }).catch(() => 0)
    if (up === 1) break
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return {
    port,
    ready_ms: performance.now() - started,
    memory: () => memoryOf(child.pid),
    async stop() {
      const stopped = once(child, 'exit')
      child.kill('SIGKILL')
      await stopped
    },
  }
}

function memoryOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_000
  } catch {
    return undefined
  }
}
