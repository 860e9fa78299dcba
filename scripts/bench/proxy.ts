/**
 * `npm run bench proxy`: requests a second through `proxy`, which records and judges, beside a bare proxy of `node:http`,
 * and what each adds to the latency of one request at a time; in turns, of which the middle one counts. Exits with code
 * 1 below half of the bare proxy, or above 1 ms.
 */
import { sendOverConnections } from './measure.ts'
import { type MeasuredValues, measureInTurns, medianAndRangeOf } from './results.ts'
import { startSideProcess } from './server.ts'
import { bareNodeServer } from './sides.ts'

const requests = [{ path: '/api/cli/whoami' }]
await using running = new AsyncDisposableStack()

async function startSide(name: string, command: string) {
  const { files } = bareNodeServer
  const { port } = running.use(
    await startSideProcess({ name: `proxy-${name}`, command, ...(files && { files }) }),
  )
  return { name, port }
}

const none = await startSide('none', bareNodeServer.command)
const upstream = `http://127.0.0.1:${none.port}`
const sides = [
  none,
  await startSide('bare', `node ../../scripts/bench/served.mjs proxy PORT ${upstream}`),
  await startSide(
    'proxy',
    `node ../../cli/main.ts proxy --upstream ${upstream} --port PORT --har proxy.har --quiet`,
  ),
]
const readings: MeasuredValues = new Map()
for (const { port } of sides) await sendOverConnections(port, requests, { duration: 2 })
await measureInTurns(readings, 3, sides, async ({ port }) => {
  const many = await sendOverConnections(port, requests, { duration: 2 })
  const alone = await sendOverConnections(port, requests, { connections: 1, duration: 1 })
  return { rate: many.count / many.seconds, ms: (alone.seconds / alone.count) * 1_000 }
})
const middle = (side: string, row: string) =>
  medianAndRangeOf((readings.get(side) ?? []).map((one) => one[row] ?? 0))[0]
for (const { name } of sides) {
  const ms = middle(name, 'ms').toFixed(2)
  console.log(`${name}: ${Math.round(middle(name, 'rate'))} requests/s; ${ms} ms for one alone`)
}
const ratio = middle('proxy', 'rate') / middle('bare', 'rate')
const added = middle('proxy', 'ms') - middle('none', 'ms')
console.log(`${ratio.toFixed(2)} of the bare proxy; ${added.toFixed(2)} ms more than without one`)
process.exitCode = ratio < 0.5 || added > 1 ? 1 : 0
