/** A thread of `npm run proof:search`: searches mocks with the defects that it receives, one after the other. */
import { parentPort } from 'node:worker_threads'
import { historyDefects } from '#proof/history-defects/index.ts'
import { searchOverHttp } from '#proof/search-trial.ts'
import { tryMutations } from '#proof/trial.ts'

/** A search: of a defect, or of a mock without one. */
export interface SearchTask {
  readonly defect: string | undefined
  readonly seed: number
  readonly ms: number
  /** Whether to try the catalogue too. */
  readonly catalogue: boolean
}

/** What a search came to. */
export interface SearchResult {
  readonly outcome: 'confirmed' | 'seen once' | 'missed'
  /** ms until then. */
  readonly took: number
  /** The requirement, and the requests of the history and those that were sent to shrink and confirm it. */
  readonly found?: { readonly requirement: string; readonly history: number; readonly live: number }
  /** Requirements that the catalogue alone finds violated. */
  readonly red: readonly string[]
}

const defects = Object.values(historyDefects).flat()

async function search({ defect: id, seed, ms, catalogue }: SearchTask): Promise<SearchResult> {
  const mutate = () => defects.find((one) => one.id === id)?.mutate() ?? {}
  const { red } = catalogue ? await tryMutations([mutate()], 'first', { extended: 'on' }) : { red: [] }
  const { confirmed, once, took } = await searchOverHttp([mutate()], seed, ms)
  const [first] = confirmed
  if (!first) return { outcome: once.length > 0 ? 'seen once' : 'missed', took, red }
  const { violation, evidence, requests } = first
  const found = { requirement: violation.requirement, history: evidence.length, live: requests }
  return { outcome: 'confirmed', took, found, red }
}

parentPort?.on('message', async (task: SearchTask) => parentPort?.postMessage(await search(task)))
