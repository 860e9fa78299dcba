/**
 * `npm run bench proxy`: requests a second through `proxy`, which records and judges, beside a bare proxy of `node:http`,
 * and what each adds to the latency of one request at a time; in turns, of which the middle one counts. Exits with code
 * 1 below half of the bare proxy, or above 1 ms.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { send } from './measure.ts'
import { whoami } from './sides.ts'

const requests = [{ path: '/api/cli/whoami' }]
const answer = JSON.stringify(whoami)
const command = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

const service = `require('node:http').createServer((_, answer) => answer.writeHead(200, {
  'content-type': 'application/json', 'content-length': ${answer.length} }).end(${JSON.stringify(answer)}))`

const bare = (port: number) => `const http = require('node:http')
const agent = new http.Agent({ keepAlive: true })
http.createServer((asked, answer) => asked.pipe(http.request({ agent, port: ${port}, path: asked.url,
  method: asked.method, headers: asked.headers }, (found) => {
  answer.writeHead(found.statusCode, found.rawHeaders)
  found.pipe(answer)
})))`

const running: { kill(): void }[] = []

/** Starts a program that prints its port in its first line. */
async function start(...args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  running.push({ kill: () => child.kill() })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return Number(/(\d+)(?: forwards|\s*$)/.exec(line)?.[1])
}

const listening = (server: string) => [
  '-e',
  server.replace(/\)$/, ").listen(0, '127.0.0.1', function () { console.log(this.address().port) })"),
]

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

try {
  const port = await start(...listening(service))
  const har = join(tmpdir(), 'bench-proxy.har')
  const upstream = `http://127.0.0.1:${port}`
  const sides = {
    none: port,
    bare: await start(...listening(bare(port))),
    proxy: await start(command, 'proxy', '--upstream', upstream, '--port', '0', '--har', har, '--quiet'),
  }
  const found = {
    none: { rate: [], ms: [] },
    bare: { rate: [], ms: [] },
    proxy: { rate: [], ms: [] },
  } as Record<keyof typeof sides, { rate: number[]; ms: number[] }>
  for (let turn = 0; turn < 4; turn++)
    for (const side of ['none', 'bare', 'proxy'] as const) {
      const many = await send(sides[side], requests, { duration: 2 })
      const alone = await send(sides[side], requests, { connections: 1, duration: 1 })
      // The first turn warms up.
      if (turn === 0) continue
      found[side].rate.push(many.count / many.seconds)
      found[side].ms.push((alone.seconds / alone.count) * 1_000)
    }
  const ratio = middle(found.proxy.rate) / middle(found.bare.rate)
  const added = middle(found.proxy.ms) - middle(found.none.ms)
  for (const [side, { rate, ms }] of Object.entries(found))
    console.log(`${side}: ${Math.round(middle(rate))} requests/s; ${middle(ms).toFixed(2)} ms for one alone`)
  console.log(`${ratio.toFixed(2)} of the bare proxy; ${added.toFixed(2)} ms more than without one`)
  process.exitCode = ratio < 0.5 || added > 1 ? 1 : 0
} finally {
  for (const one of running) one.kill()
}
