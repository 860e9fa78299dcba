/** Older requests: those that the stream did not bring are loaded while somebody looks at the list, or at a report that names them. */
import type { Row } from '../model/fault-rule.ts'
import { capacity } from '../model/request-log.ts'
import { open, stampOf } from './address.ts'
import { control } from './calls.ts'
import { attempt } from './notices.ts'
import { log, merge, skipped, takeSkipped } from './requests.ts'

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
  await attempt('Load older requests', () => loadBack(log.oldest > 0 ? log.oldest - 1 : undefined))
  loading = false
}

/** Loads the requests that were too many for the stream. */
export async function loadSkipped(): Promise<void> {
  if (skipped.peek() > 0) await attempt('Load skipped requests', () => loadBack(undefined, takeSkipped()))
}

/** Loads requests from one number back to another, as far as the mock and the list have them. */
async function loadBack(until: number | undefined, from = 0): Promise<void> {
  for (let last = until; last === undefined || last > from; ) {
    const { requests } = await control<Rows>('GET /requests/rows', { query: { until: last, limit: page } })
    merge(requests)
    const [oldest] = requests
    if (!oldest || log.rows.length >= capacity) return
    last = oldest.number - 1
  }
}

/** Returns the requests whose texts, bodies included, contain a text; the newest `page`. */
export async function findRows(text: string): Promise<readonly Row[]> {
  const { requests } = await control<Rows>('GET /requests/rows', { query: { text, limit: page } })
  return requests
}

/** Opens the request with an id that was sent at a moment of mock time; otherwise says that it is not here. */
export const openEvidence = (id: string, at: string): Promise<boolean> =>
  attempt(id, async () => {
    const row = (await findRows(id)).find((one) => one.id === id && one.at === at)
    if (!row) throw new Error('not in this mock; its requests are in the mock that the report is about')
    open('requests', { n: row.number, t: stampOf(row.at), until: row.number })
  })
