/** A thread of `npm run proof search`: searches mocks with the defects that it receives, one after the other. */
import { parentPort } from 'node:worker_threads'
import { historyDefects } from '#proof/history-defects/index.ts'
import { searchOverHttp } from '#proof/search-trial.ts'

/** A search: of a defect, or of a mock without one. */
export interface SearchTask {
  readonly defect: string | undefined
  readonly seed: number
  readonly ms: number
}

/** What a search came to. */
export interface SearchResult {
  readonly outcome: 'confirmed' | 'seen once' | 'missed'
  /** ms until then. */
  readonly took: number
  /** The requirement, and the requests of the history and those that were sent to shrink and confirm it. */
  readonly found?: { readonly requirement: string; readonly history: number; readonly live: number }
}

const defects = Object.values(historyDefects).flat()

async function search({ defect: id, seed, ms }: SearchTask): Promise<SearchResult> {
  const mutation = defects.find((one) => one.id === id)?.mutate() ?? {}
  const { confirmed, once, took } = await searchOverHttp([mutation], seed, ms)
  const [first] = confirmed
  if (!first) return { outcome: once.length > 0 ? 'seen once' : 'missed', took }
  const { violation, evidence, requests } = first
  const found = { requirement: violation.requirement, history: evidence.length, live: requests }
  return { outcome: 'confirmed', took, found }
}

parentPort?.on('message', async (task: SearchTask) => parentPort?.postMessage(await search(task)))
