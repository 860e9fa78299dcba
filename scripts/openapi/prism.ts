/** Prism as a validating proxy: installed into a folder of its own, started, stopped. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../bench/free-port.ts'

/** Git ignores it. */
const home = resolve('.bench/openapi-proof')
const name = '@stoplight/prism-cli'

/** A running proxy. */
export interface Proxy {
  /** Where it listens, without a trailing slash. */
  readonly url: string
  stop(): Promise<void>
}

/** Installs Prism; answers its version. */
export function installPrism(): string {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: '5' } }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return JSON.parse(readFileSync(join(home, 'node_modules', name, 'package.json'), 'utf8')).version
}

/**
 * Starts Prism between a client and a service. Without `--errors` it passes everything on and tells what it finds in
 * the header `sl-violations`; with it, Prism itself would answer what the suite gets wrong on purpose.
 */
export async function startPrism(document: object, upstream: string): Promise<Proxy> {
  const file = join(home, 'openapi.json')
  const port = await freePort()
  writeFileSync(file, JSON.stringify(document))
  const child = spawn(
    process.execPath,
    [
      // The suite asks for ids of 10 kB.
      '--max-http-header-size=65536',
      join(home, 'node_modules', name, 'dist/index.js'),
      ...['proxy', file, upstream, '--host=127.0.0.1', `--port=${port}`, '--verboseLevel=silent'],
    ],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`Prism ended with exit code ${child.exitCode}`)
    await sleep(20)
  }
  return {
    url,
    async stop() {
      child.kill()
      await exited
    },
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  )
}
