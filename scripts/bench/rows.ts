/**
 * What it would cost to hold the rows of the running mock in `@msw/data` (docs/decisions/0001). Run it with
 * `node --expose-gc scripts/bench/rows.ts`.
 */
import { task } from '#contract/schemas/core.ts'
import { Rows } from '#mocks/core/rows.ts'

const count = 10_000

const beforeImport = { ms: performance.now(), rss: process.memoryUsage.rss() }
const { Collection } = await import('@msw/data')
console.log(
  `import of @msw/data: ${(performance.now() - beforeImport.ms).toFixed(0)} ms,`,
  `${((process.memoryUsage.rss() - beforeImport.rss) / 1e6).toFixed(0)} MB`,
)

const rowOf = (i: number) => ({ id: `task_${i}`, text: 'Say hello', description: null, status: 'pending' })
const rows = new Rows<ReturnType<typeof rowOf>>()
const collection = new Collection({ schema: task })

for (let warmUp = 0; warmUp < 2; warmUp++) {
  const passing = new Collection({ schema: task })
  for (let i = 0; i < count; i++) await passing.create(rowOf(i))
}
await measure('create in rows.ts', async () => {
  for (let i = 0; i < count; i++) rows.append(rowOf(i))
})
await measure('create in @msw/data', async () => {
  for (let i = 0; i < count; i++) await collection.create(rowOf(i))
})
const ids = Array.from({ length: 200 }, (_, i) => `task_${i * 50}`)
await measure('find by id in rows.ts', async () => ids.map((id) => rows.get(id)), ids.length)
await measure(
  'find by id in @msw/data',
  async () => ids.map((id) => collection.findFirst((q) => q.where((row) => row.id === id))),
  ids.length,
)

async function measure(name: string, work: () => Promise<unknown>, times = count): Promise<void> {
  globalThis.gc?.()
  const heap = process.memoryUsage().heapUsed
  const started = performance.now()
  await work()
  const us = ((performance.now() - started) * 1_000) / times
  globalThis.gc?.()
  const bytes = (process.memoryUsage().heapUsed - heap) / times
  const kept = name.startsWith('create') ? `, ${bytes.toFixed(0)} bytes a row` : ''
  console.log(`${name}, ${count} rows: ${us.toFixed(1)} µs${kept}`)
}
