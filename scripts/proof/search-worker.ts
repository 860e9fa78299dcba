/** A thread of `npm run proof search`: searches mocks with the defects that it receives, one after the other. */
import { parentPort } from 'node:worker_threads'
import { generated } from '#proof/history-defects/generated.ts'
import { historyDefects } from '#proof/history-defects/named.ts'
import { searchInProcess, searchOverHttp } from '#proof/search-trial.ts'
import { tryMutations } from '#proof/trial.ts'

/** A search: of a defect, or of a mock without one. */
export interface SearchTask {
  readonly defect: string | undefined
  readonly seed: number
  readonly ms: number
  /** In process, by the clock of the mock. */
  readonly virtual: boolean
}

/** What a search came to. */
export interface SearchResult {
  readonly outcome: 'confirmed' | 'seen once' | 'missed'
  /** Whether a run of the suite, which comes before every search, shows what the search did not confirm. */
  readonly isInRun?: boolean
  /** ms until then. */
  readonly took: number
  /** How often a drawn defect has shown. */
  readonly shown: number
  /** The requirement, and the requests of the history and those that were sent to shrink and confirm it. */
  readonly found?: { readonly requirement: string; readonly history: number; readonly live: number }
}

const table = Object.values(historyDefects).flat()

async function search({ defect: id, seed, ms, virtual }: SearchTask): Promise<SearchResult> {
  const drawn = id === undefined ? undefined : generated().get(id)
  const mutate = () => (drawn ?? table.find((one) => one.id === id))?.mutate() ?? {}
  const { confirmed, once, took } = await (virtual ? searchInProcess : searchOverHttp)([mutate()], seed, ms)
  const [first] = confirmed
  const common = { took, shown: drawn?.shown.times ?? 0 }
  if (!first) {
    const { red } = await tryMutations([mutate()], 'first')
    return { ...common, outcome: once.length > 0 ? 'seen once' : 'missed', isInRun: red.length > 0 }
  }
  const { violation, evidence, requests } = first
  const found = { requirement: violation.requirement, history: evidence.length, live: requests }
  return { ...common, outcome: 'confirmed', found }
}

parentPort?.on('message', async (task: SearchTask) => parentPort?.postMessage(await search(task)))
