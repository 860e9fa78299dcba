/**
 * `npm run bench:peers`: the published mock beside the tools that people use today, in one run, in turn; writes
 * `docs/benchmarks.md`. Needs the registry, and Java for WireMock; a peer that cannot be had is named as such.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform } from 'node:os'
import suite from '../../../package.json' with { type: 'json' }
import { requestOf, send } from '../load.ts'
import { spreadOf } from '../rounds.ts'
import { peers } from './peers.ts'
import { install, type Running, startBuilt, startPeer } from './start.ts'

interface Side {
  readonly name: string
  readonly version: string
  start(): Promise<Running>
  readonly rates: number[]
  readonly latencies: number[]
  readonly starts: number[]
  readonly memory: number[]
}

const rounds = 3
const warmUp = 1_500
const measured = 2_500
const connections = 20

execFileSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' })
const sides: Side[] = [side('work-agent-contract', suite.version, startBuilt)]
const missing: string[] = []
for (const peer of peers) {
  try {
    const version = install(peer)
    await (await startPeer(peer)).stop()
    sides.push(side(peer.name, version || process.version, () => startPeer(peer)))
  } catch (error) {
    missing.push(`${peer.name}: ${(error as Error).message.split('\n')[0]}`)
  }
}
for (let round = 0; round < rounds; round++) {
  for (const one of round % 2 === 0 ? sides : sides.toReversed()) await measure(one)
}
const page = pageOf()
writeFileSync('docs/benchmarks.md', page)
console.log(page)

function side(name: string, version: string, start: () => Promise<Running>): Side {
  return { name, version, start, rates: [], latencies: [], starts: [], memory: [] }
}

async function measure(one: Side): Promise<void> {
  const server = await one.start()
  one.starts.push(server.ready_ms)
  one.memory.push((server.memory() ?? Number.NaN) / 1e6)
  const load = { port: server.port, requests: [requestOf('/api/cli/whoami')] }
  await send({ ...load, connections, forMs: warmUp })
  one.rates.push((await send({ ...load, connections, forMs: measured })) / (measured / 1_000))
  const alone = await send({ ...load, connections: 1, forMs: 1_000 })
  one.latencies.push(1_000 / alone)
  await server.stop()
  console.error(`${one.name}: ${one.rates.at(-1)?.toFixed(0)} requests/s`)
}

function pageOf(): string {
  const median = (values: readonly number[]) => spreadOf(values).median
  const ours = sides[0] as Side
  const rows = sides.map(({ name, version, rates, latencies, starts, memory }) => {
    const times = name === ours.name ? '1' : (median(ours.rates) / median(rates)).toFixed(1)
    return `| ${name} | ${version} | ${median(rates).toFixed(0)} | ${times} | ${median(latencies).toFixed(2)} | ${median(starts).toFixed(0)} | ${median(memory).toFixed(0)} |`
  })
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench:peers`. An authenticated GET with a small JSON answer, 20 connections with one request',
    `under way on each; ${rounds} rounds in turn, each with a fresh process; medians. The load generator shares the`,
    'machine. Latency is one connection, one request at a time. "times" is how often the mock answers for each answer',
    'of the peer. The peers answer a fixed text; the mock authenticates, counts the rate limit, keeps its journal and',
    'reads the organization.',
    '',
    `Node ${process.version}, ${platform()} ${arch()}, ${availableParallelism()} cores, ${cpus()[0]?.model.trim()}; ${new Date().toISOString().slice(0, 10)}.`,
    '',
    '| server | version | requests/s | times | latency ms | ready ms | memory at start MB |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    ...missing.map((reason) => `Not measured: ${reason}.\n`),
  ].join('\n')
}
