/** `npm run bench fleet`: what a fleet of 1, 2 and 4 mocks behind HAProxy answers, and what a request costs each part. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { configurationOf } from '#cli/fleet/configuration.ts'
import { slotOf } from '#mocks/config/slots.ts'
import { table } from '#reporting/markup.ts'
import { freePort } from './free-port.ts'

const total = 1_024
const requests = 40_000
const connections = 64
const names = Array.from({ length: 200 }, (_, i) => `org-${i}`)

/** Processor time of a process so far, µs. */
function processorTime({ pid = 0 }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

async function measure(count: number): Promise<string[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const nodes = ports.map((port, i) => ({
    address: `127.0.0.1:${port}`,
    range: [(i * total) / count, ((i + 1) * total) / count - 1] as const,
  }))
  const mocks = nodes.map(({ range }, i) => {
    const flags = [
      '--port',
      String(ports[i]),
      '--slots',
      `${range.join('-')}/${total}`,
      '--rate-limit',
      'off',
    ]
    const call = ['dist/bin.js', 'mock', '--log', 'off', ...flags]
    return spawn(process.execPath, call, { stdio: 'ignore' })
  })
  const address = `127.0.0.1:${await freePort()}`
  const file = join(tmpdir(), `fleet-${process.pid}.cfg`)
  const slotted = nodes.map(({ address, range }) => ({ address, slots: { total, ranges: [range] } }))
  writeFileSync(file, configurationOf(slotted, address))
  const balancer = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const dispatcher = new Agent({ connections })
  const ask = async (i: number) => {
    const authorization = `Bearer wak_test_${names[i % names.length]}`
    const { statusCode, body } = await request(`http://${address}/api/cli/whoami`, {
      headers: { authorization },
      dispatcher,
    })
    await body.dump()
    return statusCode
  }
  try {
    for (let isUp = false; !isUp; await setTimeout(50))
      isUp = (await Promise.all(names.map((_, i) => ask(i).catch(() => 0)))).every((status) => status === 200)
    const parts = [...mocks, balancer]
    const before = parts.map(processorTime)
    const started = performance.now()
    let sent = 0
    const work = async () => {
      while (sent < requests) await ask(sent++)
    }
    await Promise.all(Array.from({ length: connections }, work))
    const seconds = (performance.now() - started) / 1_000
    const spent = parts.map((part, i) => processorTime(part) - (before[i] ?? 0))
    const ofBalancer = spent.pop() ?? 0
    const perRequest = (microseconds: number) => (microseconds / requests).toFixed(1)
    const largest = Math.max(...nodes.map(({ range }) => names.filter((name) => isIn(name, range)).length))
    return [
      String(count),
      (requests / seconds).toFixed(0),
      perRequest(spent.reduce((sum, one) => sum + one, 0)),
      perRequest(ofBalancer),
      `${largest} of ${names.length}`,
    ]
  } finally {
    for (const part of [...mocks, balancer]) part.kill('SIGKILL')
    await dispatcher.close()
  }
}

const isIn = (name: string, [first, last]: readonly [number, number]) => {
  const slot = slotOf(name, total)
  return slot >= first && slot <= last
}

const rows: string[][] = []
for (const count of [1, 2, 4]) rows.push(await measure(count))
console.log(
  table(['mocks', 'requests/s', 'µs of a mock', 'µs of HAProxy', 'most organizations of one'], rows),
)
