/** A gateway that runs: started in a temporary folder, waited for, and stopped with all of its processes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from '#cli/testing/run.ts'
import { type Gateway, gatewayNpmPackages } from './gateways.ts'

/** The longest time that a gateway may take to listen, ms. */
const startLimitMs = 30_000

const isInstalled = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { env: withSbin }).status === 0

/** The environment, with the folders in which Debian keeps programs of the system. */
const withSbin = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }

/** True if the program of a gateway is installed here, or npm can install it. */
export const isGatewayAvailable = ({ source }: Gateway) => 'npm' in source || isInstalled(source.program)

/** The version of an installed gateway, without the suffix that Debian adds. */
export function versionOf({ source }: Gateway): string {
  if ('npm' in source) return gatewayNpmPackages[source.npm] ?? ''
  const { stdout } = spawnSync('dpkg-query', ['--show', source.debian], { encoding: 'utf8' })
  const [, whole = ''] = (stdout ?? '').trim().split('\t')
  return whole.replace(/[+~].*/, '').replace(/-[^-]*$/, '')
}

/** Installs the gateways that npm provides into a folder, from which their programs load them. */
export function installNpmGateways(folder: string): void {
  const packages = Object.entries(gatewayNpmPackages).map(([name, version]) => `${name}@${version}`)
  const flags = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', '.']
  const { status, stderr } = spawnSync('npm', ['install', ...flags, ...packages], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm did not install the gateways: ${stderr}`)
}

/** A gateway that runs as a process in a temporary folder. */
export class RunningGateway {
  readonly url: string
  readonly #start: () => ChildProcess
  readonly #folder: string
  #child: ChildProcess

  private constructor(url: string, folder: string, start: () => ChildProcess) {
    this.url = url
    this.#folder = folder
    this.#start = start
    this.#child = start()
  }

  /** Starts a gateway. @throws Error if it does not listen in time. */
  static async start(
    gateway: Gateway,
    upstream: number,
    lines: string,
    npmFolder: string,
  ): Promise<RunningGateway> {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-'))
    // Some gateways drop the rights of root, and must still be able to write here.
    chmodSync(folder, 0o777)
    mkdirSync(join(folder, 'work'))
    if ('npm' in gateway.source) symlinkSync(join(npmFolder, 'node_modules'), join(folder, 'node_modules'))
    const place = { port: await findFreePort(), upstream, folder }
    for (const [name, text] of Object.entries(gateway.files(place, lines)))
      writeFileSync(join(folder, name), text)
    const [program = '', ...args] = gateway.command(place)
    const env = { ...withSbin, ...gateway.env?.(place) }
    const running = new RunningGateway(`http://127.0.0.1:${place.port}`, folder, () =>
      spawn(program, args, { cwd: folder, env, stdio: 'ignore', detached: true }),
    )
    await running.#listening(place.port, gateway.name)
    return running
  }

  async #listening(port: number, name: string): Promise<void> {
    for (const end = performance.now() + startLimitMs; performance.now() < end; await setTimeout(100)) {
      if (this.#child.exitCode !== null) break
      const socket = connect(port, '127.0.0.1')
      const isOpen = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(() => [1])
      socket.destroy()
      if (isOpen.length === 0) return
    }
    await this.stop()
    throw new Error(`${name} does not listen`)
  }

  /** Kills the gateway in the middle of its work, and starts it again after a pause, as a deployment does. */
  async restart(pauseMs: number): Promise<void> {
    await this.#kill('SIGKILL')
    await setTimeout(pauseMs)
    this.#child = this.#start()
  }

  async stop(): Promise<void> {
    await this.#kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #kill(signal: NodeJS.Signals): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    const ended = once(this.#child, 'exit')
    process.kill(-pid, signal)
    await ended
  }
}
