/** Older requests: those that the stream did not bring are loaded while somebody looks at the list. */
import type { Row } from '../model/answers.ts'
import { capacity } from '../model/request-log.ts'
import { control } from './calls.ts'
import { attempt } from './notices.ts'
import { log, merge, skipped } from './requests.ts'

/** How many rows are loaded at once. */
const page = 5_000

interface Rows {
  readonly requests: readonly Row[]
  readonly oldest: number
}

let loading = false

/** Loads every older request that the mock still has, the newest first. */
export async function loadHistory(): Promise<void> {
  if (loading) return
  loading = true
  await attempt('Load older requests', async () => {
    while (log.size < capacity) {
      const before = log.oldest
      const until = before > 0 ? before - 1 : undefined
      if (until === 0) return
      const { requests } = await control<Rows>('GET /requests/rows', { query: { until, limit: page } })
      if (requests.length === 0 || log.oldest < before) return
      merge(requests)
    }
  })
  loading = false
}

/** Loads the newest requests that were too many for the stream. */
export async function loadSkipped(): Promise<void> {
  if (skipped.peek() === 0) return
  skipped.value = 0
  await attempt('Load skipped requests', async () => {
    const { requests } = await control<Rows>('GET /requests/rows', { query: { limit: page } })
    merge(requests)
  })
}

/** Returns the numbers of requests whose texts, bodies included, contain a text; the newest `page`. */
export async function findText(text: string): Promise<ReadonlySet<number>> {
  const { requests } = await control<Rows>('GET /requests/rows', { query: { text, limit: page } })
  return new Set(requests.map(({ number }) => number))
}
