/** `npm run bench fleet`: what a fleet of 1, 2 and 4 mocks behind HAProxy answers, and what a request costs each part. */
import { haproxyConfigOf } from '#cli/fleet/main.ts'
import { slotOfOrganizationName } from '#mocks/config/slots.ts'
import { renderMarkdownTable } from '#reporting/markup.ts'
import { sendOverConnections } from './measure.ts'
import { buildPackage, type SideProcess, startSideProcess } from './server.ts'
import { publishedMock } from './sides.ts'

const total = 1_024
const connections = 64
const names = Array.from({ length: 200 }, (_, i) => `org-${i}`)
const requests = names.map((name) => ({
  path: '/api/cli/whoami',
  headers: { Authorization: `Bearer wak_test_${name}`, 'Content-Type': 'application/json' },
}))

async function measure(count: number): Promise<string[]> {
  const ranges = Array.from({ length: count }, (_, i): readonly [number, number] => [
    (i * total) / count,
    ((i + 1) * total) / count - 1,
  ])
  await using running = new AsyncDisposableStack()
  const parts: SideProcess[] = []
  for (const range of ranges) {
    const command = publishedMock.command.replace('--port', `--slots ${range.join('-')}/${total} --port`)
    parts.push(running.use(await startSideProcess({ ...publishedMock, command }, [], true)))
  }
  const nodes = parts.map(({ port }, i) => ({
    address: `127.0.0.1:${port}`,
    slots: { total, ranges: ranges.slice(i, i + 1) },
  }))
  const files = (_: string, port: number) => ({ 'fleet.cfg': haproxyConfigOf(nodes, `127.0.0.1:${port}`) })
  const balancer = running.use(
    await startSideProcess({ name: 'fleet', files, command: 'haproxy -db -f fleet.cfg' }),
  )
  parts.push(balancer)
  // As long as the comparison with peers warms up: a young process takes several times as long for each request.
  await sendOverConnections(balancer.port, requests, { connections, duration: 4 })
  const before = await Promise.all(parts.map(({ usage }) => usage()))
  const answered = await sendOverConnections(balancer.port, requests, { connections, amount: 40_000 })
  const after = await Promise.all(parts.map(({ usage }) => usage()))
  const spent = after.map(({ cpu_us }, i) => (cpu_us - (before[i]?.cpu_us ?? 0)) / answered.count)
  const ofBalancer = spent.pop() ?? 0
  const largest = ranges.map(([first, last]) => slots.filter((slot) => slot >= first && slot <= last).length)
  return [
    String(count),
    (answered.count / answered.seconds).toFixed(0),
    spent.reduce((sum, one) => sum + one, 0).toFixed(1),
    ofBalancer.toFixed(1),
    `${Math.max(...largest)} of ${names.length}`,
  ]
}

const slots = names.map((name) => slotOfOrganizationName(name, total))
buildPackage()
const rows: string[][] = []
for (const count of [1, 2, 4]) rows.push(await measure(count))
console.log(
  renderMarkdownTable(
    ['mocks', 'requests/s', 'µs of a mock', 'µs of HAProxy', 'most organizations of one'],
    rows,
  ),
)
