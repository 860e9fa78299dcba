/**
 * `npm run proof search`: searches mocks with history defects over HTTP, and prints which are found.
 *
 * Draws 200 of the defects that triggers and effects make, by a seed that is new each time, and searches each for a
 * minute; prints the share that was found, with its 95% interval, and how many more the run shows that comes before
 * each search. Exits with code 1 if the search accuses a mock without a defect. `--drawn N`: so many; `--seed N`: those of another time; `--seconds N`; `--workers N`: so many at once;
 * `--virtual`: in process, by the clock of the mock, which takes less. `--table`: the named defects instead, each with
 * five seeds; `--table refund,crowd`: those whose id contains one of these.
 */
import { parseArgs } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { createSeededSampler } from '#contract/random.ts'
import { generateHistoryDefects, historyDefectKindTexts } from '#proof/history-defects/generated.ts'
import { namedHistoryDefects } from '#proof/history-defects/named.ts'
import { searchInProcess, searchOverHttp, wilsonInterval } from '#proof/search-trial.ts'
import { tryMutations } from '#proof/trial.ts'
import { handleTasks, runInThreads, showProgressLine } from './pool.ts'

/** A search: of a defect, or of a mock without one. */
interface SearchTask {
  readonly defect: string | undefined
  readonly seed: number
  readonly ms: number
  /** In process, by the clock of the mock. */
  readonly virtual: boolean
}

interface SearchResult {
  readonly outcome: 'confirmed' | 'seen once' | 'missed'
  /** True if the run of the suite before the search shows a defect that the search did not confirm. */
  readonly isInRun?: boolean
  /** Time until the outcome, ms. */
  readonly took: number
  /** The number of times that a drawn defect has changed an answer. */
  readonly shown: number
  /** The requirement, and the requests of the history and those that were sent to shrink and confirm it. */
  readonly found?: { readonly requirement: string; readonly history: number; readonly live: number }
}

const table = Object.values(namedHistoryDefects).flat()

async function search({ defect: id, seed, ms, virtual }: SearchTask): Promise<SearchResult> {
  const drawn = id === undefined ? undefined : generateHistoryDefects().get(id)
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    drawn: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: '1' },
    virtual: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
  },
})
const [ms, seed] = [Number(values.seconds) * 1_000, Number(values.seed)]
const { virtual } = values
const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const minutes = (time: number) => `${Math.ceil(time / 60_000)} min`

/** The kind of each defect that is searched, by its id. */
function chosen(): ReadonlyMap<string, keyof typeof historyDefectKindTexts> {
  if (values.table) {
    const isWanted = (id: string) => positionals.length === 0 || positionals.some((one) => id.includes(one))
    const all = Object.entries(namedHistoryDefects).flatMap(([kind, list]) =>
      list.map(({ id }) => [id, kind as keyof typeof historyDefectKindTexts] as const),
    )
    return new Map(all.filter(([id]) => isWanted(id)))
  }
  const [random, all] = [createSeededSampler(seed), [...generateHistoryDefects().values()]]
  const drawn = Array.from({ length: Math.min(Number(values.drawn), all.length) }, () => {
    const [one] = all.splice(random.below(all.length), 1)
    return [one?.id ?? '', one?.kind ?? 'often'] as const
  })
  return new Map(drawn)
}

function share(some: readonly (readonly [SearchTask, SearchResult])[]): string {
  const found = some.filter(([, { outcome }]) => outcome === 'confirmed').length
  const [low, high] = wilsonInterval(found, some.length).map((one) => Math.round(100 * one))
  return `${found} of ${some.length} found, ${low}% to ${high}%`
}

async function main(): Promise<void> {
  const wanted = chosen()
  const defects = [undefined, ...wanted.keys()]
  // Each drawn defect has a seed of its own: searches of one seed draw the same, so that one would decide for all.
  const seedsOf = (nth: number) => (values.table ? [1, 2, 3, 4, 5] : [seed + nth])
  const tasks = defects.flatMap((defect, nth) =>
    seedsOf(nth).map((one): SearchTask => ({ defect, seed: one, ms, virtual })),
  )
  const results = new Map<SearchTask, SearchResult>()
  const problems: string[] = []

  const most = (tasks.length * ms) / Number(values.workers)
  console.log(
    `${wanted.size} defects${values.table ? '' : `, drawn by --seed ${seed}`}; ${values.seconds} s each: at most ${minutes(most)}`,
  )
  const started = Date.now()
  await runInThreads<SearchTask, SearchResult>(
    import.meta.url,
    tasks,
    (task, result) => {
      results.set(task, result)
      const { outcome, found, shown } = result
      if (!task.defect && outcome === 'confirmed')
        problems.push(`accused without a defect: ${found?.requirement}`)
      if (process.stderr.isTTY) return showProgressLine(`${results.size} of ${tasks.length} searches`)
      const what = found
        ? `${found.requirement}, ${found.history} of ${found.live} requests`
        : `shown ${shown} times`
      console.error(
        `${task.defect ?? 'no defect'} (${task.seed}): ${outcome} after ${Math.round(result.took)} ms, ${what}`,
      )
    },
    Number(values.workers),
  )
  showProgressLine()

  const all = [...results].filter(([{ defect }]) => defect !== undefined)
  for (const [kind, says] of Object.entries(historyDefectKindTexts)) {
    const some = all.filter(([{ defect }]) => wanted.get(defect ?? '') === kind)
    if (some.length > 0) console.log(`${says}: ${share(some)}`)
  }
  for (const outcome of ['seen once', 'missed'] as const) {
    const names = all
      .filter(([, result]) => result.outcome === outcome)
      .map(
        ([{ defect, seed: by }, { shown, isInRun }]) =>
          `\n  ${defect} (${by})${values.table ? '' : `, shown ${shown} times`}${isInRun ? ', in a run' : ''}`,
      )
    console.log(`${outcome} ${names.length}${names.join('')}`)
  }
  const found = all.flatMap(([, one]) => one.found ?? [])
  console.log(
    `median history: ${median(found.map(({ history }) => history))} requests; median to shrink and confirm: ${median(found.map(({ live }) => live))}`,
  )
  const inRun = all.filter(([, { isInRun }]) => isInRun).length
  const took = minutes(Date.now() - started)
  console.log(`${share(all)}, in ${took}; ${inRun} more by the run before the search`)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (isMainThread) await main()
else handleTasks(search)
