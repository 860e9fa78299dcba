/** The rows of throughput and of memory under load. */
import { requestOf, send } from './load.ts'
import { spreadOf } from './rounds.ts'
import { type Server, startBare, startMock } from './server.ts'
import type { Row } from './table.ts'
import { type Comparison, compare } from './throughput.ts'

const whoami = requestOf('/api/cli/whoami')
const newTask = requestOf('/api/cli/tasks', { text: 'Summarise what customers say in their reviews' })

/** GET whoami, with authentication and rate limiting, against the yardstick. */
export async function whoamiRow(): Promise<Row> {
  return againstBare('GET whoami / bare node:http', whoami, 0.6)
}

/** POST tasks against the yardstick, which reads the body too. */
export async function createTaskRow(): Promise<Row> {
  return againstBare('POST tasks / bare node:http', newTask, 0.35)
}

/** GET tasks/:id with many tasks against the same with few, in two processes; and the memory of the former. */
export async function growthRows(few: number, many: number): Promise<Row[]> {
  const [small, large] = [await startMock(), await startMock()]
  const fewIds = await fill(small, few)
  const manyIds = await fill(large, many)
  const { rss } = await large.usage()
  const result = await compare(
    { server: large, requests: manyIds.map(getTask) },
    { server: small, requests: fewIds.map(getTask) },
  )
  await Promise.all([small.stop(), large.stop()])
  const tasks = many.toLocaleString('en')
  return [
    {
      name: `GET tasks/:id, ${tasks} tasks / ${few}`,
      measured: result.ratio,
      unit: 'ratio',
      goal: { atLeast: 0.9 },
      note: noteOf(result),
    },
    {
      name: `memory with ${tasks} tasks`,
      measured: spreadOf([rss / 1e6]),
      unit: 'MB',
      goal: { atMost: 250 },
      note: 'right after they were created over HTTP',
    },
  ]
}

async function againstBare(name: string, request: Buffer, atLeast: number): Promise<Row> {
  const mock = await startMock()
  const bare = await startBare(await answerTo(mock, request))
  const requests = [request]
  const result = await compare({ server: mock, requests }, { server: bare, requests })
  await Promise.all([mock.stop(), bare.stop()])
  return { name, measured: result.ratio, unit: 'ratio', goal: { atLeast }, note: noteOf(result) }
}

async function answerTo(server: Server, request: Buffer): Promise<object> {
  let answer = '{}'
  const onBody = (body: string) => {
    answer = body
  }
  await send({ port: server.port, requests: [request], connections: 1, count: 1, onBody })
  return JSON.parse(answer)
}

const getTask = (id: string) => requestOf(`/api/cli/tasks/${id}`)

/** Creates tasks until the organization has so many; answers up to 1,000 of their ids, from old to new. */
async function fill(server: Server, total: number): Promise<string[]> {
  const { items } = (await answerTo(server, requestOf('/api/cli/tasks'))) as { items: { id: string }[] }
  const ids = items.map(({ id }) => id)
  const onBody = (body: string) => ids.push(JSON.parse(body).task.id)
  await send({ port: server.port, requests: [newTask], count: total - ids.length, onBody })
  const step = Math.ceil(total / 1_000)
  return ids.filter((_, i) => i % step === 0)
}

function noteOf({ ours, theirs, cpuRatio }: Comparison): string {
  const k = (rate: number) => `${(rate / 1_000).toFixed(1)}k`
  const busiest = Math.round(Math.max(ours.generator, theirs.generator) * 100)
  return [
    `${k(ours.rate)} against ${k(theirs.rate)} requests/s`,
    `CPU ${ours.cpu_us.toFixed(1)} against ${theirs.cpu_us.toFixed(1)} µs (${cpuRatio.median.toFixed(2)})`,
    `generator ${busiest} % of a core`,
  ].join('; ')
}
